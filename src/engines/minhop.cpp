// minhop: shortest paths, destinations spread evenly over the ports of each switch.
#include "engines/engine.hpp"
#include "engines/port_balance.hpp"

namespace banyan::engines {
namespace {

RouteResult route_minhop(const Topology& topology, const LmcOption& options) {
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "minhop")) return *refused;
  const PortGraph graph(topology.fabric);
  const auto shortest = [&](const NicGroup& group, Dag& dag) { find_shortest(graph, group, dag); };
  return one_lane(balanced_tables(graph, options.lmc, shortest), options.lmc);
}

}  // namespace

Engine minhop_engine() {
  return make_engine<route_minhop>("minhop", "OpenSM",
                                   "any graph: shortest paths, ports balanced by destinations; may deadlock",
                                   {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
