#include "engines/port_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>

#include "fabric/attachments.hpp"

namespace banyan::engines {

PortGraph::PortGraph(const Fabric& fabric) : fabric_(&fabric) {
  for (Node v : fabric.switch_nodes()) {
    first_.push_back(static_cast<u32>(ways_.size()));
    for (Channel c : fabric.channels(v))
      if (fabric.cabled(c) && fabric.is_switch(fabric.to(c))) ways_.push_back({c, number(fabric.to(c))});
  }
  first_.push_back(static_cast<u32>(ways_.size()));
  group_nics();
  list_exits();
}

void PortGraph::sort_ways(const std::function<u32(Channel)>& rank) {
  for (std::size_t s = 0; s + 1 < first_.size(); ++s)
    std::stable_sort(ways_.begin() + first_[s], ways_.begin() + first_[s + 1],
                     [&](const Way& a, const Way& b) { return rank(a.channel) < rank(b.channel); });
}

void PortGraph::group_nics() {
  std::map<std::vector<Switch>, u32> known;
  nics_at_.resize(switches().size());
  for (const Attachment& attached : attachments(*fabric_)) {
    std::vector<Switch> roots;
    for (Node node : attached.at)
      if (node != none<Node> && fabric_->is_switch(node)) roots.push_back(number(node));
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    if (roots.empty()) continue;
    for (Switch s : roots) nics_at_[s] += static_cast<u32>(attached.nics.size());
    const auto [at, fresh] = known.emplace(roots, static_cast<u32>(groups_.size()));
    if (fresh) groups_.push_back({std::move(roots), {}});
    std::vector<Nic>& nics = groups_[at->second].nics;
    nics.insert(nics.end(), attached.nics.begin(), attached.nics.end());
  }
  for (NicGroup& group : groups_) std::sort(group.nics.begin(), group.nics.end());
}

void PortGraph::list_exits() {
  for (Node nic : fabric_->nic_nodes()) {
    first_exit_.push_back(static_cast<u32>(exits_.size()));
    for (Channel c : fabric_->channels(nic))
      if (fabric_->cabled(c) && fabric_->is_switch(fabric_->to(c))) exits_.push_back(fabric_->reverse(c));
    std::sort(exits_.begin() + first_exit_.back(), exits_.end());
  }
  first_exit_.push_back(static_cast<u32>(exits_.size()));
}

std::span<const Channel> PortGraph::exits(Switch s, Nic nic) const {
  const auto begin = exits_.begin() + first_exit_[index(nic)],
             end = exits_.begin() + first_exit_[index(nic) + 1];
  const auto here = fabric_->channels(node(s));
  const auto low = std::lower_bound(begin, end, *here.begin());
  return {low, std::lower_bound(low, end, *here.end())};
}

void Dag::start(const PortGraph& graph, const NicGroup& group) {
  distance.assign(graph.switches().size(), unreached);
  order = group.roots;
  for (Switch root : order) distance[root] = 0;
  ways.resize(graph.way_count() + 1);  // one more to write to and forget
  first.assign(order.size() + 1, 0);
}

void find_shortest(const PortGraph& graph, const NicGroup& group, Dag& out) {
  out.start(graph, group);
  Way* end = out.ways.data();
  for (std::size_t place = 0; place < out.order.size(); ++place) {
    const Switch v = out.order[place];
    const u32 next = out.distance[v] + 1;
    if (out.order.size() < graph.switches().size())
      for (const Way& way : graph.ways(v))
        if (out.distance[way.to] == Dag::unreached) {
          out.distance[way.to] = next;
          out.order.push_back(way.to);
        }
    if (place < group.roots.size()) continue;
    for (const Way& way : graph.ways(v)) {
      *end = way;
      end += out.distance[way.to] + 2 == next;
    }
    out.first.push_back(static_cast<u32>(end - out.ways.data()));
  }
}

void find_avoiding(const PortGraph& graph, const NicGroup& group,
                   const std::function<bool(Switch, Switch)>& avoid, Dag& out) {
  out.start(graph, group);
  using Entry = std::pair<u64, Switch>;           // its cost, a switch
  const u64 expensive = graph.switches().size();  // more than any path is long
  IdVector<Switch, u64> cost(graph.switches().size(), ~u64{0});
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto reach = [&](Switch s, u64 c) {
    if (c >= cost[s]) return;
    cost[s] = c;
    queue.push({c, s});
  };
  const auto step = [&](Switch a, Switch b) { return avoid(a, b) ? 1 + expensive : 1; };
  for (Switch root : group.roots) reach(root, 0);
  out.order.clear();
  for (; !queue.empty();) {
    const auto [c, v] = queue.top();
    queue.pop();
    if (c > cost[v]) continue;
    out.order.push_back(v);
    out.distance[v] = static_cast<u32>(c % expensive);
    for (const Way& way : graph.ways(v)) reach(way.to, c + step(way.to, v));
  }
  Way* end = out.ways.data();
  for (std::size_t place = group.roots.size(); place < out.order.size(); ++place) {
    const Switch v = out.order[place];
    for (const Way& way : graph.ways(v))
      if (cost[way.to] < cost[v] && cost[way.to] + step(v, way.to) == cost[v]) *end++ = way;
    out.first.push_back(static_cast<u32>(end - out.ways.data()));
  }
}

void find_entries(const PortGraph& graph, const Dag& dag, Node nic, std::vector<Channel>& out) {
  out.clear();
  u32 least = Dag::unreached;
  for (Channel c : graph.fabric().channels(nic)) {
    const Node to = graph.fabric().to(c);
    if (to == none<Node> || !graph.fabric().is_switch(to)) continue;
    const u32 distance = dag.distance[graph.number(to)];
    if (distance < least) out.clear(), least = distance;
    if (distance == least && least != Dag::unreached) out.push_back(c);
  }
}

void enter_direct(const Fabric& fabric, u32 lmc, Tables& tables) {
  if (tables.first_node() > 0) return;  // NICs have one port and nothing to choose
  fabric.each_link([&](const Link& link) {
    if (fabric.is_switch(fabric.from(link.a)) || fabric.is_switch(fabric.from(link.b))) return;
    for (Channel c : {link.a, link.b})
      for (u32 i = 0; i < 1u << lmc; ++i)
        tables(fabric.from(c), address_of(fabric.nic(fabric.to(c)), lmc, i)) =
            static_cast<u8>(index(fabric.port(c)));
  });
}

}  // namespace banyan::engines
