// PARX: pattern-aware routing for HyperX (domke19, section 3.2). Every NIC has an address for each half of
// each dimension; towards it the links in that half are not used, so that some addresses are reached along
// shortest paths and some around them, and senders choose by message size.
//
// A cable that is missing may leave a switch no way around; then it takes links that the rule removes, as few
// as can be, instead of having no entry.
#include "engines/parx.hpp"

#include "engines/demand_trees.hpp"
#include "engines/engine.hpp"
#include "engines/halves.hpp"
#include "engines/lane_layers.hpp"

namespace banyan::engines {
namespace {

enum class Choice : u8 { tables, all };
constexpr std::array<std::string_view, 2> option_names(Choice) { return {"tables", "all"}; }

struct ParxOptions {
  u32 lanes = 8, returns = 1;
  u64 threshold = 512;
  FilePath demands;
  RowsAre rows = RowsAre::source;
  Choice choice = Choice::tables;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes, "how many it may use, at most 16");
    f("returns", self.returns,
      "1: paths return to earlier lanes where they fit; 0: they stay, as in the paper");
    f("threshold", self.threshold, "messages of so many bytes and more are large");
    f("demands", self.demands, "a file, or a folder of files, of what hosts send each other");
    f("rows", self.rows, "what the rows of the paper's Tables 1a and 1b are: source or destination");
    f("choice", self.choice, "tables: as these say; all: every message may take any address");
  }
};

std::optional<NotApplicable> refuse_shape(const Topology& topology) {
  const auto* hyperx = topology.as<HyperX>();
  if (!hyperx) return NotApplicable{"parx needs a HyperX: the rules are about halves of its dimensions"};
  for (u32 width : hyperx->grid.widths)
    if (width % 2 != 0)
      return NotApplicable{fmt::format("parx needs even widths, and one is {}: it has no halves", width)};
  if (hyperx->grid.dimensions() > Halves::max_dimensions)
    return NotApplicable{fmt::format("parx handles up to {} dimensions", Halves::max_dimensions)};
  return std::nullopt;
}

Tables parx_tables(const PortGraph& graph, const Halves& halves, const NodeDemands& demands) {
  const u32 addresses = 1u << halves.lmc();
  DemandTrees trees(graph, halves.lmc(), demands);
  std::vector<Dag> dags(addresses);
  const NicGroup* last = nullptr;
  each_destination(graph, demands, [&](const NicGroup& group, Nic nic) {
    for (u32 i = 0; i < addresses; ++i) {
      const auto removed = [&](Switch s, Switch t) { return i < halves.rules() && halves.removes(i, s, t); };
      if (&group != last) find_avoiding(graph, group, removed, dags[i]);
      trees.route(dags[i], group, nic, i);
    }
    last = &group;
  });
  return std::move(trees).take();
}

RouteResult route_for(const Topology& topology, const ParxOptions& options, const NodeDemands& demands) {
  if (options.lanes == 0 || options.lanes > 16) throw InputError("parx: lanes must be 1 to 16");
  if (options.returns > 1) throw InputError("parx: returns must be 0 or 1");
  if (auto refused = refuse_shape(topology)) return *refused;
  const Halves halves(topology);
  const u32 lmc = halves.lmc();
  if (auto refused = refuse_tables(topology.fabric, lmc, "parx")) return *refused;
  const PortGraph graph(topology.fabric);
  Tables tables = parx_tables(graph, halves, demands);
  auto layered = layer_paths(graph, tables, options.lanes, options.returns != 0);
  if (auto* refused = std::get_if<NotApplicable>(&layered)) return *refused;
  const Layers& layers = std::get<Layers>(layered);
  TableWays ways = lane_ways(graph, tables, layers, lmc);
  if (options.choice == Choice::all)
    return Routing{std::move(tables), Source(std::move(ways)), layers.lanes, lmc};
  ChosenWays chosen{std::move(ways), halves.choice(topology.fabric, options.threshold, options.rows)};
  return Routing{std::move(tables), Source(std::move(chosen)), layers.lanes, lmc};
}

RouteResult route_by_options(const Topology& topology, const ParxOptions& options) {
  if (options.demands.empty()) return route_for(topology, options, {});
  return route_for(topology, options, open_node_demands(options.demands, topology.fabric));
}

}  // namespace

RouteResult route_parx(const Topology& topology, const NodeDemands& demands) {
  return route_for(topology, {.lanes = 16, .returns = 0, .demands = {}}, demands);
}

RouteResult parx_paths(const Topology& topology, const NodeDemands& demands) {
  if (auto refused = refuse_shape(topology)) return *refused;
  const Halves halves(topology);
  if (auto refused = refuse_tables(topology.fabric, halves.lmc(), "parx")) return *refused;
  const ParxOptions options;
  ChosenWays chosen{TableWays{.lmc = halves.lmc(), .lane_row = {}, .lanes = {}},
                    halves.choice(topology.fabric, options.threshold, options.rows)};
  return Routing{parx_tables(PortGraph(topology.fabric), halves, demands), Source(std::move(chosen)), 1,
                 halves.lmc()};
}

Engine parx_engine() {
  return make_engine<route_by_options>(
      "parx", "Domke et al., SC 2019",
      "HyperX of even widths: small messages take shortest paths, large ones ways around; weighs demands");
}

}  // namespace banyan::engines
