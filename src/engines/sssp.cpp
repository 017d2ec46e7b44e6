// SSSP: shortest paths of least accumulated weight, destination after destination.
#include "engines/demand_trees.hpp"
#include "engines/destination_order.hpp"
#include "engines/engine.hpp"

namespace banyan::engines {
namespace {

struct SsspOptions {
  u32 lmc = 0;
  FilePath demands;
  static void fields(auto& self, auto&& f) {
    f("lmc", self.lmc, "2^lmc addresses a NIC, each routed for itself");
    f("demands", self.demands, "a file, or a folder of files, of what hosts send each other");
  }
};

RouteResult route_sssp(const Topology& topology, const SsspOptions& options) {
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "sssp")) return *refused;
  const PortGraph graph = spread_graph(topology);
  return one_lane(balanced_trees(topology, graph, options.lmc, options.demands), options.lmc);
}

}  // namespace

Engine sssp_engine() {
  return make_engine<route_sssp>("sssp", "Hoefler, Schneider and Lumsdaine, HOTI 2009",
                                 "any graph: shortest paths, channels balanced by paths; may deadlock",
                                 {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
