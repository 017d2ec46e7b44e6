// Levels counted from the hosts: NICs are on level 0, the switches with hosts on level 1, and so on.
//
// Used by all code that distinguishes up from down without a shape: the judge, trees found in any graph, the
// roots of Up*/Down*, drawings, and the simulator when it splits a fabric. topology/place.hpp has the levels
// that a shape gives its switches.
//
// One breadth-first search: linear in nodes and channels. The ends of a cable differ by at most one level,
// and every switch of level l > 0 has a cable down to level l - 1.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan::fabric {

inline constexpr u32 no_level = ~u32{0};

// Whether removed cables still count, so that levels stay what they were before.
enum class CountedCables : u8 { in_place, also_taken };

// By node: the minimum number of cables to a NIC; no_level if no NIC can be reached.
IdVector<Node, u32> levels_from_hosts(const Fabric& fabric, CountedCables counted = CountedCables::in_place);

// The highest of these, but for no_level; 0 if there is none.
u32 top_level(const IdVector<Node, u32>& level);

}  // namespace banyan::fabric
