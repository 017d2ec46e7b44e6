// Closed forms as tables, for switches that need one: K paths of a pair become K addresses of its
// destination.
#pragma once
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::routing {

// InfiniBand's: unicast LIDs 1 to 0xbfff, and three bits for the LMC.
struct AddressLimits {
  u64 addresses = 49'151;
  u32 lmc = 7;
};

// The routing with Tables for its forward; its source offers the same number of ways, each by an address of
// its own. Tables know only where a packet is and where it goes. That is all of d-mod-k; shift-1, disjoint
// and umulti also ask at which level the pair meets, which the switch knows on the way up and, where cables
// are parallel, must not need to know on the way down: way_addresses.hpp. So they are exact, by more
// addresses than paths where fewer cannot do, as long as these fit the limits. What depends on the source
// besides takes, at all switches that meet the destination at one level, the path of one source there:
// share_of_other_paths() says how far that is from the original. Not applicable where lanes change on the
// way, where forwarding is adaptive or hashes, or where addresses do not suffice; the reason then says what
// fits.
RouteResult tables_of(const Topology& topology, const Routing& routing, const AddressLimits& limits = {});

struct OtherPaths {
  u64 compared = 0, different = 0;  // pairs and ways
  bool sampled = false;             // not all were compared
  double share() const {
    return compared == 0 ? 0 : static_cast<double>(different) / static_cast<double>(compared);
  }
};
// Pairs on a rail whose i-th way takes other channels in one routing than in the other; both deterministic.
// At most so many pairs, then drawn at random.
OtherPaths share_of_other_paths(const Fabric& fabric, const Routing& a, const Routing& b,
                                u64 max_pairs = 1'000'000, u64 seed = 1);

}  // namespace banyan::routing
