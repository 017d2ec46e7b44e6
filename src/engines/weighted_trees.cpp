#include "engines/weighted_trees.hpp"

namespace banyan {
namespace {

class WeightedTrees {
 public:
  WeightedTrees(const PortGraph& graph, u32 lmc)
      : graph_(graph),
        fabric_(graph.fabric()),
        tables_(fabric_, lmc),
        nics_choose_(tables_.first_node() == 0),
        port_(fabric_.channels().size()),
        weight_(fabric_.channels().size()),
        cost_(graph.switches()),
        sources_(graph.switches()),
        way_key_(graph.way_count()),
        way_to_(graph.way_count()),
        chosen_(graph.switches()),
        exits_(graph.switches()) {
    for (Channel c : fabric_.channels()) port_[c] = static_cast<u8>(index(fabric_.port(c)));
    for (u32 s = 0; s < graph.switches(); ++s) sources_[s] = nics_choose_ ? 0 : graph.nics_at(s);
  }

  void start(const NicGroup& group);  // then add its addresses, then finish
  void add(Nic nic, Address to);
  void finish();
  Tables take() && { return std::move(tables_); }

 private:
  u32 reached() const { return static_cast<u32>(dag_.order.size()); }
  void choose_exits(Nic nic, Address to);
  void choose_ways(Address to);
  void choose_entries(Nic nic, Address to);
  void add_paths(u64 each);

  const PortGraph& graph_;
  const Fabric& fabric_;
  Tables tables_;
  bool nics_choose_;  // some NIC has several ports: NICs have rows in the tables
  IdVector<Channel, u8> port_;
  IdVector<Channel, u64> weight_;  // the paths on it, in steps
  std::vector<u64> cost_;          // by switch: the weight of the way from here
  std::vector<u64> sources_;       // by switch: NICs whose paths always start here
  std::vector<u64> paths_;         // by switch: those that pass here
  // While a group is routed, what its ways weigh lies in the order in which it is read.
  std::vector<u64> way_key_;  // the weight plus the place among the ways of its switch
  std::vector<u32> way_to_;
  std::vector<u32> chosen_;     // by place in the Dag: which way
  std::vector<Channel> exits_;  // by place in the Dag: of the group's switches
  u32 roots_ = 0;               // of the group
  Dag dag_;
  std::vector<Channel> entries_;
};

void WeightedTrees::start(const NicGroup& group) {
  find_shortest(graph_, group, dag_);
  roots_ = static_cast<u32>(group.roots.size());
  u64* key = way_key_.data();
  u32* to = way_to_.data();
  for (std::size_t place = roots_; place < dag_.order.size(); ++place) {
    u32 i = 0;
    for (const Way& way : dag_.at(place)) {
      *key++ = weight_[way.channel] + i++;
      *to++ = way.to;
    }
  }
}

void WeightedTrees::finish() {
  for (u32 i = 0; i < dag_.first.back(); ++i)
    weight_[dag_.ways[i].channel] = way_key_[i] - way_key_[i] % choice_step;
}

void WeightedTrees::add(Nic nic, Address to) {
  paths_ = sources_;
  choose_exits(nic, to);
  choose_ways(to);
  if (nics_choose_) choose_entries(nic, to);
  add_paths(destination_weight(to));
}

void WeightedTrees::choose_exits(Nic nic, Address to) {
  for (std::size_t place = 0; place < roots_; ++place) {
    const u32 root = dag_.order[place];
    const auto exits = graph_.exits(root, nic);
    Channel best = exits.front();
    for (Channel c : exits)
      if (weight_[c] < weight_[best]) best = c;
    cost_[root] = weight_[best];
    exits_[place] = best;
    if (!nics_choose_) --paths_[root];  // none to itself
    tables_(graph_.node(root), to) = port_[best];
  }
}

void WeightedTrees::choose_ways(Address to) {
  u8* const entry = &tables_(graph_.node(0), to);
  u64* const cost = cost_.data();
  u32* const chosen = chosen_.data();
  const u32 *const first = dag_.first.data(), *const order = dag_.order.data(), places = reached();
  const u64* key = way_key_.data();
  const u32* nearer = way_to_.data();
  for (u32 place = roots_, at = 0; place < places; ++place) {
    const u32 v = order[place], count = first[place + 1] - at;
    const u64 least = least_of(count, [=](std::size_t i) { return cost[nearer[i]] + key[i]; });
    cost[v] = least - least % choice_step;
    chosen[place] = at + static_cast<u32>(least % choice_step);
    at += count, key += count, nearer += count;
  }
  for (u32 place = roots_; place < places; ++place)
    entry[order[place]] = port_[dag_.ways[chosen[place]].channel];
}

void WeightedTrees::choose_entries(Nic self, Address to) {
  const auto cost = [&](Channel c) { return weight_[c] + cost_[graph_.number(fabric_.to(c))]; };
  for (Node nic : fabric_.nic_nodes()) {
    find_entries(graph_, dag_, nic, entries_);
    if (nic == fabric_.node(self) || entries_.empty()) continue;
    Channel best = entries_.front();
    for (Channel c : entries_)
      if (cost(c) < cost(best)) best = c;
    tables_(nic, to) = port_[best];
    weight_[best] += destination_weight(to) * choice_step;
    ++paths_[graph_.number(fabric_.to(best))];
  }
}

// From the far end, so that each switch knows all paths that join at it.
void WeightedTrees::add_paths(u64 each) {
  for (std::size_t place = dag_.order.size(); place-- > roots_;) {
    const u64 paths = paths_[dag_.order[place]];
    way_key_[chosen_[place]] += paths * each * choice_step;
    paths_[way_to_[chosen_[place]]] += paths;
  }
  for (std::size_t place = 0; place < roots_; ++place)
    weight_[exits_[place]] += paths_[dag_.order[place]] * each * choice_step;
}

}  // namespace

Tables weighted_trees(const PortGraph& graph, u32 lmc) {
  WeightedTrees trees(graph, lmc);
  for (const NicGroup& group : graph.groups()) {
    trees.start(group);
    for (Nic nic : group.nics)
      for (u32 i = 0; i < 1u << lmc; ++i) trees.add(nic, address_of(nic, lmc, i));
    trees.finish();
  }
  Tables tables = std::move(trees).take();
  enter_direct(graph.fabric(), lmc, tables);
  return tables;
}

}  // namespace banyan
