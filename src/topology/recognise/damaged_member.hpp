// The places of switches in a member of a family, known cable by cable, of which some cables are missing and
// none is wrong; for members of which some switches have no hosts too.
#pragma once
#include <optional>
#include <vector>

#include "topology/recognise/hyperx_planes.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

// Whether the switches of `part` could be those of `whole`, with as many cables each or fewer, by the numbers
// of their cables alone; those with hosts and those without.
bool may_lack_cables(const RawSwitches& part, const RawSwitches& whole);

// By switch of `part` that of `whole`, which is that of the shape; no cable is wrong. None: there is no such
// map, or it was not found within `steps`, which are taken off.
//
// The leaves of a group of a Dragonfly+ are alike, and they are what the cables between leaves and spines
// join. So the groups are compared as one vertex each, and only cables between spines say which is which.
std::optional<std::vector<u32>> place_damaged(const RawSwitches& part, const RawSwitches& whole,
                                              const Shape& shape, u64& steps);

}  // namespace banyan::topology
