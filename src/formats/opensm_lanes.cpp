#include "formats/opensm_lanes.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <vector>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/opensm_tables.hpp"

namespace banyan::formats {
namespace {

u8 lane(const Routing& routing, Nic from, Nic to, u32 i = 0) {
  return routing.source.lane(from, address_of(to, routing.lmc, i), routing.lmc);
}

// f(nic) for every NIC of the subnet in the same plane.
void each_in_plane(const Subnet& subnet, Nic beside, auto&& f) {
  const Fabric& fabric = *subnet.fabric;
  for (const Nic nic : IdRange<Nic>(fabric.nics()))
    if (fabric.plane(nic) == fabric.plane(beside) && subnet.has(fabric.node(nic))) f(nic);
}

// Sources that reach every destination on the same lanes.
std::map<std::vector<u8>, std::vector<Nic>> alike(const Subnet& subnet, const Routing& routing) {
  std::map<std::vector<u8>, std::vector<Nic>> out;
  for (Node v : subnet.fabric->nic_nodes()) {
    if (!subnet.has(v)) continue;
    const Nic from = subnet.fabric->nic(v);
    std::vector<u8> lanes(subnet.fabric->nics(), 0);
    each_in_plane(subnet, from, [&](Nic to) { lanes[index(to)] = lane(routing, from, to); });
    out[std::move(lanes)].push_back(from);
  }
  return out;
}

void write_group(std::ostream& out, const Subnet& subnet, const std::string& name,
                 const std::vector<Nic>& nics) {
  base::print(out, "    port-group\n        name: {}\n", name);
  for (Nic nic : nics)
    base::print(out, "        port-guid: 0x{:016x}\n", subnet.port_guid(subnet.fabric->node(nic)));
  out << "    end-port-group\n";
}

}  // namespace

std::optional<NotApplicable> no_policy_for(const Subnet& subnet, const Routing& routing) {
  for (Node v : subnet.fabric->nic_nodes()) {
    if (!subnet.has(v)) continue;
    std::optional<NotApplicable> found;
    const Nic from = subnet.fabric->nic(v);
    each_in_plane(subnet, from, [&](Nic to) {
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
    base::print(out, "    qos-level\n        name: {}\n        sl: {}\n    end-qos-level\n",
                k == 0 ? std::string("DEFAULT") : fmt::format("lane-{}", k), k);
  out << "end-qos-levels\nqos-match-rules\n" << rules << "end-qos-match-rules\n";
}

void write_service_levels(std::ostream& out, const Subnet& subnet, const Routing& routing) {
  const Fabric& fabric = *subnet.fabric;
  const auto places = adapter_places(fabric, subnet.ids);
  for (Node v : fabric.nic_nodes()) {
    if (!subnet.has(v)) continue;
    // A further port of an adapter is a source of its own.
    const u64 source = places[fabric.nic(v)].first == v ? subnet.ids.nodes[v].guid : subnet.port_guid(v);
    fmt::memory_buffer text;
    each_in_plane(subnet, fabric.nic(v), [&](Nic to) {
      for (u32 i = 0; fabric.node(to) != v && i < 1u << routing.lmc; ++i)
        base::append(text, "0x{:016x} {} {}\n", source, subnet.lid(address_of(to, routing.lmc, i)),
                     lane(routing, fabric.nic(v), to, i));
    });
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

namespace {

constexpr u32 max_levels = 16;

// Lanes pair by pair. Sources with the same ones share a row.
struct LanesRead {
  u32 lmc, addresses;
  std::vector<u32> row;  // by NIC
  std::vector<u8> lanes;

  u32 count(Nic, Nic, u64) const { return 1u << lmc; }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const Address address = address_of(to, lmc, i);
    return {.to = address, .lane = lanes[std::size_t{row[index(from)]} * addresses + index(address)]};
  }
};

class LevelReader {
 public:
  LevelReader(std::istream& in, const std::string& file, const Subnet& subnet, u32 addresses)
      : lines_(in, file), subnet_(subnet), addresses_(addresses), owner_(nodes_by_lid(subnet)) {
    for (Node v : subnet.fabric->nodes()) nodes_[subnet.port_guid(v)] = v;
    for (Node v : subnet.fabric->switch_nodes()) nodes_[subnet.ids.nodes[v].guid] = v;
    const auto places = adapter_places(*subnet.fabric, subnet.ids);
    for (Node v : subnet.fabric->nic_nodes())
      if (places[subnet.fabric->nic(v)].first == v) nodes_[subnet.ids.nodes[v].guid] = v;
  }

  // By NIC and address.
  std::vector<std::vector<u8>> run() {
    std::vector<std::vector<u8>> out(subnet_.fabric->nics(), std::vector<u8>(addresses_));
    while (lines_.next()) {
      std::string_view line = trim(lines_.line());
      if (line.empty() || line.front() == '#') continue;
      const Node from = source(take_word(line)), to = destination(take_word(line));
      const auto level = parse_unsigned(trim(line));
      if (!level || *level >= max_levels)
        lines_.fail(
            fmt::format("found {}, expected a service level from 0 to {}", shown(line), max_levels - 1));
      if (!subnet_.fabric->is_switch(from) && !subnet_.fabric->is_switch(to))
        out[index(from)][(index(to) << subnet_.lmc) + lid_ - subnet_.lids[to]] = static_cast<u8>(*level);
    }
    return out;
  }

 private:
  static std::string_view take_word(std::string_view& line) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line = trim(line.substr(end));
    return word;
  }
  Node source(std::string_view word) {
    const auto guid = parse_hex(word);
    if (!guid) lines_.fail(fmt::format("found {}, expected the GUID of a source", shown(word)));
    const auto found = nodes_.find(*guid);
    if (found == nodes_.end())
      lines_.fail(fmt::format("found GUID 0x{:016x}, which no node of the fabric has", *guid));
    return found->second;
  }
  Node destination(std::string_view word) {
    const auto lid = parse_unsigned(word);
    if (!lid || *lid >= owner_.size() || owner_[*lid] == none<Node>)
      lines_.fail(fmt::format("found {}, expected a LID of the fabric in decimal digits", shown(word)));
    lid_ = static_cast<u32>(*lid);
    return owner_[lid_];
  }

  LineReader lines_;
  const Subnet& subnet_;
  u32 addresses_, lid_ = 0;
  std::vector<Node> owner_;  // by LID
  std::unordered_map<u64, Node> nodes_;
};

}  // namespace

void read_service_levels(std::istream& in, const std::string& file, const Subnet& subnet, Routing& routing) {
  const u32 addresses = std::get<Tables>(routing.forward).addresses();
  LanesRead ways{subnet.lmc, addresses, {}, {}};
  std::map<std::vector<u8>, u32> rows;
  u8 maximum = 0;
  for (std::vector<u8>& lanes : LevelReader(in, file, subnet, addresses).run()) {
    const auto [known, is_new] = rows.try_emplace(std::move(lanes), static_cast<u32>(rows.size()));
    ways.row.push_back(known->second);
    if (!is_new) continue;
    ways.lanes.insert(ways.lanes.end(), known->first.begin(), known->first.end());
    for (u8 lane : known->first) maximum = std::max(maximum, lane);
  }
  routing.source = Source(std::move(ways));
  routing.lanes = maximum + 1u;
}

}  // namespace banyan::formats
