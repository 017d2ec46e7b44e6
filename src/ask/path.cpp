#include "ask/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fabric/names.hpp"
#include "topology/distances.hpp"
#include "topology/shortest_paths.hpp"

namespace banyan::ask {
namespace {

std::vector<u32> lanes_of(u16 mask) {
  std::vector<u32> out;
  for (u32 lane = 0; lane < 16; ++lane)
    if (mask >> lane & 1) out.push_back(lane);
  return out;
}

PathAnswer::Path described(const Topology& topology, Nic from, const RoutedPath& path) {
  const Fabric& fabric = topology.fabric;
  PathAnswer::Path out{path_index(topology, path).value_or(path.way), path.weight, path.arrives};
  const auto pass = [&](Node node) {
    out.nodes.push_back(index(node));
    out.names.push_back(fabric.name(node));
  };
  pass(fabric.node(from));
  for (const Channel c : path.channels) {
    pass(fabric.to(c));
    out.ports.push_back(index(fabric.port(c)));
  }
  out.channels = path.channels;
  for (const u16 mask : path.lanes) out.lanes.push_back(lanes_of(mask));
  return out;
}

// A host, or one of its NICs as answers name them: h0.r2 is that of rail 2.
struct NamedEnd {
  Host host;
  std::optional<u32> rail = std::nullopt;
};

NamedEnd find_end(const Fabric& fabric, const std::string& text) {
  for (u32 nic = 0; fabric.rails() > 1 && nic < fabric.nics(); ++nic)
    if (fabric.name(fabric.node(Nic{nic})) == text) return {fabric.host(Nic{nic}), fabric.rail(Nic{nic})};
  return {find_host(fabric, text)};
}

// The rail that both ends name, if they name one, else the one of the options.
u32 rail_of(const Fabric& fabric, const NamedEnd& a, const NamedEnd& b, u32 rail) {
  for (const NamedEnd* end : {&a, &b}) {
    if (!end->rail) continue;
    if (rail != 0 && rail != *end->rail)
      throw InputError(fmt::format("rail is {}, but a NIC of rail {} is named", rail, *end->rail));
    if (a.rail && b.rail && *a.rail != *b.rail)
      throw InputError(fmt::format("expected NICs of one rail, found one of rail {} and one of rail {}",
                                   *a.rail, *b.rail));
    return *end->rail;
  }
  return find_rail(fabric, rail);
}

}  // namespace

bool PathAnswer::all_arrive() const {
  return !paths.empty() && std::all_of(paths.begin(), paths.end(), [](const Path& p) { return p.arrives; });
}

PathAnswer path(const Situation& at, const PathOptions& options) {
  const Fabric& fabric = at.topology.fabric;
  const NamedEnd source = find_end(fabric, options.source),
                 destination = find_end(fabric, options.destination);
  const Host a = source.host, b = destination.host;
  if (a == b) throw InputError("SOURCE and DESTINATION are the same host");
  PathAnswer out{fabric.host_name(a), fabric.host_name(b),
                 rail_of(fabric, source, destination, options.rail)};
  const Nic from = fabric.nic(a, out.rail), to = fabric.nic(b, out.rail);
  const u64 bytes = options.bytes ? options.bytes : long_message;
  for (const RoutedPath& path : routing::paths(fabric, *at.routing, from, to, bytes)) {
    out.paths.push_back(described(at.topology, from, path));
    if (options.why)
      out.paths.back().reasons = hop_reasons(at.topology, *at.routing, from, to, path, options.digits);
  }
  if (options.all == 0) return out;
  out.shortest_paths = search_distance(fabric, a, b, out.rail).paths;
  out.shortest = topology::shortest_paths(fabric, from, to, options.all);
  return out;
}

}  // namespace banyan::ask
