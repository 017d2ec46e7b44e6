#include "flit/route_graph.hpp"

#include <algorithm>

#include "flit/gpu_refusal.hpp"
#include "flit/lane_dependencies.hpp"
#include "flit/router.hpp"

namespace banyan::flit {
namespace {

constexpr std::size_t max_vertices = std::size_t{1} << 26;

u64 hash_of(Node node, const Header& header) {
  const u64 small = u64{header.lane} << 8 | header.state;
  u64 x = (u64{index(node)} << 32 | index(header.to)) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 29 ^ header.tag ^ small << 40) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}

}  // namespace

void RouteGraph::make_room() {
  buckets_.assign(std::max<std::size_t>(1024, 4 * keys_.size()), 0);
  buckets_.resize(std::bit_ceil(buckets_.size()));
  const std::size_t mask = buckets_.size() - 1;
  for (u32 v = 0; v < keys_.size(); ++v) {
    std::size_t at = hash_of(keys_[v].node, keys_[v].header) & mask;
    while (buckets_[at] != 0) at = (at + 1) & mask;
    buckets_[at] = v + 1;
  }
}

u32 RouteGraph::vertex(const Key& key) {
  if (2 * keys_.size() >= buckets_.size()) make_room();
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = hash_of(key.node, key.header) & mask;
  for (; buckets_[at] != 0; at = (at + 1) & mask)
    if (keys_[buckets_[at] - 1] == key) return buckets_[at] - 1;
  keys_.push_back(key);
  return (buckets_[at] = static_cast<u32>(keys_.size())) - 1;
}

// From all vertices that there are, and those found on the way.
std::optional<NotApplicable> RouteGraph::follow(const SimulationSetup& setup) {
  const Fabric& fabric = setup.fabric;
  const std::vector<u16> permitted = permitted_lanes(setup.routing.lanes, setup.network.lanes);
  Hops hops;
  for (u32 v = 0; v < keys_.size(); ++v) {
    if (keys_.size() > max_vertices)
      return gpu_simulates("routings with up to 2^26 states of packets in all");
    const Key from = keys_[v];
    std::visit([&](const auto& forward) { offered(forward, from.node, from.header, hops); },
               setup.routing.forward);
    first_hop.push_back(static_cast<u32>(hop.size()));
    for (const Hop& one : hops) {
      const u16 lanes = permitted[one.lanes & (permitted.size() - 1)];
      if (index(one.port) >= fabric.ports(from.node) || lanes == 0)
        return gpu_simulates("routings with a way for each pair of hosts");
      const Channel channel = fabric.channel(from.node, one.port);
      if (!fabric.cabled(channel)) return gpu_simulates("routings with a way for each pair of hosts");
      const Node node = fabric.to(channel);
      Header header = from.header;
      header.state = one.state;
      const u32 next = fabric.is_switch(node) ? vertex({node, header}) : 0;
      hop.push_back({next, lanes, static_cast<u8>(index(one.port)), one.left});
    }
    if (hops.size() == 0) return gpu_simulates("routings with a way for each pair of hosts");
  }
  first_hop.push_back(static_cast<u32>(hop.size()));
  return std::nullopt;
}

bool RouteGraph::has_a_circle(const SimulationSetup& setup) const {
  const Fabric& fabric = setup.fabric;
  LaneDependencies dependencies(fabric, setup.network.lanes);
  for (u32 v = 0; v < keys_.size(); ++v)
    for (u32 i = first_hop[v]; i < first_hop[v + 1]; ++i) {
      const Channel channel = fabric.channel(keys_[v].node, Port{hop[i].port});
      if (!fabric.is_switch(fabric.to(channel))) continue;
      for (u32 k = first_hop[hop[i].next]; k < first_hop[hop[i].next + 1]; ++k)
        dependencies.add(channel, hop[i].lanes, hop[k].port, hop[k].lanes);
    }
  return dependencies.have_a_circle();
}

std::variant<RouteGraph, NotApplicable> RouteGraph::make(const SimulationSetup& setup,
                                                         const std::vector<bool>& pairs, u64 bytes) {
  RouteGraph out;
  const Fabric& fabric = setup.fabric;
  std::vector<Header> ways;
  for (u32 pair = 0; pair < pairs.size(); ++pair) {
    out.first_way.push_back(static_cast<u32>(out.way.size()));
    if (!pairs[pair]) continue;
    const Nic from{pair / fabric.nics()}, to{pair % fabric.nics()};
    const u32 count = setup.routing.source.count(from, to, bytes);
    if (count == 0) return gpu_simulates("routings with a way for each pair of hosts");
    if (out.way.size() + count > max_vertices) return gpu_simulates("routings with up to 2^26 ways in all");
    for (u32 i = 0; i < count; ++i)
      out.way.push_back(out.vertex({fabric.node(from), setup.routing.source.way(from, to, bytes, i)}));
  }
  out.first_way.push_back(static_cast<u32>(out.way.size()));
  if (auto reason = out.follow(setup)) return *reason;
  if (out.has_a_circle(setup))
    return gpu_simulates("routings without deadlocks: here packets can wait for each other in a circle");
  out.keys_ = {};
  out.buckets_ = {};
  return out;
}

}  // namespace banyan::flit
