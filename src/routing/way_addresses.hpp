// Assigns the addresses of a NIC to the ways to it, in a fat-tree that is routed by tables.
//
// On the way up a switch knows the level where a pair meets; on the way down it does not. Two ways that share
// an address and come down through the same switch must therefore leave it by the same cable: at the first
// level where their digits differ they must differ in the switch, not only in the cable.
#pragma once
#include <vector>

#include "topology/pgft.hpp"

namespace banyan::routing {

// The ways to one destination: their tags (see TreeForm), by level where the pair meets, then by way. No pair
// meets at a level without ways.
using WaysByLevel = std::vector<std::vector<u64>>;

// By level and way: the address. The ways of the highest level have the addresses 0, 1, ...; those of lower
// levels share as many of them as possible, level by level, by a matching. Empty if this many addresses are
// not enough.
using AddressesByLevel = std::vector<std::vector<u8>>;
AddressesByLevel share_addresses(const Pgft& tree, const WaysByLevel& ways, u32 addresses);

// Whether way i can have address i at any level: no cables are parallel below the highest level.
bool ways_share_freely(const Pgft& tree);

}  // namespace banyan::routing
