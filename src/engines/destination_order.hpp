// What an engine that balances channels destination by destination needs to spread ties on a torus.
#pragma once
#include <vector>

#include "engines/port_graph.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// The graph of the topology. On a torus, the ways of a switch stand by dimension, and in each the one upwards
// first, also where it closes the ring. Among equals all switches then take the same direction.
PortGraph spread_graph(const Topology& topology);

// Indices into graph.groups(). Ascending, but for tori. There, neighbours that follow each other load one
// side of a ring only, and the paths of half a ring, which could take either side, all go to the other. On a
// torus the order is that of van der Corput in every dimension, the first dimension fastest: 0, 4, 2, 6, 1,
// 5, 3, 7 on a ring of eight. Each destination is as far as can be from those before it.
std::vector<u32> destination_order(const Topology& topology, const PortGraph& graph);

}  // namespace banyan::engines
