// Turns closed forms into tables, for switches that need them: K paths of a pair become K addresses of its
// destination. `route` and the OpenSM plugin call it.
#pragma once
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::routing {

// The limits of InfiniBand: unicast LIDs 1 to 0xbfff, and three bits for the LMC.
struct AddressLimits {
  u64 addresses = 49'151;
  u32 lmc = 7;
};

// The routing with Tables as its forward; its source offers the same number of ways, each with its own
// address. Tables know only where a packet is and where it goes. That suffices for d-mod-k. shift-1, disjoint
// and umulti also depend on the level where the pair meets. A switch knows it on the way up; on the way down
// it must not need it where cables are parallel (way_addresses.hpp). So these are exact, with more addresses
// than paths where necessary, as long as the addresses fit the limits. A routing that also depends on the
// source takes, at all switches that meet the destination at one level, the path of one source there;
// share_of_other_paths() measures the difference. Not applicable if lanes change on the way, if the forward
// is adaptive or hashes, or if there are too few addresses; the reason then states what fits.
RouteResult tables_of(const Topology& topology, const Routing& routing, const AddressLimits& limits = {});

struct OtherPaths {
  u64 compared = 0, different = 0;  // pairs and ways
  bool sampled = false;             // only a sample was compared
  double share() const {
    return compared == 0 ? 0 : static_cast<double>(different) / static_cast<double>(compared);
  }
};
// Counts pairs on a rail whose i-th way takes different channels in the two routings, which must be
// deterministic. Compares at most this many pairs, then drawn at random.
OtherPaths share_of_other_paths(const Fabric& fabric, const Routing& a, const Routing& b,
                                u64 max_pairs = 1'000'000, u64 seed = 1);

}  // namespace banyan::routing
