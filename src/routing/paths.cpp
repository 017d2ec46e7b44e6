#include "routing/paths.hpp"

#include <fmt/format.h>

#include "routing/visit_forward.hpp"
#include "routing/walk.hpp"

namespace banyan::routing {
namespace {

RoutedPath path_of(std::span<const Step> steps, u32 way, double weight) {
  RoutedPath out;
  out.way = way;
  out.weight = weight;
  out.arrives = steps.empty() || steps.back().arrived();
  for (const Step& step : steps) {
    if (step.offers > 0) out.weight /= step.offers;
    if (step.channel == none<Channel>) break;
    out.channels.push_back(step.channel);
    out.lanes.push_back(step.lanes);
    out.offers.push_back(step.offers);
  }
  return out;
}

}  // namespace

std::vector<RoutedPath> paths(const Fabric& fabric, const Routing& routing, Nic from, Nic to, u64 bytes,
                              std::size_t maximum) {
  std::vector<RoutedPath> out;
  const u32 ways = routing.source.count(from, to, bytes);
  u32 way = 0;
  const auto keep = [&](std::span<const Step> steps) {
    if (!steps.empty() && steps.back().leads_on()) return Then::on;
    if (out.size() == maximum) throw InputError(fmt::format("there are more than {} paths", maximum));
    out.push_back(path_of(steps, way, 1.0 / ways));
    return Then::back;
  };
  const auto by = [&](const auto& forward) {
    PathsWalk walk(fabric, forward, fabric.node(to), keep);
    for (; way < ways; ++way)
      if (from == to)
        keep({});
      else
        walk.from(fabric.node(from), routing.source.way(from, to, bytes, way));
  };
  visit_forward(by, routing.forward);
  return out;
}

std::optional<u64> path_index(const Topology& topology, const RoutedPath& path) {
  const auto* tree = topology.as<Pgft>();
  if (!tree || !path.arrives || path.channels.size() % 2) return std::nullopt;
  const Fabric& fabric = topology.fabric;
  const u32 up = static_cast<u32>(path.channels.size() / 2);
  if (up > tree->h()) return std::nullopt;
  u64 number = 0;
  for (u32 l = 0; l < up; ++l) {  // by a level-l node
    const u32 port = index(fabric.port(path.channels[l])), down = l ? tree->down_ports(l) : 0;
    if (port < down) return std::nullopt;
    number = number * tree->up_ports(l) + (port - down);
  }
  return number;
}

}  // namespace banyan::routing
