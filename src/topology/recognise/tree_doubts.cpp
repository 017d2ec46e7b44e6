#include "topology/recognise/tree_doubts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "topology/recognise/pair_counts.hpp"

namespace banyan::topology {
namespace {

struct Pair {
  Node low, high;
  auto operator<=>(const Pair&) const = default;
};

Pair by_level(const TreeFit& fit, Node u, Node v) {
  return fit.levels.of[u] <= fit.levels.of[v] ? Pair{u, v} : Pair{v, u};
}

bool is_known(const TreeFit& fit, Node node) {
  if (fit.levels.of[node] > fit.top() || fit.subtree[node] == TreeFit::none ||
      fit.column[node] == TreeFit::none)
    return false;
  return fit.levels.of[node] > 0 || fit.above_subtree[0][fit.subtree[node]] != TreeFit::none;
}

// Cables of the raw fabric by the pair they join, those that agree and those that do not.
struct Evidence {
  PairCounts right;
  std::vector<Pair> wrong;

  Evidence(const Fabric& raw, const TreeFit& fit) : right(raw.links()) {
    raw.each_link([&](const Link& link) {
      const Pair pair = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (!fit.agrees(pair.low, pair.high) ||
          ++right(pair.low, pair.high) > fit.shape.p[fit.levels.of[pair.low]])
        wrong.push_back(pair);
    });
  }

  // Whether a cable is missing between two nodes; for all that is known, one is between a lost host and any
  // leaf.
  bool lacks(const TreeFit& fit, Node u, Node v) const {
    const auto [low, high] = by_level(fit, u, v);
    const u32 level = fit.levels.of[low];
    if (level == 0 && !is_known(fit, low)) return fit.levels.of[high] == 1;
    if (!fit.agrees(low, high)) return false;
    return right.find(low, high) < fit.shape.p[level];
  }

  // Whether another wrong cable makes this one half of a swap.
  bool has_partner(const TreeFit& fit, const Pair& one) const {
    return std::any_of(wrong.begin(), wrong.end(), [&](const Pair& other) {
      return (lacks(fit, one.low, other.high) && lacks(fit, one.high, other.low)) ||
             (lacks(fit, one.low, other.low) && lacks(fit, one.high, other.high));
    });
  }
};

struct Grip {
  u32 agree = 0, differ = 0;  // cables
  bool contested = false;     // where a cable agrees, another one at its far end does not

  bool weak(u64 ideal, u32 proof) const {
    return agree == 0 || (agree < proof && (agree < ideal || differ > 0 || contested || proof > 2));
  }
};

// What holds every subtree, column and switch where it is.
struct Hold {
  std::vector<std::vector<Grip>> subtree, column;  // [l][id]
  IdVector<Node, Grip> down, up;
  IdVector<Node, u32> stray;  // cables past a level
  u32 proof;                  // so many cables that agree prove a place

  Hold(const Fabric& raw, const TreeFit& fit, const IdVector<Node, Node>& place, u32 needed)
      : subtree(fit.top() + 1),
        column(fit.top() + 1),
        down(raw.nodes().size()),
        up(raw.nodes().size()),
        stray(raw.nodes().size(), 0),
        proof(needed) {
    for (u32 l = 0; l <= fit.top(); ++l) {
      subtree[l].resize(fit.above_subtree[l].size());
      column[l].resize(fit.below_column[l].size());
    }
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (!neighbours(fit, child, parent))
        ++stray[child], ++stray[parent];
      else if (!fit.agrees(child, parent))
        each_grip(fit, child, parent, [](Grip& grip) { ++grip.differ; });
      else if (place[child] != none<Node> && place[parent] != none<Node>)
        each_grip(fit, child, parent, [](Grip& grip) { ++grip.agree; });
    });
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (!neighbours(fit, child, parent) || !fit.agrees(child, parent)) return;
      if (down[parent].differ + up[child].differ > 0)
        each_grip(fit, child, parent, [](Grip& grip) { grip.contested = true; });
    });
  }

 private:
  static bool neighbours(const TreeFit& fit, Node child, Node parent) {
    return fit.levels.of[child] < fit.top() && fit.levels.of[parent] == fit.levels.of[child] + 1;
  }

  // Everything that a cable between a child and a parent says something about.
  template <class F>
  void each_grip(const TreeFit& fit, Node child, Node parent, const F& f) {
    const u32 level = fit.levels.of[child];
    if (fit.subtree[child] != TreeFit::none) f(subtree[level][fit.subtree[child]]);
    if (fit.column[parent] != TreeFit::none) f(column[level + 1][fit.column[parent]]);
    f(down[parent]), f(up[child]);
  }
};

