#include "engines/hyperx_engine.hpp"

namespace banyan::engines {
namespace {

// Where cables are missing.
RouteResult route_incomplete(const Topology& topology, const HyperX& hyperx, std::string_view engine,
                             bool deroutes) {
  if (auto refused = refuse_incomplete(topology, engine)) return *refused;
  if (auto refused = refuse_large(AdaptiveHyperX::table_bytes(hyperx), engine)) return *refused;
  AdaptiveHyperX forward(hyperx, topology.fabric, deroutes);
  const auto parted = [&](u32 a, u32 b) { return forward.distance(a, b) == AdaptiveHyperX::no_way; };
  if (auto refused = refuse_parted(topology, engine, parted)) return *refused;
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(OpenWays{}), lanes};
}

}  // namespace

std::optional<NotApplicable> refuse_incomplete(const Topology& topology, std::string_view engine) {
  if (topology.planes > 1)
    return NotApplicable{
        fmt::format("{} needs complete grids where there are several; cables are missing", engine)};
  const Fabric& fabric = topology.fabric;
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic))
      if (!fabric.cabled(c))
        return NotApplicable{fmt::format("{} needs the cables of all hosts; {} has none", engine,
                                         fabric.host_name(fabric.host(fabric.nic(nic))))};
  return std::nullopt;
}

std::optional<NotApplicable> refuse_large(u64 table_bytes, std::string_view engine) {
  if (table_bytes <= u64{1} << 26) return std::nullopt;
  return NotApplicable{fmt::format(
      "{} needs a complete grid of this size; cables are missing, and the table for that would have {} MB",
      engine, table_bytes >> 20)};
}

std::optional<NotApplicable> refuse_parted(const Topology& topology, std::string_view engine,
                                           const std::function<bool(u32, u32)>& parted) {
  const Fabric& fabric = topology.fabric;
  for (u32 a = 0; a < fabric.switches(); ++a)
    for (u32 b = 0; b < fabric.switches(); ++b)
      if (parted(a, b))
        return NotApplicable{fmt::format("{} has no way from {} to {} without the missing cables", engine,
                                         fabric.name(Node{fabric.nics() + a}),
                                         fabric.name(Node{fabric.nics() + b}))};
  return std::nullopt;
}

RouteResult route_hyperx(const Topology& topology, std::string_view engine, std::string_view needs,
                         bool deroutes) {
  const auto* hyperx = topology.as<HyperX>();
  if (!hyperx) return NotApplicable{fmt::format("{} needs {}", engine, needs)};
  if (hyperx->grid.dimensions() > AdaptiveHyperX::max_dimensions)
    return NotApplicable{
        fmt::format("{} handles up to {} dimensions", engine, AdaptiveHyperX::max_dimensions)};
  if (auto refused = refuse_many_hops(topology.fabric, engine)) return *refused;
  if (!topology.is_intact()) return route_incomplete(topology, *hyperx, engine, deroutes);
  AdaptiveHyperX forward(*hyperx, topology.planes, deroutes);
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(OpenWays{}), lanes};
}

}  // namespace banyan::engines
