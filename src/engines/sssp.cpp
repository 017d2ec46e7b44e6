// SSSP: shortest paths of least accumulated weight, destination after destination.
#include "engines/engine.hpp"
#include "engines/weighted_trees.hpp"

namespace banyan {
namespace {

RouteResult route_sssp(const Topology& topology, const LmcOption& options) {
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "sssp")) return *refused;
  return one_lane(weighted_trees(PortGraph(topology.fabric), options.lmc), options.lmc);
}

}  // namespace

Engine sssp_engine() {
  return make_engine<route_sssp>("sssp", "Hoefler, Schneider and Lumsdaine, HOTI 2009",
                                 "any graph: shortest paths, channels balanced by paths; may deadlock",
                                 {.deadlock_free = false, .minimal = true});
}

}  // namespace banyan
