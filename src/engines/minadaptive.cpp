// Minimal-adaptive: on a HyperX the dimensions in any order, a lane for each; on a Dragonfly any cable
// between the two groups; elsewhere, and where missing cables leave no such way, any hop of a shortest path.
#include "engines/hyperx_engine.hpp"
#include "engines/open_ways.hpp"

namespace banyan::engines {
namespace {

struct Straight {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to), .state = Detour::to_goal(0)}; }
  Reads reads() const { return Reads::nothing; }
};

RouteResult route_minadaptive(const Topology& topology, const NoOptions&) {
  if (topology.is<HyperX>()) {
    RouteResult grid = route_hyperx(topology, "minadaptive", "a HyperX", false);
    if (std::holds_alternative<Routing>(grid)) return grid;
    return route_shortest(topology, "minadaptive");
  }
  if (topology.is<Pgft>())
    return NotApplicable{"minadaptive is not for fat-trees; 'adaptive' does the same there on one lane"};
  const auto* dragonfly = topology.as<Dragonfly>();
  if (!dragonfly || !topology.is_intact()) return route_shortest(topology, "minadaptive");
  if (auto refused = refuse_many_hops(topology.fabric, "minadaptive")) return *refused;
  const u32 lanes = DragonflyDetours::lanes_straight;
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes), Source(Straight{}), lanes};
}

}  // namespace

Engine minadaptive_engine() {
  return make_engine<route_minadaptive>(
      "minadaptive", "Ahn et al., SC 2009; Kim et al., ISCA 2008",
      "HyperX: dimensions in any order, a lane for each; Dragonfly: any cable between two groups, two lanes; "
      "other graphs but trees: any shortest hop, a lane for each hop");
}

}  // namespace banyan::engines
