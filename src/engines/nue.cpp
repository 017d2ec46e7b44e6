// Nue: paths found inside the channel dependency graph, so that any number of lanes is enough (Domke, Hoefler
// and Matsuoka, HPDC 2016). Each lane serves a part of the destinations.
#include "engines/nue_search.hpp"
#include "engines/tree_writer.hpp"

namespace banyan::engines {
namespace {

struct NueOptions {
  u32 lanes = 1;
  u32 lmc = 0;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes, "how many lanes it may use; one is enough, more shorten paths");
    f("lmc", self.lmc, "2^lmc addresses a NIC, each with paths of its own");
  }
};

// By NIC: its lane. Destinations that are near each other in the tree share one.
std::vector<u8> partition(const Backbone& b, u32 lanes) {
  const u32 nics = static_cast<u32>(b.first_plug.size()) - 1;
  IdVector<Switch, std::vector<u32>> nics_of_leaf(b.switches);
  for (u32 n = 0; n < nics; ++n)
    if (!b.plugs(Nic{n}).empty()) nics_of_leaf[b.plugs(Nic{n}).front().leaf].push_back(n);
  IdVector<Switch, u32> size(b.switches), seen(b.switches);  // by component
  for (Switch v : b.all_switches()) size[b.component[v]] += static_cast<u32>(nics_of_leaf[v].size());
  std::vector<u8> lane(nics);
  const EscapeTree tree(b, b.nics);
  for (Switch v : tree.preorder())
    for (u32 n : nics_of_leaf[v]) {
      const Switch component = b.component[v];
      lane[n] = static_cast<u8>(u64{seen[component]++} * lanes / size[component]);
    }
  return lane;
}

void route_lane(const Backbone& b, const std::vector<u32>& nics, u32 lmc, NueSearch& search,
                TreeWriter& writer) {
  IdVector<Switch, u32> goals(b.switches);
  for (u32 n : nics)
    for (const Plug& plug : b.plugs(Nic{n})) ++goals[plug.leaf];
  const EscapeTree escape(b, goals);
  AcyclicDependencies lane(b, b.natural_order());
  escape.claim(lane);
  for (u32 n : nics)
    for (u32 i = 0; i < 1u << lmc; ++i) {
      search.route(b.plugs(Nic{n}), lane, escape);
      writer.write(address_of(Nic{n}, lmc, i), search.exits(), search.distances());
    }
}

TableWays ways(const std::vector<u8>& lane, u32 lanes, u32 lmc) {
  TableWays out{.lmc = lmc, .addresses = static_cast<u32>(lane.size()) << lmc, .lane_row = {}, .lanes = {}};
  if (lanes == 1) return out;
  out.lane_row.assign(lane.size(), 0);
  for (u8 l : lane) out.lanes.insert(out.lanes.end(), std::size_t{1} << lmc, l);
  return out;
}

RouteResult route_nue(const Topology& topology, const NueOptions& options) {
  if (options.lanes < 1 || options.lanes > 16) throw InputError("nue: lanes must be 1 to 16");
  if (auto refused = refuse_tables(topology.fabric, options.lmc, "nue")) return *refused;
  const Backbone backbone(topology.fabric);
  const std::vector<u8> lane = partition(backbone, options.lanes);
  std::vector<std::vector<u32>> nics(options.lanes);
  for (u32 n = 0; n < lane.size(); ++n)
    if (!backbone.plugs(Nic{n}).empty()) nics[lane[n]].push_back(n);
  NueSearch search(backbone);
  TreeWriter writer(topology.fabric, backbone, options.lmc);
  u32 lanes = 1;
  for (u32 l = 0; l < options.lanes; ++l) {
    if (nics[l].empty()) continue;
    route_lane(backbone, nics[l], options.lmc, search, writer);
    lanes = l + 1;
  }
  return Routing{std::move(writer).take(), Source(ways(lane, lanes, options.lmc)), lanes, options.lmc};
}

}  // namespace

Engine nue_engine() {
  return make_engine<route_nue>("nue", "Domke, Hoefler and Matsuoka, HPDC 2016",
                                "any graph, deadlock-free with any number of lanes, even one",
                                {.any_graph = true});
}

}  // namespace banyan::engines
