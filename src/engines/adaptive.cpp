// Adaptive routing in fat-trees: up by any live port that leads to a nearest common ancestor, down by any
// cable towards the destination (petrini01).
#include "engines/open_ways.hpp"
#include "engines/ranked_engine.hpp"

namespace banyan::engines {
namespace {

// The ways of all nodes to one group of destinations: down where it is below, else up by the shortest.
class UpDownWays {
 public:
  UpDownWays(const RankedTree& tree, PortSets& sets) : tree_(tree), sets_(sets) {}

  void explore(TreeNode start, u32 group) {
    group_ = group;
    cost_.assign(tree_.nodes().size(), no_way);
    reach(start, 0);
    for (TreeNode v : tree_.by_rank())
      if (v != start) go_down(v);
    above_ = cost_;
    for (auto v = tree_.by_rank().rbegin(); v != tree_.by_rank().rend(); ++v)
      if (above_[*v] == no_way) go_up(*v);
  }
  bool reached(TreeNode v) const { return cost_[v] != no_way; }

 private:
  static constexpr u32 no_way = ~u32{0};

  void reach(TreeNode v, u32 cost) {
    cost_[v] = cost;
    if (cost != no_way)
      sets_.reach(group_, index(v), static_cast<u8>(std::min<u32>(cost, PortSets::far - 1)));
  }

  void go_down(TreeNode v) {
    u32 best = no_way;
    for (u32 number : tree_.down(v)) best = std::min(best, cost_by(tree_.uplinks()[number], false));
    reach(v, best);
    for (u32 number : tree_.down(v)) {
      const auto& uplink = tree_.uplinks()[number];
      if (best == no_way || cost_by(uplink, false) != best) continue;
      for (const auto& cable : tree_.cables(uplink))
        if (cable.live) sets_.add(group_, index(v), Port{cable.down});
    }
  }

  void go_up(TreeNode v) {
    u32 best = no_way;
    for (const auto& uplink : tree_.up(v)) best = std::min(best, cost_by(uplink, true));
    reach(v, best);
    for (const auto& uplink : tree_.up(v)) {
      if (best == no_way || cost_by(uplink, true) != best) continue;
      for (const auto& cable : tree_.cables(uplink))
        if (cable.live) sets_.add(group_, index(v), Port{cable.up});
    }
  }

  u32 cost_by(const RankedTree::Uplink& uplink, bool up) const {
    const u32 cost = cost_[up ? uplink.parent : uplink.child];
    return uplink.live == 0 || cost == no_way ? no_way : cost + 1;
  }

  const RankedTree& tree_;
  PortSets& sets_;
  u32 group_ = 0;
  IdVector<TreeNode, u32> cost_, above_;  // channels to the start; of those above it only
};

RouteResult route_adaptive(const Topology& topology, const NoOptions&) {
  if (auto refused = refuse_ranked(topology, 0, "adaptive")) return *refused;
  const RankedTree tree(topology);
  const Gaps gaps(topology.fabric, tree);
  PortSets sets(topology.fabric);
  UpDownWays ways(tree, sets);
  for (u32 g = 0; g < tree.groups().size(); ++g) {
    u32 group = PortSets::nobody;
    for (Nic nic : tree.groups()[g].nics)
      if (group == PortSets::nobody) group = sets.group(nic);
    if (group == PortSets::nobody) continue;  // no cable leads to any of them
    ways.explore(tree.groups()[g].start, group);
    if (auto gap = gaps.find(g, [&](TreeNode v) { return ways.reached(v); })) return *gap;
  }
  return Routing{OpenNextHops(topology.fabric, std::move(sets)), Source(OpenWays{})};
}

}  // namespace

Engine adaptive_engine() {
  return make_engine<route_adaptive>(
      "adaptive", "petrini01", "fat-trees, complete or not: any live port up to a common ancestor; one lane");
}

}  // namespace banyan::engines
