// DFSSSP: the trees of SSSP, made free of deadlock by lanes.
#include "engines/demand_trees.hpp"
#include "engines/destination_order.hpp"
#include "engines/engine.hpp"
#include "engines/lane_layers.hpp"

namespace banyan::engines {
namespace {

struct DfssspOptions {
  u32 lanes = 8, lmc = 0, spread = 0, returns = 1;
  FilePath demands;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes, "how many it may use, at most 16");
    f("lmc", self.lmc, "2^lmc addresses a NIC, each routed for itself");
    f("spread", self.spread, "1: spreads the paths over all lanes it may use; 0: over as few as it needs");
    f("returns", self.returns,
      "1: paths return to earlier lanes where they fit; 0: they stay, as in the paper");
    f("demands", self.demands, "a file, or a folder of files, of what hosts send each other");
  }
};

RouteResult route_dfsssp(const Topology& topology, const DfssspOptions& options) {
  if (options.lanes == 0 || options.lanes > 16) throw InputError("dfsssp: lanes must be 1 to 16");
  if (options.spread > 1) throw InputError("dfsssp: spread must be 0 or 1");
  if (options.returns > 1) throw InputError("dfsssp: returns must be 0 or 1");
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "dfsssp")) return *refused;
  const PortGraph graph = spread_graph(topology);
  Tables tables = balanced_trees(topology, graph, options.lmc, options.demands);
  auto layered = layer_paths(graph, tables, options.lanes, options.returns != 0);
  if (auto* refused = std::get_if<NotApplicable>(&layered)) return *refused;
  Layers& layers = std::get<Layers>(layered);
  if (options.spread) spread_layers(layers, options.lanes);
  TableWays ways = lane_ways(graph, tables, layers, options.lmc);
  return Routing{std::move(tables), Source(std::move(ways)), layers.lanes, options.lmc};
}

}  // namespace

Engine dfsssp_engine() {
  return make_engine<route_dfsssp>(
      "dfsssp", "Domke, Hoefler and Nagel, IPDPS 2011",
      "any graph: sssp, with paths moved to further lanes until none can deadlock",
      {.deadlock_free = true, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
