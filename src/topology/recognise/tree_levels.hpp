// Finds the level of a fat-tree for each node of a raw graph, counted from the hosts.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

struct TreeLevels {
  static constexpr u32 unknown = ~u32{0};
  IdVector<Node, u32> of;  // 0: NIC; unknown: no level fits
  u32 top = 0;
};

// The level of a switch follows the majority of its cables. A switch with only one cable for a level waits
// for the levels above, unless one cable is the rule at this level. So one host on a spine, or one cable past
// a level, does not mislead.
TreeLevels find_levels(const Fabric& raw);

}  // namespace banyan::topology
