// PARX for demands that are at hand rather than in a file.
#pragma once
#include "routing/node_demands.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// As the engine `parx` with its defaults.
RouteResult route_parx(const Topology& topology, const NodeDemands& demands);

// The same paths, all on lane 0: for loads and rates, which do not ask for lanes, in a tenth of the time. It
// may not be free of deadlock.
RouteResult parx_paths(const Topology& topology, const NodeDemands& demands);

}  // namespace banyan::engines
