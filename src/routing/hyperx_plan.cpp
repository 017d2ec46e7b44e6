#include "routing/hyperx_plan.hpp"

#include <algorithm>
#include <numeric>

namespace banyan::routing {

HyperXPlan::HyperXPlan(const HyperX& shape, u32 planes)
    : planes_(planes_of(shape, planes)), hosts_per_switch_(shape.hosts_per_switch) {
  u32 port = shape.hosts_per_switch;
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) {
    lines_.push_back({shape.grid.widths[d], shape.trunk[d], port, shape.grid.stride(d)});
    port += (shape.grid.widths[d] - 1) * shape.trunk[d];
  }
  for (u32 v = 0; v < switches(); ++v)
    for (u32 d = 0; d < shape.grid.dimensions(); ++d) coordinate_.push_back(shape.grid.coordinate(v, d));
}

HyperXPlan::HyperXPlan(const HyperX& shape, const Fabric& fabric) : HyperXPlan(shape, 1) {
  ports_ = static_cast<u32>(shape.switch_ports() / switches());
  live_.resize(std::size_t{switches()} * ports_);
  for (u32 v = 0; v < switches(); ++v)
    for (Channel c : fabric.channels(planes_[0].switch_(v)))
      live_[std::size_t{v} * ports_ + index(fabric.port(c))] = fabric.cabled(c);
}

bool HyperXPlan::is_linked(u32 v, u32 d, u32 coordinate) const {
  if (is_complete()) return true;
  const u32 first = port_towards(v, d, coordinate);
  for (u32 t = 0; t < lines_[d].trunk; ++t)
    if (is_live(v, first + t)) return true;
  return false;
}

std::vector<u32> HyperXPlan::nearest_first(u32 goal) const {
  std::vector<u32> out(switches());
  std::iota(out.begin(), out.end(), 0u);
  std::stable_sort(out.begin(), out.end(),
                   [&](u32 a, u32 b) { return distance(a, goal) < distance(b, goal); });
  return out;
}

u32 HyperXPlan::distance(u32 a, u32 b) const {
  u32 out = 0;
  for (u32 d = 0; d < dimensions(); ++d) out += at(a, d) != at(b, d);
  return out;
}

}  // namespace banyan::routing
