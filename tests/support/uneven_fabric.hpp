// Random fabrics whose hosts have different numbers of NICs, with rails, without, or with some; hosts of all
// roles; switches in any graph, sometimes in several planes. Call inside a property.
#pragma once
#include <string>
#include <vector>

#include "support/random_topology.hpp"

namespace banyan::tests {

inline std::vector<HostLabel> random_hosts(u32 max_hosts, u32 max_nics) {
  const u32 style = draw(0, 2);  // no rails; rails, with gaps; both
  std::vector<HostLabel> out(draw(1, max_hosts));
  for (HostLabel& host : out) {
    host.role = draw(0, 3) == 0 ? static_cast<Role>(draw(0, 4)) : Role::host;
    host.nics.clear();
    for (u32 rail = 0; rail < max_nics; ++rail) {
      if (draw(0, 2) == 0) continue;
      const bool is_labelled = style == 1 || (style == 2 && draw(0, 1) == 0);
      host.nics.push_back({is_labelled ? std::optional(rail) : std::nullopt, ""});
    }
    if (host.nics.empty()) host.nics.push_back({style == 1 ? std::optional(0u) : std::nullopt, ""});
  }
  return out;
}

// Every NIC has one port, with a cable to a switch unless it is one of few; the graph of switches has cables
// between neighbours of a ring, most of them, and a few more.
inline Fabric random_uneven_fabric(u32 max_hosts = 6, u32 max_nics = 3) {
  const Endpoints endpoints(random_hosts(max_hosts, max_nics));
  FabricBuilder builder(endpoints);
  const u32 nics = endpoints.nics(), switches = draw(1, 6);
  std::vector<std::pair<u32, u32>> cables;  // of switches
  for (u32 s = 0; s < switches; ++s) {
    if (switches > 1 && draw(0, 9) != 0) cables.emplace_back(s, (s + 1) % switches);
    if (const u32 other = draw(0, switches - 1); draw(0, 3) == 0 && other != s) cables.emplace_back(s, other);
  }
  std::vector<u32> at(nics), used(switches);
  for (u32& s : at) s = draw(0, 19) == 0 ? switches : draw(0, switches - 1);
  std::vector<u32> ports(switches);
  for (const auto& [a, b] : cables) ++ports[a], ++ports[b];
  for (u32 s : at)
    if (s < switches) ++ports[s];
  for (u32 s = 0; s < switches; ++s) builder.add_switch(ports[s]);
  const u8 any = builder.add_class({});
  const auto node = [&](u32 s) { return Node{nics + s}; };
  for (u32 nic = 0; nic < nics; ++nic)
    if (const u32 s = at[nic]; s < switches)
      builder.connect(Node{nic}, Port{0}, node(s), Port{used[s]++}, any);
  for (const auto& [a, b] : cables) {
    const Port from{used[a]++}, to{used[b]++};
    builder.connect(node(a), from, node(b), to, any);
  }
  return std::move(builder).build();
}

inline Topology uneven_topology(u32 max_hosts = 6, u32 max_nics = 3) {
  return {random_uneven_fabric(max_hosts, max_nics), Irregular{}, 1, "", ""};
}

}  // namespace banyan::tests
