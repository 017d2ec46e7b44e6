// Packet spraying as Ethernet fabrics do it: at every switch any port on a shortest path, packet by packet
// (Dixit et al., On the Impact of Packet Spraying in Data Center Networks, INFOCOM 2013).
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

RouteResult route_spray(const Topology& topology, const SprayOptions& options) {
  if (options.lanes == 0 || options.lanes > lanes_in_mask)
    throw InputError(fmt::format("spray: lanes must be 1 to {}, not {}", lanes_in_mask, options.lanes));
  if (auto refused = refuse_many_hops(topology.fabric, "spray")) return *refused;
  PortSets sets = shortest_port_sets(topology.fabric);
  if (options.lanes == 1) return Routing{OpenNextHops(topology.fabric, std::move(sets)), Source(OpenWays{})};
  const u32 needed = longest_way(topology.fabric, sets);
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
