#include "formats/opensm_lanes.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <map>
#include <vector>

namespace banyan {
namespace {

u8 lane(const Routing& routing, Nic from, Nic to, u32 i = 0) {
  return routing.source.way(from, to, 0, i).lane;
}

// f(nic) for every NIC of the subnet on the same rail.
void each_on_rail(const Subnet& subnet, Nic beside, auto&& f) {
  const Fabric& fabric = *subnet.fabric;
  for (u32 h = 0; h < fabric.hosts(); ++h)
    if (const Nic nic = fabric.nic(Host{h}, fabric.rail(beside)); subnet.has(fabric.node(nic))) f(nic);
}

// Sources that reach every destination on the same lanes.
std::map<std::vector<u8>, std::vector<Nic>> alike(const Subnet& subnet, const Routing& routing) {
  std::map<std::vector<u8>, std::vector<Nic>> out;
  for (Node v : subnet.fabric->nic_nodes()) {
    if (!subnet.has(v)) continue;
    const Nic from = subnet.fabric->nic(v);
    std::vector<u8> lanes(subnet.fabric->nics(), 0);
    each_on_rail(subnet, from, [&](Nic to) { lanes[index(to)] = lane(routing, from, to); });
    out[std::move(lanes)].push_back(from);
  }
  return out;
}

void write_group(std::ostream& out, const Subnet& subnet, const std::string& name,
                 const std::vector<Nic>& nics) {
  fmt::print(out, "    port-group\n        name: {}\n", name);
  for (Nic nic : nics)
    fmt::print(out, "        port-guid: 0x{:016x}\n", subnet.port_guid(subnet.fabric->node(nic)));
  out << "    end-port-group\n";
}

}  // namespace

std::optional<NotApplicable> no_policy_for(const Subnet& subnet, const Routing& routing) {
  for (Node v : subnet.fabric->nic_nodes()) {
    if (!subnet.has(v)) continue;
    std::optional<NotApplicable> found;
    const Nic from = subnet.fabric->nic(v);
    each_on_rail(subnet, from, [&](Nic to) {
      for (u32 i = 1; i < 1u << routing.lmc; ++i)
        if (lane(routing, from, to, i) != lane(routing, from, to))
          found = NotApplicable{fmt::format("the addresses of '{}' are on different lanes from '{}'",
                                            subnet.fabric->name(subnet.fabric->node(to)),
                                            subnet.fabric->name(v))};
    });
    if (found) return found;
  }
  return std::nullopt;
}

void write_qos_policy(std::ostream& out, const Subnet& subnet, const Routing& routing) {
  const auto sources = alike(subnet, routing);
  std::string rules;
  out << "port-groups\n";
  u32 number = 0;
  for (const auto& [lanes, nics] : sources) {
    const std::string from = fmt::format("from-{}", number);
    write_group(out, subnet, from, nics);
    for (u32 k = 1; k < routing.lanes; ++k) {
      std::vector<Nic> there;
      for (u32 to = 0; to < lanes.size(); ++to)
        if (lanes[to] == k) there.push_back(Nic{to});
      if (there.empty()) continue;
      const std::string to = fmt::format("to-{}-lane-{}", number, k);
      write_group(out, subnet, to, there);
      rules += fmt::format(
          "    qos-match-rule\n        source: {}\n        destination: {}\n        qos-level-name: lane-{}\n"
          "    end-qos-match-rule\n",
          from, to, k);
    }
    ++number;
  }
  out << "end-port-groups\nqos-levels\n";
  for (u32 k = 0; k < routing.lanes; ++k)
    fmt::print(out, "    qos-level\n        name: {}\n        sl: {}\n    end-qos-level\n",
               k == 0 ? std::string("DEFAULT") : fmt::format("lane-{}", k), k);
  out << "end-qos-levels\nqos-match-rules\n" << rules << "end-qos-match-rules\n";
}

void write_service_levels(std::ostream& out, const Subnet& subnet, const Routing& routing) {
  const Fabric& fabric = *subnet.fabric;
  for (Node v : fabric.nic_nodes()) {
    if (!subnet.has(v)) continue;
    fmt::memory_buffer text;
    each_on_rail(subnet, fabric.nic(v), [&](Nic to) {
      for (u32 i = 0; fabric.node(to) != v && i < 1u << routing.lmc; ++i)
        fmt::format_to(std::back_inserter(text), "0x{:016x} {} {}\n", subnet.ids.nodes[v].guid,
                       subnet.lid(address_of(to, routing.lmc, i)), lane(routing, fabric.nic(v), to, i));
    });
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

}  // namespace banyan
