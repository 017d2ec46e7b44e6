// Where switches hash flows over groups of next hops: all next hops of all groups at once. What is proved of
// them holds for every hash; a routing by one hash proves nothing of the others.
#pragma once
#include <optional>

#include "routing/flow_hash.hpp"
#include "routing/routing.hpp"

namespace banyan::ask {

bool hashes(const Routing& routing);  // its switches do

// The hash of its switches, with this seed instead of its own.
FlowHash hash_of(const Routing& routing, u64 seed);
// The `count`-th seed behind this one, without any that gives the routing the hash it has already.
u64 other_seed(const Routing& routing, u64 seed, u32 count);
// The same next hops, and as many ways of a pair, under the hash that has this seed.
Routing with_hash(const Routing& routing, u64 seed);  // its switches hash

enum class NextHopWeights : u8 {
  ignored,  // every next hop once: which paths there are
  kept,     // as often as its weight says: how much each path carries
};

// None where no switch hashes. Not applicable where a group has more next hops than a switch can offer.
std::optional<RouteResult> any_hash(const Fabric& fabric, const Routing& routing,
                                    NextHopWeights weights = NextHopWeights::ignored);

}  // namespace banyan::ask
