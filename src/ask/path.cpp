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
// A host, and which of its NICs, if one is named.
struct NamedEnd {
  Host host;
  std::optional<Nic> nic = std::nullopt;
};

NamedEnd find_end(const Fabric& fabric, const std::string& text) {
  for (const Nic nic : IdRange<Nic>(fabric.slots() > 1 ? fabric.nics() : 0)) {
    const std::string_view adapter = fabric.endpoints().adapter(nic);
    if (fabric.name(fabric.node(nic)) == text ||
        (!adapter.empty() && fmt::format("{}:{}", fabric.host_name(fabric.host(nic)), adapter) == text))
      return {fabric.host(nic), nic};
  }
  return {find_host(fabric, text)};
}

// The NIC that is named; else the one on the rail of the other end's, if that is named, or of the options.
Nic nic_of(const Fabric& fabric, const NamedEnd& end, const NamedEnd& other, u32 rail) {
  if (end.nic) {
    if (rail != 0 && rail != fabric.column(*end.nic))
      throw InputError(fmt::format("rail is {}, but {} is named", rail, fabric.name(fabric.node(*end.nic))));
    return *end.nic;
  }
  const u32 column = other.nic ? fabric.column(*other.nic) : find_column(fabric, rail);
  if (const Nic nic = fabric.in_column(end.host, column); nic != none<Nic>) return nic;
  throw InputError(fmt::format("{} has no NIC on rail {}", fabric.host_name(end.host), column));
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
  const Nic from = nic_of(fabric, source, destination, options.rail),
            to = nic_of(fabric, destination, source, options.rail);
  if (fabric.plane(from) != fabric.plane(to))
    throw InputError(fmt::format("{} and {} are in different planes, which share no cables",
                                 fabric.name(fabric.node(from)), fabric.name(fabric.node(to))));
  PathAnswer out{fabric.host_name(a), fabric.host_name(b), fabric.column(from)};
  const u64 bytes = options.bytes ? options.bytes : long_message;
  for (const RoutedPath& path : routing::paths(fabric, *at.routing, from, to, bytes)) {
    out.paths.push_back(described(at.topology, from, path));
    if (options.why)
      out.paths.back().reasons = hop_reasons(at.topology, *at.routing, from, to, path, options.digits);
  }
  if (options.all == 0) return out;
  out.shortest_paths = search_distance(fabric, from, to).paths;
  out.shortest = topology::shortest_paths(fabric, from, to, options.all);
  return out;
}

}  // namespace banyan::ask
