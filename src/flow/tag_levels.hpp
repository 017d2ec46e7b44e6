// The channels of flows in a complete fat-tree whose routing depends only on the destination, as d-mod-k: the
// channel up from level l is (subtree of the source, an offset that depends on the destination), and the way
// down to a destination is the same for all sources.
#pragma once
#include <optional>
#include <vector>

#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/placement.hpp"

namespace banyan::flow {

// One level of switches below the roots; vectors are by rank, for the hosts that ranks run on.
struct TagLevel {
  u32 fan = 0;               // m_{l+1}: subtrees of this level below one of the next
  u32 channels = 0;          // up channels of a subtree
  std::vector<u32> subtree;  // the subtree of a rank
  std::vector<u32> offset;   // of the up channel towards a rank, and of the down channel to it
  u32 max_up = 0;            // maximum number of flows of a permutation on an up channel
  u32 max_down = 0;          // destinations of a down channel; with 1 there is nothing to count
  u32 max_inside = 0;        // ranks of a subtree
};

// Levels 1 to h-1; none if the routing is of another kind.
std::optional<std::vector<TagLevel>> tag_levels(const Topology& topology, const Routing& routing,
                                                const Placement& placement);

}  // namespace banyan::flow
