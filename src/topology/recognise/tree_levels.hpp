// Which level of a fat-tree each node of a raw graph stands on, counted from the hosts.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

struct TreeLevels {
  static constexpr u32 unknown = ~u32{0};
  IdVector<Node, u32> of;  // 0: NIC; unknown: no level fits
  u32 top = 0;
};

// A level is what most cables say: a switch that only one cable puts there waits for what is found further
// up, unless that is the rule at this level. One host on a spine or one cable past a level misleads nobody.
TreeLevels find_levels(const Fabric& raw);

}  // namespace banyan::topology
