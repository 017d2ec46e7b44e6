#include "opensm_plugin/told.hpp"

#include <fmt/format.h>

#include "formats/adapter_ports.hpp"

namespace banyan::opensm_plugin {
namespace {

using NumberByGuid = std::unordered_map<u64, u32>;

void add_node(RawFabric& raw, NumberByGuid& numbers, const ToldNode& told) {
  RawNode& node = raw.nodes[numbers[told.guid] = raw.mention(fmt::format("{:016x}", told.guid), 0)];
  const AdapterName split = split_description(told.description);
  node.defined = true;
  node.kind = told.is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  node.ports = told.ports;
  node.guid = told.guid;
  node.name = told.is_switch ? told.description : std::string(split.host);
  if (!told.is_switch) node.adapter = std::string(split.adapter);
}

// A port of a node that was told. So is its far end, which has the same cable.
void add_port(RawFabric& raw, const NumberByGuid& numbers, const ToldPort& told) {
  const u32 number = numbers.at(told.node_guid);
  if (told.far_guid != 0)
    raw.cables.push_back(
        {{number, told.port}, {numbers.at(told.far_guid), told.far_port}, std::nullopt, 1, 0});
  RawNode& node = raw.nodes[number];
  const bool is_switch = node.kind == RawNode::Kind::switch_;
  if (is_switch && told.port > 0) return;  // no address of its own
  const std::size_t slot = is_switch ? 0 : told.port - 1;
  if (node.attachments.size() <= slot) node.attachments.resize(slot + 1);
  node.attachments[slot] = {told.port_guid, told.lid, told.lmc};
}

void make_hosts_of_nics(RawFabric& raw) {
  std::unordered_map<std::string, u32> nics;  // of a machine
  for (const RawNode& node : raw.nodes) nics[node.name] += node.kind == RawNode::Kind::nic;
  for (RawNode& node : raw.nodes) {
    if (nics[node.name] > 1 && node.kind == RawNode::Kind::nic) node.name += " " + node.adapter;
    node.adapter.clear();
  }
}

}  // namespace

std::optional<std::vector<ToldPort>> only_gone(const Told& before, const Told& now) {
  if (before.nodes != now.nodes || before.max_lanes != now.max_lanes) return std::nullopt;
  std::vector<ToldPort> gone;
  auto next = now.ports.begin();
  for (const ToldPort& port : before.ports)
    if (next != now.ports.end() && *next == port)
      ++next;
    else
      gone.push_back(port);
  if (next != now.ports.end()) return std::nullopt;
  return gone;
}

RawFabric raw_fabric(const Told& told) {
  RawFabric raw("the subnet");
  NumberByGuid numbers;
  for (const ToldNode& node : told.nodes) add_node(raw, numbers, node);
  for (const ToldPort& port : told.ports) add_port(raw, numbers, port);
  split_adapters(raw);
  make_hosts_of_nics(raw);
  return raw;
}

LidsByGuid lids_by_guid(const Told& told) {
  LidsByGuid out;
  for (const ToldPort& port : told.ports)
    if (port.lid != 0) out[port.port_guid] = {port.lid, static_cast<u16>(port.lid + (1u << port.lmc) - 1)};
  return out;
}

}  // namespace banyan::opensm_plugin
