// Balanced fat-tree routing as OpenSM's users know it (Zahavi et al., Concurrency and Computation: Practice
// and Experience 2010): destination by destination in the order of the leaves, upwards from the leaf by the
// parent that the fewest destinations come down from, and from every switch on the way down to all that have
// no entry yet. Then by the other parents, so that all that can reach the leaf does.
#include <algorithm>
#include <limits>

#include "engines/ranked_engine.hpp"

namespace banyan::engines {
namespace {

class Ftree {
 public:
  explicit Ftree(const RankedTree& tree)
      : tree_(tree), has_hosts_(tree.nodes().size()), is_above_(tree.nodes().size()) {
    for (const auto& group : tree.groups()) has_hosts_[group.start] = true;
    for (const auto& uplink : tree.uplinks())
      for (const auto& cable : tree.cables(uplink)) {
        up_load_.push_back(cable.live ? 0 : missing);
        down_load_.push_back(cable.live ? 0 : missing);
      }
    total_down_.resize(tree.uplinks().size());
  }

  // The turn says which of the other parents comes first where the best one does not reach all.
  void route(TreeNode start, u32 turn, std::span<u8> row) {
    row_ = row;
    turn_ = turn;
    std::fill(is_above_.begin(), is_above_.end(), false);
    is_above_[start] = true;
    climb(start, true);
  }

 private:
  static constexpr u32 missing = std::numeric_limits<u32>::max();

  // Serves all that is below v, then what can be reached by going further up: by the best parent, then by the
  // others. Only the way by best parents counts.
  void climb(TreeNode v, bool counts) {
    serve_below(v);
    const u32 best = best_parent(v), first = tree_.first_up(v), parents = tree_.last_up(v) - first;
    if (best == missing) return;
    climb_to(best, counts);
    for (u32 i = 0; i < parents; ++i) {
      const u32 u = first + (best - first + 1 + turn_ + i) % parents;
      if (is_open(u)) climb_to(u, false);
    }
  }

  void climb_to(u32 u, bool counts) {
    const TreeNode parent = tree_.uplinks()[u].parent;
    const u32 cable = least_loaded(tree_.uplinks()[u], down_load_);
    is_above_[parent] = true;
    row_[index(parent)] = cable_at(u, cable).down;
    if (counts) ++down_load_[cable], ++total_down_[u];
    climb(parent, counts);
  }

  // Whether its parent is in place and not yet known to be above the destination.
  bool is_open(u32 u) const { return tree_.uplinks()[u].live > 0 && !is_above_[tree_.uplinks()[u].parent]; }

  // Gives a way up to v to all below that have none yet. True if hosts are among them.
  bool serve_below(TreeNode v) {
    bool served = false;
    for (u32 u : tree_.down(v)) {
      const auto& uplink = tree_.uplinks()[u];
      const TreeNode child = uplink.child;
      if (uplink.live == 0 || is_above_[child] || row_[index(child)] != Tables::no_port) continue;
      const u32 cable = least_loaded(uplink, up_load_);
      row_[index(child)] = cable_at(u, cable).up;
      if (!serve_below(child) && !has_hosts_[child]) continue;
      ++up_load_[cable];
      served = true;
    }
    return served;
  }

  // The one that the fewest destinations come down from; the first of equals.
  u32 best_parent(TreeNode v) const {
    u32 best = missing, load = missing;
    for (u32 u = tree_.first_up(v); u < tree_.last_up(v); ++u)
      if (is_open(u) && total_down_[u] < load) load = total_down_[u], best = u;
    return best;
  }

  static u32 least_loaded(const RankedTree::Uplink& uplink, const std::vector<u32>& load) {
    const auto first = load.begin() + uplink.first;
    return static_cast<u32>(std::min_element(first, first + uplink.cables) - load.begin());
  }
  const RankedTree::Cable& cable_at(u32 u, u32 cable) const {
    return tree_.cables(tree_.uplinks()[u])[cable - tree_.uplinks()[u].first];
  }

  const RankedTree& tree_;
  IdVector<TreeNode, bool> has_hosts_, is_above_;
  std::vector<u32> up_load_, down_load_;  // by cable: destinations; missing
  std::vector<u32> total_down_;           // by uplink
  std::span<u8> row_;
  u32 turn_ = 0;
};

RouteResult route_ftree(const Topology& topology, const LmcOption& options) {
  if (auto refused = refuse_ranked(topology, options.lmc, "ftree")) return *refused;
  const RankedTree tree(topology);
  Tables tables(topology.fabric, options.lmc);
  Ftree ftree(tree);
  const Gaps gaps(topology.fabric, tree);
  for (u32 g = 0; g < tree.groups().size(); ++g) {
    const auto& group = tree.groups()[g];
    for (Nic nic : group.nics)
      for (u32 i = 0; i < 1u << options.lmc; ++i) {
        const std::span<u8> row = tables.towards(address_of(nic, options.lmc, i));
        ftree.route(group.start, g, row);
        if (tree.first_node() > 0) row[index(group.start)] = tree.host_port(nic);
      }
    const auto row = tables.towards(address_of(group.nics[0], options.lmc));
    const auto reached = [&](TreeNode v) { return row[index(v)] != Tables::no_port || v == group.start; };
    if (auto gap = gaps.find(g, reached)) return *gap;
  }
  return one_lane(std::move(tables), options.lmc);
}

}  // namespace

Engine ftree_engine() {
  return make_engine<route_ftree>(
      "ftree", "Zahavi et al., Concurrency and Computation 2010",
      "fat-trees, complete or not: the least loaded parents, as in OpenSM; one lane");
}

}  // namespace banyan::engines
