#include "engines/hyperx_engine.hpp"

namespace banyan {
namespace {

constexpr u64 most_table_bytes = u64{1} << 26;

// Where cables are missing.
RouteResult route_incomplete(const Topology& topology, const HyperX& hyperx, std::string_view engine,
                             bool deroutes) {
  if (auto refused = refuse_incomplete(topology, engine)) return *refused;
  if (AdaptiveHyperX::table_bytes(hyperx) > most_table_bytes)
    return NotApplicable{fmt::format(
        "{} needs a complete grid of this size; cables are missing, and the table for that would have {} MB",
        engine, AdaptiveHyperX::table_bytes(hyperx) >> 20)};
  AdaptiveHyperX forward(hyperx, topology.fabric, deroutes);
  const u32 switches = static_cast<u32>(hyperx.grid.size()), nics = topology.fabric.nics();
  for (u32 a = 0; a < switches; ++a)
    for (u32 b = 0; b < switches; ++b)
      if (forward.distance(a, b) == AdaptiveHyperX::no_way)
        return NotApplicable{fmt::format("{} has no way from {} to {}: too many cables are missing", engine,
                                         topology.fabric.name(Node{nics + a}),
                                         topology.fabric.name(Node{nics + b}))};
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

RouteResult route_hyperx(const Topology& topology, std::string_view engine, std::string_view needs,
                         bool deroutes) {
  const auto* hyperx = std::get_if<HyperX>(&topology.shape);
  if (!hyperx) return NotApplicable{fmt::format("{} needs {}", engine, needs)};
  if (hyperx->grid.dimensions() > AdaptiveHyperX::most_dimensions)
    return NotApplicable{
        fmt::format("{} handles up to {} dimensions", engine, AdaptiveHyperX::most_dimensions)};
  if (auto refused = refuse_many_hops(topology.fabric, engine)) return *refused;
  if (!topology.is_intact()) return route_incomplete(topology, *hyperx, engine, deroutes);
  AdaptiveHyperX forward(*hyperx, topology.planes, deroutes);
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(OpenWays{}), lanes};
}

}  // namespace banyan
