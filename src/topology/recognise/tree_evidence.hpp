// What the cables of a raw fabric say of a tree that was fitted to it.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/recognise/pair_counts.hpp"
#include "topology/recognise/tree_fit.hpp"

namespace banyan::topology {

// The two nodes of a cable, by level.
struct LevelPair {
  Node low, high;
};
LevelPair by_level(const TreeFit& fit, Node u, Node v);

// Whether a cable could lead from a child up to a parent.
bool are_neighbours(const TreeFit& fit, Node child, Node parent);

// A cable up from a switch of which the subtree is unknown is silent about subtrees, and one down from a
// switch of which the column is unknown about columns: other cables would have to say which these are.
enum class CableVerdict { agrees, differs, silent };

// Both want neighbours.
CableVerdict on_subtrees(const TreeFit& fit, Node child, Node parent);
CableVerdict on_columns(const TreeFit& fit, Node child, Node parent);

// The cables that agree with the fit, by the pair that they join, and those that differ from it or are more
// than a pair has.
struct TreeEvidence {
  PairCounts right;
  std::vector<LevelPair> wrong;

  TreeEvidence(const Fabric& raw, const TreeFit& fit);

  // Whether a cable is missing between two nodes; for all that is known, one is between a lost host and any
  // leaf.
  bool lacks(const TreeFit& fit, Node u, Node v) const;

  // Whether another wrong cable makes this one half of a swap.
  bool has_partner(const TreeFit& fit, const LevelPair& one) const;
};

}  // namespace banyan::topology
