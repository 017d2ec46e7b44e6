// Where flows go in a complete fat-tree whose routing looks at the destination only, as d-mod-k does: the
// channel up from level l is (subtree of the source, an offset that depends on the destination), and the way
// down to a destination is the same for all sources.
#pragma once
#include <optional>
#include <vector>

#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/placement.hpp"

namespace banyan::flow {

// Of the switches of one level below the roots; by rank, of the hosts that ranks run on.
struct TagLevel {
  u32 fan = 0;               // m_{l+1}: subtrees of this level below one of the next
  u32 channels = 0;          // up channels of a subtree
  std::vector<u32> subtree;  // that a rank is in
  std::vector<u32> offset;   // of the up channel towards a rank, and of the down channel to it
  u32 max_up = 0;            // flows of a permutation that an up channel can have at most
  u32 max_down = 0;          // destinations of a down channel; where it is 1 there is nothing to count
  u32 max_inside = 0;        // ranks of a subtree
};

// Levels 1 to h-1; none where the routing is of another kind.
std::optional<std::vector<TagLevel>> tag_levels(const Topology& topology, const Routing& routing,
                                                const Placement& placement);

}  // namespace banyan::flow
