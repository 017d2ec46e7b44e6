#include "formats/adapter_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.hpp"

namespace banyan::formats {
namespace {

// The NIC that is one port of an adapter with several.
RawNode nic_of_port(const RawNode& adapter, u32 port) {
  RawNode out = adapter;
  out.ports = 1;
  out.attachments.assign(1, {});
  if (port <= adapter.attachments.size()) out.attachments[0] = adapter.attachments[port - 1];
  if (port <= max_infiniband_ports) out.attachments[0].port = static_cast<u8>(port);
  if (port > 1) out.adapter += fmt::format("/{}", port);
  return out;
}

}  // namespace

void split_adapters(RawFabric& raw) {
  std::map<u32, std::set<u32>> cabled;  // by adapter: its ports
  const auto each_end = [&](auto&& f) {
    for (RawCable& cable : raw.cables)
      for (RawEnd* end : {&cable.a, &cable.b})
        if (raw.nodes[end->node].kind == RawNode::Kind::nic && end->port > 0) f(*end);
  };
  each_end([&](const RawEnd& end) { cabled[end.node].insert(end.port); });
  std::map<RawEnd, u32> nics;  // that ports become
  for (const auto& [number, ports] : cabled) {
    if (ports.size() == 1) continue;
    const RawNode adapter = raw.nodes[number];
    for (u32 port : ports) {
      RawNode nic = nic_of_port(adapter, port);
      nics[{number, port}] = number;
      if (port == *ports.begin()) {
        raw.nodes[number] = std::move(nic);
        continue;
      }
      nic.key += fmt::format("/{}", port);
      nic.is_further_port = true;
      nics[{number, port}] = static_cast<u32>(raw.nodes.size());
      raw.nodes.push_back(std::move(nic));
    }
  }
  each_end([&](RawEnd& end) {
    if (const auto nic = nics.find(end); nic != nics.end()) end = {nic->second, 1};
  });
}

namespace {

// Of the nodes that `is_split` names.
template <class F>
void split_ports_of(RawFabric& raw, F&& is_split) {
  std::map<RawEnd, u32> nics;  // that ports become
  std::vector<bool> seen(raw.nodes.size());
  for (RawCable& cable : raw.cables)
    for (RawEnd* end : {&cable.a, &cable.b}) {
      if (end->label == 0 || end->node >= seen.size() || !is_split(end->node)) continue;
      RawNode& host = raw.nodes[end->node];
      const auto [found, is_new] = nics.emplace(*end, end->node);
      if (is_new && seen[end->node]) {
        RawNode nic = host;
        nic.name = host.name.empty() ? host.key : host.name;
        nic.adapter = raw.labels[end->label];
        found->second = static_cast<u32>(raw.nodes.size());
        raw.nodes.push_back(std::move(nic));
      } else if (is_new) {
        host.adapter = raw.labels[end->label];
      }
      seen[end->node] = true;
      end->node = found->second;
    }
}

bool is_host_label(std::string_view text) {
  static constexpr std::array<std::string_view, 14> stems = {
      "eth", "eno", "ens", "enp", "enx", "ib", "ibp", "ibs", "mlx", "roce", "rdma", "nic", "hsn", "bond"};
  const std::string stem = lower(text.substr(0, text.find_first_of("0123456789")));
  return text.find('/') == text.npos && std::find(stems.begin(), stems.end(), stem) != stems.end();
}

bool is_switch_label(std::string_view text) {
  const std::string stem = lower(text.substr(0, text.find_first_of("0123456789")));
  return text.find('/') != text.npos || stem == "swp" || stem == "ethernet";
}

}  // namespace

void split_labelled_ports(RawFabric& raw) {
  split_ports_of(raw, [&](u32 v) { return raw.nodes[v].kind == RawNode::Kind::nic && !raw.nodes[v].rail; });
}

void find_labelled_hosts(RawFabric& raw) {
  if (raw.labels.size() == 1) return;
  std::vector<u8> is_host(raw.nodes.size());
  for (u32 v = 0; v < raw.nodes.size(); ++v) is_host[v] = raw.nodes[v].kind == RawNode::Kind::unknown;
  std::vector<u32> cables(raw.nodes.size());
  for (const RawCable& cable : raw.cables)
    for (const RawEnd& end : {cable.a, cable.b}) {
      ++cables[end.node];
      if (RawNode& node = raw.nodes[end.node];
          node.kind == RawNode::Kind::unknown && is_switch_label(raw.labels[end.label]))
        node.kind = RawNode::Kind::switch_;
      if (!is_host_label(raw.labels[end.label])) is_host[end.node] = false;
    }
  const std::vector<u8> looks = is_host;
  for (const RawCable& cable : raw.cables)
    if (looks[cable.a.node] && looks[cable.b.node]) is_host[cable.a.node] = is_host[cable.b.node] = false;
  for (u32 v = 0; v < is_host.size(); ++v) {
    is_host[v] = is_host[v] && cables[v] > 0;
    if (is_host[v]) raw.nodes[v].kind = RawNode::Kind::nic;
  }
  split_ports_of(raw, [&](u32 v) { return is_host[v]; });
}

IdVector<Nic, AdapterPlace> adapter_places(const Fabric& fabric, const InfinibandIds& ids) {
  IdVector<Nic, AdapterPlace> out(fabric.nics());
  std::map<std::pair<Host, u64>, AdapterPlace> next;  // by host and GUID: where the next NIC would stand
  for (Node v : fabric.nic_nodes()) {
    const Nic nic = fabric.nic(v);
    out[nic] = {v, 0};
    if (ids.empty() || ids.nodes[v].guid == 0) continue;
    AdapterPlace& here = next.try_emplace({fabric.host(nic), ids.nodes[v].guid}, out[nic]).first->second;
    out[nic] = here;
    here.ports_before += printed_ports(fabric, v);
  }
  return out;
}

}  // namespace banyan::formats
