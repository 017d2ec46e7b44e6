// PARX with demands in memory instead of a file. Papers call it; the engine `parx` reads files.
#pragma once
#include "routing/node_demands.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// Routes as the engine `parx:lanes=16,returns=0`: layers as in the paper.
RouteResult route_parx(const Topology& topology, const NodeDemands& demands);

// The same paths, all on lane 0, in a tenth of the time: for loads and rates, which need no lanes. The result
// may deadlock.
RouteResult parx_paths(const Topology& topology, const NodeDemands& demands);

}  // namespace banyan::engines
