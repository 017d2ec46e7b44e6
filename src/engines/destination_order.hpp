// What an engine that balances channels destination by destination needs to spread ties on a torus.
#pragma once
#include <vector>

#include "engines/port_graph.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// The graph of the topology. On a torus, the ways of a switch stand by dimension, and in each the one upwards
// first, also where it closes the ring. Among equals all switches then take the same direction.
PortGraph spread_graph(const Topology& topology);

// NICs of a group that follow each other, each with all its addresses.
struct Turn {
  u32 group;        // index into graph.groups()
  u32 first, last;  // indices into its NICs
  friend bool operator==(const Turn&, const Turn&) = default;
};

// Ascending, group by group, but for tori. There, neighbours that follow each other load one side of a ring
// only, and the paths of half a ring, which could take either side, all go to the other. On a torus the order
// is that of van der Corput in every dimension, the first dimension fastest: 0, 4, 2, 6, 1, 5, 3, 7 on a ring
// of eight. Each destination is as far as can be from those before it. NICs of one group are as near as can
// be: every group has one of its NICs in turn, then every group its next.
std::vector<Turn> destination_order(const Topology& topology, const PortGraph& graph);

}  // namespace banyan::engines
