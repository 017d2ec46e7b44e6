// The heaviest matching of groups of sources to destinations: a group takes as many destinations as it has
// members, a destination one source. Primal-dual algorithm (Kuhn 1955, Munkres 1957) in integers, with many
// augmenting paths per phase.
#pragma once
#include <span>
#include <vector>

#include "base/types.hpp"

namespace banyan::flow {

struct MatchEdge {
  u32 group, to;
  u32 weight;
};

struct GroupMatching {
  static constexpr u32 unmatched = ~u32{0};
  u64 weight = 0;
  std::vector<u32> group_of;  // by destination
};

GroupMatching heaviest_matching(std::span<const u32> members, u32 destinations,
                                std::span<const MatchEdge> edges);

}  // namespace banyan::flow
