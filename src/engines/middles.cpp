#include "engines/middles.hpp"

#include "engines/open_ways.hpp"

namespace banyan {

RouteResult route_by_middles(const Topology& topology, std::string_view engine, u8 state, u64 seed) {
  if (std::holds_alternative<Pgft>(topology.shape))
    return NotApplicable{fmt::format(
        "{} needs a HyperX or a Dragonfly; in a fat-tree 'random' already goes by a random top switch",
        engine)};
  const auto* hyperx = std::get_if<HyperX>(&topology.shape);
  const auto* dragonfly = std::get_if<Dragonfly>(&topology.shape);
  if (!hyperx && !dragonfly) return NotApplicable{fmt::format("{} needs a HyperX or a Dragonfly", engine)};
  if (!topology.is_intact())
    return NotApplicable{fmt::format("{} needs a complete fabric; cables are missing", engine)};
  if (auto refused = refuse_many_hops(topology.fabric, engine, 3)) return *refused;
  if (hyperx) {
    const Middles ways{hyperx->hosts(), hyperx->hosts_per_switch, static_cast<u32>(hyperx->grid.size()),
                       state, seed};
    return Routing{HyperXDetours(*hyperx, topology.planes), Source(ways), HyperXDetours::lanes};
  }
  const u32 lanes = DragonflyDetours::lanes_around;
  const Middles ways{dragonfly->hosts(), dragonfly->hosts_per_switch * dragonfly->group_switches,
                     dragonfly->groups, state, seed};
  return Routing{DragonflyDetours(*dragonfly, topology.planes, lanes), Source(ways), lanes};
}

}  // namespace banyan
