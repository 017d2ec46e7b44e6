#include "topology/tree_doubts.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace banyan {
namespace {

struct Pair {
  Node low, high;
  auto operator<=>(const Pair&) const = default;
};

Pair by_level(const TreeFit& fit, Node u, Node v) {
  return fit.levels.of[u] <= fit.levels.of[v] ? Pair{u, v} : Pair{v, u};
}

// Cables of the raw fabric by the pair they join, those that agree and those that do not.
struct Evidence {
  std::map<Pair, u32> right;
  std::vector<Pair> wrong;

  Evidence(const Fabric& raw, const TreeFit& fit) {
    raw.each_link([&](const Link& link) {
      const Pair pair = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (!fit.agrees(pair.low, pair.high)) wrong.push_back(pair);
      else if (++right[pair] > fit.shape.p[fit.levels.of[pair.low]]) wrong.push_back(pair);
    });
  }

  bool lacks(const TreeFit& fit, Node u, Node v) const {
    const Pair pair = by_level(fit, u, v);
    if (!fit.agrees(pair.low, pair.high)) return false;
    const auto found = right.find(pair);
    return found == right.end() || found->second < fit.shape.p[fit.levels.of[pair.low]];
  }

  // Whether another wrong cable makes this one half of a swap.
  bool has_partner(const TreeFit& fit, const Pair& one) const {
    return std::any_of(wrong.begin(), wrong.end(), [&](const Pair& other) {
      return (lacks(fit, one.low, other.high) && lacks(fit, one.high, other.low)) ||
             (lacks(fit, one.low, other.low) && lacks(fit, one.high, other.high));
    });
  }
};

// How many agreeing cables hold every subtree, column and switch where it is.
struct Hold {
  std::vector<std::vector<u32>> subtree, column;  // [l][id]
  IdVector<Node, u32> down, up;

  Hold(const Fabric& raw, const TreeFit& fit, const IdVector<Node, Node>& place)
      : subtree(fit.top() + 1), column(fit.top() + 1), down(raw.nodes().size(), 0), up(raw.nodes().size(), 0) {
    for (u32 l = 0; l <= fit.top(); ++l) {
      subtree[l].resize(fit.above_subtree[l].size());
      column[l].resize(fit.below_column[l].size());
    }
    raw.each_link([&](const Link& link) {
      const auto [child, parent] = by_level(fit, raw.from(link.a), raw.from(link.b));
      if (place[child] == none<Node> || place[parent] == none<Node> || !fit.agrees(child, parent)) return;
      const u32 level = fit.levels.of[child];
      ++subtree[level][fit.subtree[child]], ++column[level + 1][fit.column[parent]];
      ++down[parent], ++up[child];
    });
  }
};

bool weak(u64 cables, u64 ideal) { return cables == 0 || (cables == 1 && ideal > 1); }

// Whether some subtree that holds the node hangs loose, where it could hang elsewhere.
bool loose_subtree(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  u32 id = fit.subtree[node];
  for (u32 l = fit.levels.of[node]; l + 1 < fit.top(); id = fit.above_subtree[l++][id]) {
    if (shape.M(shape.h()) / shape.M(l + 1) == 1) return false;
    if (weak(hold.subtree[l][id], fit.planes * shape.W(l + 1) * shape.p[l])) return true;
  }
  return false;
}

bool loose_column(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  u32 id = fit.column[node];
  for (u32 l = fit.levels.of[node]; l >= 2; id = fit.below_column[l--][id]) {
    if (fit.planes * shape.W(l - 1) == 1) return false;
    if (weak(hold.column[l][id], shape.M(shape.h()) / shape.M(l - 1) * shape.p[l - 1])) return true;
  }
  return false;
}

bool loose_switch(const TreeFit& fit, const Hold& hold, Node node) {
  const Pgft& shape = fit.shape;
  const u32 l = fit.levels.of[node];
  if (l == 0 || fit.planes * shape.W(l) == 1) return false;  // the only one of its subtree
  if (shape.M(shape.h()) != shape.M(l) && weak(hold.down[node], u64{shape.m[l - 1]} * shape.p[l - 1])) return true;
  return l < fit.top() && weak(hold.up[node], shape.up_ports(l));
}

}  // namespace

void doubt_moved_hosts(const Fabric& raw, TreeFit& fit) {
  Pgft& shape = fit.shape;
  if (fit.top() == 1 || fit.planes * shape.nic_ports() != 1) return;
  const Evidence evidence(raw, fit);
  std::set<u32> doubtful;  // leaves
  for (const Pair& wrong : evidence.wrong) {
    if (evidence.has_partner(fit, wrong) || fit.levels.of[wrong.low] != 1) continue;
    for (Node leaf : raw.switch_nodes())
      if (fit.levels.of[leaf] == 1 && leaf != wrong.low && evidence.lacks(fit, leaf, wrong.high))
        doubtful.insert(fit.subtree[leaf]);
  }
  std::vector<u32>& leaf_of = fit.above_subtree[0];
  std::map<u32, u32> hosts;
  for (u32 leaf : leaf_of)
    if (leaf != TreeFit::none) ++hosts[leaf];
  const auto full = std::count_if(hosts.begin(), hosts.end(), [&](auto& at) { return at.second == shape.m[0]; });
  for (const auto& [leaf, count] : hosts)
    if (full == 1 && count == shape.m[0] && count > 1 && doubtful.contains(leaf)) shape.host_slots = --shape.m[0];
  for (u32& leaf : leaf_of)
    if (doubtful.contains(leaf)) leaf = TreeFit::none;
}

void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place) {
  for (bool again = true; again;) {
    again = false;
    const Hold hold(raw, fit, place);
    for (Node v : raw.nodes())
      if (place[v] != none<Node> &&
          (loose_subtree(fit, hold, v) || (fit.levels.of[v] > 0 && loose_column(fit, hold, v)) ||
           loose_switch(fit, hold, v))) {
        place[v] = none<Node>;
        again = true;
      }
  }
}

}  // namespace banyan
