#include "formats/adapter_ports.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace banyan::formats {
namespace {

// The NIC that is one port of an adapter with several.
RawNode nic_of_port(const RawNode& adapter, u32 port) {
  RawNode out = adapter;
  out.ports = 1;
  out.attachments.clear();
  if (port <= adapter.attachments.size()) out.attachments = {adapter.attachments[port - 1]};
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
      nic.adapter += fmt::format("/{}", port);
      nic.is_further_port = true;
      nics[{number, port}] = static_cast<u32>(raw.nodes.size());
      raw.nodes.push_back(std::move(nic));
    }
  }
  each_end([&](RawEnd& end) {
    if (const auto nic = nics.find(end); nic != nics.end()) end = {nic->second, 1};
  });
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
