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
        weight_(fabric_.channels().size()),
        cost_(graph.switches()),
        paths_(graph.switches()),
        chosen_(graph.switches()) {}

  void start(const NicGroup& group) {
    find_shortest(graph_, group, dag_);
    roots_ = group.roots.size();
  }
  void add(Nic nic, Address to);
  Tables take() && { return std::move(tables_); }

 private:
  void choose_exits(Nic nic, Address to);
  void choose_ways(Address to);
  void choose_entries(Nic nic, Address to);
  void add_paths(u64 each);
  u8 port(Channel c) const { return static_cast<u8>(index(fabric_.port(c))); }

  const PortGraph& graph_;
  const Fabric& fabric_;
  Tables tables_;
  bool nics_choose_;               // some NIC has several ports: NICs have rows in the tables
  IdVector<Channel, u64> weight_;  // the paths on it
  std::vector<u64> cost_;          // by switch: the weight of the way from here
  std::vector<u64> paths_;         // by switch: those that pass here
  std::vector<Way> chosen_;        // by switch
  std::size_t roots_ = 0;          // of the group
  Dag dag_;
  std::vector<Channel> entries_;
};

void WeightedTrees::add(Nic nic, Address to) {
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
    paths_[root] = nics_choose_ ? 0 : graph_.nics_at(root) - 1;
    chosen_[root] = {best, root};
    tables_(graph_.node(root), to) = port(best);
  }
}

void WeightedTrees::choose_ways(Address to) {
  u8* const entry = &tables_(graph_.node(0), to);
  for (std::size_t place = roots_; place < dag_.order.size(); ++place) {
    const u32 v = dag_.order[place];
    const auto ways = dag_.at(place);
    const Way* best = ways.data();
    u64 least = ~u64{0};
    for (const Way& way : ways) {
      const u64 cost = cost_[way.to] + weight_[way.channel];
      best = cost < least ? &way : best;
      least = cost < least ? cost : least;
    }
    cost_[v] = least;
    paths_[v] = nics_choose_ ? 0 : graph_.nics_at(v);
    chosen_[v] = *best;
    entry[v] = port(best->channel);
  }
}

void WeightedTrees::choose_entries(Nic self, Address to) {
  const auto cost = [&](Channel c) { return weight_[c] + cost_[graph_.number(fabric_.to(c))]; };
  for (Node nic : fabric_.nic_nodes()) {
    find_entries(graph_, dag_, nic, entries_);
    if (nic == fabric_.node(self) || entries_.empty()) continue;
    Channel best = entries_.front();
    for (Channel c : entries_)
      if (cost(c) < cost(best)) best = c;
    tables_(nic, to) = port(best);
    weight_[best] += destination_weight(to);
    ++paths_[graph_.number(fabric_.to(best))];
  }
}

// From the far end, so that each switch knows all paths that join at it.
void WeightedTrees::add_paths(u64 each) {
  for (std::size_t place = dag_.order.size(); place-- > 0;) {
    const u32 v = dag_.order[place];
    weight_[chosen_[v].channel] += paths_[v] * each;
    if (place >= roots_) paths_[chosen_[v].to] += paths_[v];
  }
}

}  // namespace

Tables weighted_trees(const PortGraph& graph, u32 lmc) {
  WeightedTrees trees(graph, lmc);
  for (const NicGroup& group : graph.groups()) {
    trees.start(group);
    for (Nic nic : group.nics)
      for (u32 i = 0; i < 1u << lmc; ++i) trees.add(nic, address_of(nic, lmc, i));
  }
  return std::move(trees).take();
}

}  // namespace banyan
