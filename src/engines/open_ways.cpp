#include "engines/open_ways.hpp"

#include <algorithm>

namespace banyan::engines {

std::optional<NotApplicable> refuse_many_hops(const Fabric& fabric, std::string_view engine,
                                              u32 hops_a_port) {
  const u32 maximum = static_cast<u32>(Hops::maximum) / hops_a_port;
  for (Node v : fabric.nodes())
    if (fabric.ports(v) > maximum)
      return NotApplicable{fmt::format("{} chooses among up to {} ports; {} has {}", engine, maximum,
                                       fabric.name(v), fabric.ports(v))};
  return std::nullopt;
}

u32 longest_way(const Fabric& fabric, const PortSets& sets) {
  u32 out = 1;
  for (u32 group = 0; group < sets.groups(); ++group)
    for (Node nic : fabric.nic_nodes())
      for (Channel c : fabric.channels(nic)) {
        if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
        const u8 distance = sets.distance(group, index(fabric.to(c)) - sets.first_node());
        if (distance != PortSets::far) out = std::max<u32>(out, distance - (sets.first_node() == 0));
      }
  return out;
}

RouteResult route_shortest(const Topology& topology, std::string_view engine) {
  if (auto refused = refuse_many_hops(topology.fabric, engine)) return *refused;
  PortSets sets = shortest_port_sets(topology.fabric);
  const u32 lanes = longest_way(topology.fabric, sets);
  if (lanes > lanes_in_mask)
    return NotApplicable{
        fmt::format("paths are up to {} channels between switches long, a lane for each: more than {} lanes",
                    lanes, lanes_in_mask)};
  return Routing{OpenNextHops(topology.fabric, std::move(sets), lanes), Source(OpenWays{}), lanes};
}

}  // namespace banyan::engines
