#include "routing/port_sets.hpp"

#include <algorithm>
#include <numeric>

#include "fabric/attachments.hpp"

namespace banyan::routing {

PortSets::PortSets(const Fabric& fabric)
    : first_node_(nics_have_one_port(fabric) ? fabric.nics() : 0),
      group_of_(fabric.nics(), nobody),
      leaf_(fabric.nics(), nobody) {
  u32 max_ports = 1;
  for (Node v : fabric.nodes()) max_ports = std::max(max_ports, fabric.ports(v));
  nodes_ = fabric.nodes().size() - first_node_;
  words_ = (max_ports + 63) / 64;
  group_nics(fabric);
  distance_.assign(slot(groups(), 0), far);
  ports_.assign(distance_.size() * words_, 0);
}

void PortSets::group_nics(const Fabric& fabric) {
  std::vector<u32> group_at(nodes_, nobody);
  exit_.assign(fabric.nics(), none<Port>);
  for (Nic nic : IdRange<Nic>(fabric.nics())) {
    const Channel c = channel_to_switch(fabric, nic);
    if (c == none<Channel>) continue;
    leaf_[index(nic)] = index(fabric.to(c)) - first_node_;
    exit_[index(nic)] = fabric.port(fabric.reverse(c));
    const u32 start = first_node_ == 0 ? index(nic) : leaf_[index(nic)];
    if (group_at[start] == nobody) {
      group_at[start] = groups();
      start_.push_back(start);
    }
    group_of_[index(nic)] = group_at[start];
  }
}

void PortSets::weigh(u32 group, u32 v, std::span<const u32> weights) {
  u32 common = 0;
  for (const u32 weight : weights) common = std::gcd(common, weight);
  if (common == 0 || std::all_of(weights.begin(), weights.end(), [&](u32 w) { return w == weights[0]; }))
    return;
  first_sum_.resize(distance_.size(), nobody);
  first_sum_[slot(group, v)] = static_cast<u32>(sums_.size());
  u32 sum = 0;
  for (const u32 weight : weights) sums_.push_back(sum += weight / common);
}

PortSets::Exits PortSets::exits(Node node, Nic to) const {
  const u32 group = group_of_[index(to)];
  if (group == nobody) return {};
  const bool one_exit = first_node_ > 0;
  if (index(node) < first_node_) {
    const u32 leaf = leaf_[index(node)];
    const u8 steps = leaf == nobody ? far : distance(group, leaf);
    if (steps == far) return {};
    return {nullptr, Port{0}, static_cast<u8>(steps + 1)};
  }
  const u32 v = index(node) - first_node_;
  const u8 steps = distance(group, v);
  if (steps == far) return {};
  if (steps == 0) return {nullptr, one_exit ? exit_[index(to)] : none<Port>, 0};
  const u32 sums = first_sum_.empty() ? nobody : first_sum_[slot(group, v)];
  return {&ports_[slot(group, v) * words_], none<Port>, static_cast<u8>(steps - !one_exit),
          sums == nobody ? nullptr : &sums_[sums]};
}

namespace {

// Breadth-first from the start; hosts do not forward.
void search(const Fabric& fabric, u32 group, PortSets& sets, std::vector<u32>& queue) {
  const u32 first = sets.first_node();
  queue.assign(1, sets.start(group));
  sets.reach(group, queue[0], 0);
  for (std::size_t place = 0; place < queue.size(); ++place) {
    const u32 v = queue[place];
    const u8 next = static_cast<u8>(std::min(sets.distance(group, v) + 1, PortSets::far - 1));
    if (place > 0 && !fabric.is_switch(Node{v + first})) continue;
    for (Channel c : fabric.channels(Node{v + first})) {
      if (!fabric.cabled(c) || index(fabric.to(c)) < first) continue;
      const u32 other = index(fabric.to(c)) - first;
      const u8 distance = sets.distance(group, other);
      if (distance < next) continue;
      if (distance == PortSets::far) queue.push_back(other);
      sets.reach(group, other, next);
      sets.add(group, other, fabric.port(fabric.reverse(c)));
    }
  }
}

}  // namespace

PortSets shortest_port_sets(const Fabric& fabric) {
  PortSets sets(fabric);
  std::vector<u32> queue;
  for (u32 group = 0; group < sets.groups(); ++group) search(fabric, group, sets, queue);
  return sets;
}

}  // namespace banyan::routing
