// How high nodes are above the hosts: what tells up from down.
#pragma once
#include "topology/topology.hpp"

namespace banyan::verify {

// Channels to the nearest host; the largest number where there is none.
IdVector<Node, u32> ranks(const Fabric& fabric);

// In a fat-tree the levels of the shape, whatever is missing; elsewhere the ranks.
IdVector<Node, u32> levels(const Topology& topology);

}  // namespace banyan::verify
