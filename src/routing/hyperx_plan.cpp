#include "routing/hyperx_plan.hpp"

namespace banyan {

HyperXPlan::HyperXPlan(const HyperX& shape, u32 planes)
    : hosts_(shape.hosts()),
      hosts_per_switch_(shape.hosts_per_switch),
      nics_(shape.hosts() * planes),
      switches_(static_cast<u32>(shape.grid.size())) {
  u32 port = shape.hosts_per_switch;
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) {
    lines_.push_back({shape.grid.widths[d], shape.trunk[d], port});
    port += (shape.grid.widths[d] - 1) * shape.trunk[d];
  }
  for (u32 v = 0; v < switches_; ++v)
    for (u32 d = 0; d < shape.grid.dimensions(); ++d) coordinate_.push_back(shape.grid.coordinate(v, d));
}

u32 HyperXPlan::distance(u32 a, u32 b) const {
  u32 out = 0;
  for (u32 d = 0; d < dimensions(); ++d) out += at(a, d) != at(b, d);
  return out;
}

}  // namespace banyan
