#include "formats/ibdmchk.hpp"

#include <fmt/format.h>

#include <array>

#include "base/print.hpp"
#include "formats/format.hpp"
#include "formats/link_speed.hpp"

namespace banyan::formats {
namespace {

std::string end_text(const Subnet& subnet, Channel c) {
  const Fabric& fabric = *subnet.fabric;
  const Node v = fabric.from(c);
  const auto& ids = subnet.ids.nodes[v];
  return fmt::format(
      "{{ {} Ports:{:02x} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:000002C9 DevID:{} "
      "Rev:000000A1 {{{}}} LID:{:04x} PN:{:02x} }}",
      fabric.is_switch(v) ? "SW" : "CA", printed_ports(fabric, v), ids.system_guid, ids.guid,
      subnet.port_guid(v), fabric.is_switch(v) ? "C7380000" : "10030000", infiniband_description(fabric, v),
      subnet.lids[v], fabric.port_number(c));
}

// "4xEDR" as PHY=4x and SPD=25, the signalling rate of a lane.
std::string speed_text(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> rates = {{{"SDR", "2.5"},
                                                                                          {"DDR", "5"},
                                                                                          {"QDR", "10"},
                                                                                          {"FDR10", "10"},
                                                                                          {"FDR", "14"},
                                                                                          {"EDR", "25"},
                                                                                          {"HDR", "50"},
                                                                                          {"NDR", "100"},
                                                                                          {"XDR", "200"}}};
  const auto x = word.find('x');
  for (const auto& [name, rate] : rates)
    if (word.substr(x + 1) == name) return fmt::format("PHY={}x LOG=ACT SPD={}", word.substr(0, x), rate);
  return "PHY=4x LOG=ACT SPD=25";
}

}  // namespace

void write_opensm_subnet(std::ostream& out, const Subnet& subnet) {
  const Fabric& fabric = *subnet.fabric;
  const auto words = link_speed_words(fabric.link_classes());
  for (Channel c : fabric.channels())
    if (fabric.cabled(c))
      base::print(out, "{} {} {}\n", end_text(subnet, c), end_text(subnet, fabric.reverse(c)),
                  speed_text(words[fabric.link_class_index(c)]));
}

void write_opensm_fdbs(std::ostream& out, const Subnet& subnet, const Tables& tables,
                       const SwitchTables& to_switches) {
  for (Node at : subnet.fabric->switch_nodes()) {
    if (!subnet.has(at)) continue;
    fmt::memory_buffer text;
    base::append(text, "dump_ucast_routes: Switch 0x{:016x}\nLID    : Port\n", subnet.ids.nodes[at].guid);
    const auto table = forwarding_table(subnet, tables, to_switches, at);
    for (u32 lid = 1; lid < table.size(); ++lid)
      if (table[lid] == Tables::no_port)
        base::append(text, "0x{:04X} : UNREACHABLE\n", lid);
      else
        base::append(text, "0x{:04X} : {:03}\n", lid, table[lid]);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

}  // namespace banyan::formats
