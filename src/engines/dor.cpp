// Dimension order: correct one coordinate after the other. One lane on HyperX and mesh, two on a torus.
#include <fmt/format.h>

#include "engines/engine.hpp"

namespace banyan::engines {
namespace {

struct OneWay {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to), .tag = index(to)}; }
  Reads reads() const { return Reads::nothing; }
};

template <class S>
RouteResult route_on(const S& shape, u32 planes, u32 lanes) {
  if (shape.grid.dimensions() > DimensionOrder::max_dimensions)
    return NotApplicable{
        fmt::format("dimension order handles up to {} dimensions", DimensionOrder::max_dimensions)};
  return Routing{DimensionOrder(shape, planes), Source(OneWay{}), lanes};
}

RouteResult route_dor(const Topology& topology, const NoOptions&) {
  if (!topology.is_intact())
    return NotApplicable{"dimension order needs a complete grid; cables are missing"};
  if (const auto* hyperx = topology.as<HyperX>()) return route_on(*hyperx, topology.planes, 1);
  if (const auto* torus = topology.as<Torus>())
    return route_on(*torus, topology.planes, torus->wraps ? 2 : 1);
  return NotApplicable{"dimension order needs a HyperX, mesh or torus"};
}

}  // namespace

Engine dor_engine() {
  return make_engine<route_dor>("dor", "Dally and Seitz, IEEE Trans. Computers 1987",
                                "HyperX, mesh and torus: one dimension after the other; two lanes on a torus",
                                {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
