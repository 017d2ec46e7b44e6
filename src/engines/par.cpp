// PAR, progressive adaptive routing on a Dragonfly: as UGAL, but a packet that goes directly decides once
// more behind its first local hop, where the queues of the global cable can be seen (Jiang, Kim and Dally,
// Indirect Adaptive Routing on Large Scale Interconnection Networks, ISCA 2009).
#include "engines/middles.hpp"
#include "engines/open_ways.hpp"
#include "topology/place.hpp"

namespace banyan::engines {
namespace {

// Of all planes.
u32 group_of(const topology::Places& places, Node v, u32 groups) {
  return places.plane(v) * groups + places.group(v);
}

RouteResult route_par(const Topology& topology, const MiddleOptions& options) {
  const auto* dragonfly = topology.as<Dragonfly>();
  if (!dragonfly) return NotApplicable{"par needs a Dragonfly"};
  if (auto refused = refuse_many_hops(topology.fabric, "par", 3)) return *refused;
  if (!topology.is_intact()) {
    std::vector<u32> groups;
    const topology::Places places(topology);
    for (const Node v : topology.fabric.switch_nodes())
      groups.push_back(group_of(places, v, dragonfly->groups));
    return route_on_graph(topology, "par", Detour::undecided, options.seed, std::move(groups));
  }
  const u32 lanes = DragonflyDetours::lanes_progressive;
  const Middles ways{dragonfly->hosts(), dragonfly->hosts_per_switch * dragonfly->group_switches,
                     dragonfly->groups, Detour::undecided, options.seed};
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes, true), Source(ways.drawn_at_once()),
                 lanes};
}

}  // namespace

Engine par_engine() {
  return make_engine<route_par>(
      "par", "Jiang, Kim and Dally, ISCA 2009",
      "Dragonfly: as ugal, and once more behind the first local hop of the direct way; four lanes, with "
      "cables missing one for each hop");
}

}  // namespace banyan::engines
