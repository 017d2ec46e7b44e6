#include "flit/router_of.hpp"

namespace banyan::flit {

std::vector<u16> permitted_lanes(u32 classes, u32 lanes) {
  std::vector<u16> out(std::size_t{1} << classes, 0);
  for (u32 mask = 0; mask < u32{1} << classes; ++mask)
    for (u32 lane = 0; lane < lanes; ++lane)
      if (mask >> (lane % classes) & 1) out[mask] = static_cast<u16>(out[mask] | 1u << lane);
  return out;
}

void no_way(const RouteSetting& setting, Node node, const Packet& packet) {
  const Fabric& fabric = setting.fabric;
  throw InputError("the routing has no way on at " + fabric.name(node) + " for a packet from " +
                   fabric.name(fabric.node(packet.source)) + " to " +
                   fabric.name(fabric.node(nic_of(packet.header.to, setting.lmc))));
}

void no_way(const RouteSetting& setting, Nic from, Nic to) {
  const Fabric& fabric = setting.fabric;
  throw InputError("the routing has no way from " + fabric.name(fabric.node(from)) + " to " +
                   fabric.name(fabric.node(to)));
}

}  // namespace banyan::flit
