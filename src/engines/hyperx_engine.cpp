#include "engines/hyperx_engine.hpp"

namespace banyan {

RouteResult route_hyperx(const Topology& topology, std::string_view engine, std::string_view needs,
                         bool deroutes) {
  const auto* hyperx = std::get_if<HyperX>(&topology.shape);
  if (!hyperx) return NotApplicable{fmt::format("{} needs {}", engine, needs)};
  if (!topology.is_intact())
    return NotApplicable{fmt::format("{} needs a complete grid; cables are missing", engine)};
  if (hyperx->grid.dimensions() > AdaptiveHyperX::most_dimensions)
    return NotApplicable{
        fmt::format("{} handles up to {} dimensions", engine, AdaptiveHyperX::most_dimensions)};
  if (auto refused = refuse_many_hops(topology.fabric, engine)) return *refused;
  AdaptiveHyperX forward(*hyperx, topology.planes, deroutes);
  const u32 lanes = forward.lanes();
  return Routing{std::move(forward), Source(OpenWays{}), lanes};
}

}  // namespace banyan
