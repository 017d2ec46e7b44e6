// Fits a graph to a fat-tree by its two nestings.
//
// In a PGFT the switches of level l form connected pieces in two ways: below, through levels 0..l, the
// subtrees T; above, through levels l..h, the columns x. A switch is the intersection of its subtree and its
// column. Subtrees nest upwards (T_l in T_{l+1}), columns downwards (x_{l+1} in x_l), and each step is a
// union of complete blocks. So both survive missing cables, and cables between blocks are wrong. Planes that
// share only hosts share subtrees and have separate columns.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/pgft.hpp"
#include "topology/recognise/tree_levels.hpp"

namespace banyan::topology {

struct NotATree : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct TreeFit {
  static constexpr u32 none = ~u32{0};

  TreeLevels levels;
  u32 planes = 1;
  IdVector<Node, u32> subtree, column;          // of a node at its level; none: undecided
  std::vector<std::vector<u32>> above_subtree;  // [l][T_l]: its T_{l+1}
  std::vector<std::vector<u32>> below_column;   // [l][x_l]: its x_{l-1}; [1]: its plane
  Pgft shape;

  u32 top() const { return levels.top; }
  u64 switches() const;  // of the ideal fabric
  // Whether a cable leads from a child up to a parent in both nestings.
  bool agrees(Node child, Node parent) const;
};

// Throws NotATree with the reason.
TreeFit fit_tree(const Fabric& raw, TreeLevels levels);

}  // namespace banyan::topology
