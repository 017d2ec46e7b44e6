// PARX for demands that are at hand rather than in a file.
#pragma once
#include "routing/node_demands.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan {

// As the engine `parx` with its defaults.
RouteResult route_parx(const Topology& topology, const NodeDemands& demands);

}  // namespace banyan
