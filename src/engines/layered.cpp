// Layered routing (FatPaths: Besta et al., SC 2020; with InfiniBand's addresses: Blach et al., NSDI 2024):
// every NIC has several addresses, and towards each of them only some of the cables are used. The first
// address is reached along shortest paths; towards the others many of these are gone, so that they lead
// around, one hop longer or so: low-diameter graphs have few shortest paths and many that are almost as
// short.
//
// Where a layer has no way, it takes cables that were left out, as few as can be.
#include "base/random.hpp"
#include "engines/demand_trees.hpp"
#include "engines/engine.hpp"
#include "engines/lane_layers.hpp"

namespace banyan::engines {
namespace {

struct LayeredOptions {
  u32 lanes = 8, lmc = 2;
  double keep = 0.7;
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes, "how many it may use, at most 16");
    f("lmc", self.lmc, "2^lmc addresses a NIC, a layer for each");
    f("keep", self.keep, "the share of the cables between switches that a layer has; the first has all");
    f("seed", self.seed, "another seed, other layers");
  }
};

// Drawn for each pair of switches: parallel cables are in the same layers.
struct LayerDraw {
  u64 seed;
  double keep;

  bool removes(u32 layer, Switch s, Switch t) const {
    const u64 pair = u64{std::min(index(s), index(t))} << 32 | std::max(index(s), index(t));
    return layer > 0 && Random(seed, pair).at(layer) >= threshold();
  }
  u64 threshold() const { return static_cast<u64>(keep * 0x1p63) * 2; }
};

Tables layered_tables(const PortGraph& graph, u32 lmc, const LayerDraw& draw) {
  const NodeDemands none;
  DemandTrees trees(graph, lmc, none);
  std::vector<Dag> dags(std::size_t{1} << lmc);
  const NicGroup* last = nullptr;
  each_destination(graph, none, [&](const NicGroup& group, Nic nic) {
    for (u32 i = 0; i < dags.size(); ++i) {
      const auto removed = [&](Switch s, Switch t) { return draw.removes(i, s, t); };
      if (&group != last) find_avoiding(graph, group, removed, dags[i]);
      trees.route(dags[i], group, nic, i);
    }
    last = &group;
  });
  return std::move(trees).take();
}

RouteResult route_layered(const Topology& topology, const LayeredOptions& options) {
  if (options.lanes == 0 || options.lanes > 16) throw InputError("layered: lanes must be 1 to 16");
  if (!(options.keep > 0 && options.keep < 1)) throw InputError("layered: keep must be between 0 and 1");
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "layered")) return *refused;
  const PortGraph graph(topology.fabric);
  Tables tables = layered_tables(graph, options.lmc, {options.seed, options.keep});
  auto layers = layer_paths(graph, tables, options.lanes);
  if (auto* refused = std::get_if<NotApplicable>(&layers)) return *refused;
  const Layers& found = std::get<Layers>(layers);
  TableWays ways = lane_ways(graph, tables, found, options.lmc);
  return Routing{std::move(tables), Source(std::move(ways)), found.lanes, options.lmc};
}

}  // namespace

Engine layered_engine() {
  return make_engine<route_layered>(
      "layered", "Besta et al., SC 2020; Blach et al., NSDI 2024",
      "any graph: several addresses, each over a random part of the cables, so that paths lead around",
      {.deadlock_free = true, .minimal = false, .any_graph = true});
}

}  // namespace banyan::engines
