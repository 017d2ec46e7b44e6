// Packet spraying as Ethernet fabrics do it: at every switch any port on a shortest path, packet by packet
// (Dixit et al., On the Impact of Packet Spraying in Data Center Networks, INFOCOM 2013).
#include <algorithm>

#include "engines/open_ways.hpp"

namespace banyan::engines {
namespace {

struct SprayOptions {
  u32 lanes = 1;
  static void fields(auto& self, auto&& f) {
    f("lanes", self.lanes,
      "1: one lane, as Ethernet has it; more: as many as the longest path between switches needs, a lane for "
      "each "
      "channel to go, which keeps any graph free of deadlock");
  }
};

// The most channels between switches on a path of hosts.
u32 longest(const Fabric& fabric, const PortSets& sets) {
  u32 out = 0;
  for (u32 group = 0; group < sets.groups(); ++group)
    for (Node nic : fabric.nic_nodes())
      for (Channel c : fabric.channels(nic)) {
        if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
        const u8 distance = sets.distance(group, index(fabric.to(c)) - sets.first_node());
        if (distance != PortSets::far) out = std::max<u32>(out, distance - (sets.first_node() == 0));
      }
  return out;
}

RouteResult route_spray(const Topology& topology, const SprayOptions& options) {
  if (options.lanes == 0 || options.lanes > 16)
    throw InputError(fmt::format("spray: lanes must be 1 to 16, not {}", options.lanes));
  if (auto refused = refuse_many_hops(topology.fabric, "spray")) return *refused;
  PortSets sets = shortest_port_sets(topology.fabric);
  if (options.lanes == 1) return Routing{OpenNextHops(topology.fabric, std::move(sets)), Source(OpenWays{})};
  const u32 needed = std::max(1u, longest(topology.fabric, sets));
  if (needed > options.lanes)
    return NotApplicable{
        fmt::format("paths are up to {} channels between switches long, a lane for each: more than {} lanes",
                    needed, options.lanes)};
  return Routing{OpenNextHops(topology.fabric, std::move(sets), needed), Source(OpenWays{}), needed};
}

}  // namespace

Engine spray_engine() {
  return make_engine<route_spray>("spray", "Dixit et al., INFOCOM 2013",
                                  "any graph: every packet by any shortest next hop of every switch",
                                  {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
