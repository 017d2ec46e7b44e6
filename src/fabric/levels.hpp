// Levels counted from the hosts: NICs stand on level 0, the switches with hosts on level 1, and so on.
//
// For everybody who tells up from down without asking a shape: the judge, trees found in any graph, the roots
// of Up*/Down*, drawings, and the simulator when it splits a fabric. Levels that a shape gives its switches
// come from topology/place.hpp.
//
// One breadth-first search: linear in nodes and channels. The ends of a cable differ by one level at most,
// and every switch of level l > 0 has a cable down to level l - 1.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan::fabric {

inline constexpr u32 no_level = ~u32{0};

// Cables that were taken away still count where levels must stay what they were before.
enum class CountedCables : u8 { in_place, also_taken };

// By node: the fewest cables to a NIC; no_level where no NIC can be reached.
IdVector<Node, u32> levels_from_hosts(const Fabric& fabric, CountedCables counted = CountedCables::in_place);

}  // namespace banyan::fabric
