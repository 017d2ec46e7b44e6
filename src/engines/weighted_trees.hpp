// The trees of SSSP (Hoefler, Schneider, Lumsdaine, HOTI 2009): towards each destination in turn the shortest
// paths of least accumulated weight, where a channel weighs as many paths as it carries already. Hop count
// comes first, of equals the lowest port wins. Group by group, addresses ascending.
#pragma once
#include "engines/port_graph.hpp"

namespace banyan::engines {

Tables weighted_trees(const PortGraph& graph, u32 lmc);

}  // namespace banyan::engines
