// Minimal-adaptive: on a HyperX the dimensions in any order, a lane for each; on a Dragonfly any cable
// between the two groups; elsewhere, and where missing cables leave no such way, any hop of a shortest path.
#include "engines/hyperx_engine.hpp"
#include "engines/middles.hpp"
#include "engines/open_ways.hpp"

namespace banyan::engines {
namespace {

struct Straight {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to), .state = Detour::to_goal(0)}; }
  Reads reads() const { return Reads::nothing; }
};

enum class MinimalEscape : u8 { where_needed, always };
constexpr std::array<std::string_view, 2> option_names(MinimalEscape) { return {"auto", "always"}; }

struct MinadaptiveOptions {
  MinimalEscape escape = MinimalEscape::where_needed;
  static void fields(auto& self, auto&& f) {
    f("escape", self.escape,
      "in place of a lane for each hop: auto, where 16 lanes do not suffice, or always; two or three lanes "
      "then");
  }
};

// By a lane for each hop, or by an escape.
RouteResult route_any_graph(const Topology& topology, MinimalEscape escape) {
  if (escape == MinimalEscape::where_needed) {
    RouteResult by_hops = route_shortest(topology, "minadaptive");
    if (std::holds_alternative<Routing>(by_hops)) return by_hops;
  }
  if (!has_grid_detours(topology)) return route_shortest_with_escape(topology, "minadaptive");
  GridDetours forward(*topology.as<Torus>(), topology.planes, GridDetours::Kind::minimal);
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(OpenWays{}), lanes};
}

RouteResult route_minadaptive(const Topology& topology, const MinadaptiveOptions& options) {
  if (topology.is<HyperX>()) {
    RouteResult grid = route_hyperx(topology, "minadaptive", "a HyperX", false);
    if (std::holds_alternative<Routing>(grid)) return grid;
    return route_any_graph(topology, options.escape);
  }
  if (topology.is<Pgft>())
    return NotApplicable{"minadaptive is not for fat-trees; 'adaptive' does the same there on one lane"};
  const auto* dragonfly = topology.as<Dragonfly>();
  if (!dragonfly || !topology.is_intact()) return route_any_graph(topology, options.escape);
  if (auto refused = refuse_many_hops(topology.fabric, "minadaptive")) return *refused;
  const u32 lanes = DragonflyDetours::lanes_straight;
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes), Source(Straight{}), lanes};
}

}  // namespace

Engine minadaptive_engine() {
  return make_engine<route_minadaptive>(
      "minadaptive", "Ahn et al., SC 2009; Kim et al., ISCA 2008",
      "HyperX: dimensions in any order, a lane for each; Dragonfly: any cable between two groups, two lanes; "
      "other graphs but trees: any shortest hop, a lane for each hop, or an escape");
}

}  // namespace banyan::engines
