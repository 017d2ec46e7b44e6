// The trees of SSSP (Hoefler, Schneider, Lumsdaine, HOTI 2009): towards each destination in turn, the
// shortest paths with minimum accumulated weight, where the weight of a channel is the number of paths it
// already carries. Hop count comes first; among equals the first way of the graph wins, which is the lowest
// port, or on a torus what spread_graph() puts first. Destinations come in the order given (both in
// destination_order.hpp). NICs of one turn share the search for shortest paths.
#pragma once
#include "engines/destination_order.hpp"

namespace banyan::engines {

Tables weighted_trees(const PortGraph& graph, u32 lmc, std::span<const Turn> order);

}  // namespace banyan::engines
