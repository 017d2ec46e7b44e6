#include "topology/recognise/tree_evidence.hpp"

#include <algorithm>
#include <cassert>

namespace banyan::topology {
namespace {

bool is_known(const TreeFit& fit, Node node) {
  if (fit.levels.of[node] > fit.top() || fit.subtree[node] == TreeFit::none ||
      fit.column[node] == TreeFit::none)
    return false;
  return fit.levels.of[node] > 0 || fit.above_subtree[0][fit.subtree[node]] != TreeFit::none;
}

bool differs(const TreeFit& fit, const LevelPair& pair) {
  return !are_neighbours(fit, pair.low, pair.high) ||
         on_subtrees(fit, pair.low, pair.high) == CableVerdict::differs ||
         on_columns(fit, pair.low, pair.high) == CableVerdict::differs;
}

}  // namespace

LevelPair by_level(const TreeFit& fit, Node u, Node v) {
  return fit.levels.of[u] <= fit.levels.of[v] ? LevelPair{u, v} : LevelPair{v, u};
}

bool are_neighbours(const TreeFit& fit, Node child, Node parent) {
  return fit.levels.of[child] < fit.top() && fit.levels.of[parent] == fit.levels.of[child] + 1;
}

CableVerdict on_subtrees(const TreeFit& fit, Node child, Node parent) {
  assert(are_neighbours(fit, child, parent));
  const u32 below = fit.subtree[child], above = fit.subtree[parent];
  if (below == TreeFit::none) return CableVerdict::silent;
  const bool same = above != TreeFit::none && fit.above_subtree[fit.levels.of[child]][below] == above;
  return same ? CableVerdict::agrees : CableVerdict::differs;
}

CableVerdict on_columns(const TreeFit& fit, Node child, Node parent) {
  assert(are_neighbours(fit, child, parent));
  const u32 below = fit.column[child], above = fit.column[parent];
  if (above == TreeFit::none) return CableVerdict::silent;
  const bool same = below != TreeFit::none && fit.below_column[fit.levels.of[parent]][above] == below;
  return same ? CableVerdict::agrees : CableVerdict::differs;
}

TreeEvidence::TreeEvidence(const Fabric& raw, const TreeFit& fit) : right(raw.links()) {
  raw.each_link([&](const Link& link) {
    const LevelPair pair = by_level(fit, raw.from(link.a), raw.from(link.b));
    const bool agrees = fit.agrees(pair.low, pair.high);
    if (differs(fit, pair) || (agrees && ++right(pair.low, pair.high) > fit.shape.p[fit.levels.of[pair.low]]))
      wrong.push_back(pair);
  });
}

bool TreeEvidence::lacks(const TreeFit& fit, Node u, Node v) const {
  const auto [low, high] = by_level(fit, u, v);
  const u32 level = fit.levels.of[low];
  if (level == 0 && !is_known(fit, low)) return fit.levels.of[high] == 1;
  if (!fit.agrees(low, high)) return false;
  return right.find(low, high) < fit.shape.p[level];
}

bool TreeEvidence::has_partner(const TreeFit& fit, const LevelPair& one) const {
  return std::any_of(wrong.begin(), wrong.end(), [&](const LevelPair& other) {
    return (lacks(fit, one.low, other.high) && lacks(fit, one.high, other.low)) ||
           (lacks(fit, one.low, other.low) && lacks(fit, one.high, other.high));
  });
}

}  // namespace banyan::topology