// Whether some subtree that holds the node hangs loose, where it could hang elsewhere.
bool loose_subtree(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  u32 id = fit.subtree[node];
  for (u32 l = fit.levels.of[node]; l + 1 < fit.top(); id = fit.above_subtree[l++][id]) {
    if (shape.M(shape.h()) / shape.M(l + 1) == 1) return false;
    if (hold.subtree[l][id].weak(fit.planes * shape.W(l + 1) * shape.p[l], l == 0 ? 2 : hold.proof))
      return true;
  }
  return false;
}

bool loose_column(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  u32 id = fit.column[node];
  for (u32 l = fit.levels.of[node]; l >= 1; id = fit.below_column[l--][id]) {
    if (fit.planes * shape.W(l - 1) == 1) return false;
    if (hold.column[l][id].weak(shape.M(shape.h()) / shape.M(l - 1) * shape.p[l - 1], hold.proof))
      return true;
  }
  return false;
}

bool loose_node(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  const u32 l = fit.levels.of[node];
  if (l == 0) return fit.planes > 1 && hold.up[node].weak(shape.nic_ports(), 2);
  if (hold.stray[node] > 0 && hold.down[node].agree + hold.up[node].agree < 5)
    return true;  // perhaps of another level
  const u64 ideal = u64{shape.m[l - 1]} * shape.p[l - 1] + (l < fit.top() ? shape.up_ports(l) : 0);
  if (hold.down[node].differ + hold.up[node].differ > 0 &&
      2 * (hold.down[node].agree + hold.up[node].agree) < ideal)
    return true;  // likewise: a leaf that lost its host and got a second way up looks like a top
  if (fit.planes * shape.W(l) == 1) return false;  // the only one of its subtree
  if (shape.M(shape.h()) != shape.M(l) &&
      hold.down[node].weak(u64{shape.m[l - 1]} * shape.p[l - 1], hold.proof))
    return true;
  return l < fit.top() && hold.up[node].weak(shape.up_ports(l), hold.proof);
}

}  // namespace

void doubt_moved_hosts(const Fabric& raw, TreeFit& fit) {
  Pgft& shape = fit.shape;
  if (fit.top() == 1 || fit.planes * shape.nic_ports() != 1) return;
  const Evidence evidence(raw, fit);
  std::set<u32> doubtful;  // leaves
  const auto doubt_leaves_without = [&](Node parent, Node but) {
    for (Node leaf : raw.switch_nodes())
      if (fit.levels.of[leaf] == 1 && leaf != but && evidence.lacks(fit, leaf, parent))
        doubtful.insert(fit.subtree[leaf]);
  };
  for (const Pair& wrong : evidence.wrong) {
    const bool unclear = fit.levels.of[wrong.high] == TreeLevels::unknown;  // may be a leaf, too
    if (unclear)
      doubt_leaves_without(wrong.low, wrong.high);
    else if (fit.levels.of[wrong.low] == 1 && !evidence.has_partner(fit, wrong))
      doubt_leaves_without(wrong.high, wrong.low);
  }
  std::vector<u32>& leaf_of = fit.above_subtree[0];
  std::map<u32, u32> hosts;
  for (u32 leaf : leaf_of)
    if (leaf != TreeFit::none) ++hosts[leaf];
  const auto full =
      std::count_if(hosts.begin(), hosts.end(), [&](auto& at) { return at.second == shape.m[0]; });
  const u64 spare = shape.hosts() - raw.hosts(), leaves = shape.M(shape.h()) / shape.m[0];
  for (const auto& [leaf, count] : hosts)
    if (full == 1 && count == shape.m[0] && spare >= leaves && doubtful.contains(leaf)) {
      shape.host_slots = --shape.m[0];
      break;
    }
  for (u32& leaf : leaf_of)
    if (doubtful.contains(leaf)) leaf = TreeFit::none;
}

void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place) {
  const Evidence evidence(raw, fit);
  const bool explained = std::all_of(evidence.wrong.begin(), evidence.wrong.end(),
                                     [&](const Pair& wrong) { return evidence.has_partner(fit, wrong); });
  for (bool again = true; again;) {
    again = false;
    const Hold hold(raw, fit, place, explained ? 2 : 3);
    for (Node v : raw.nodes())
      if (place[v] != none<Node> &&
          (loose_subtree(fit, hold, v) || (fit.levels.of[v] > 0 && loose_column(fit, hold, v)) ||
           loose_node(fit, hold, v))) {
        place[v] = none<Node>;
        again = true;
      }
  }
}

}  // namespace banyan::topology
