#include "routing/hyperx_order.hpp"

#include <bit>

#include "base/assert.hpp"

namespace banyan::routing {

HyperXOrder::HyperXOrder(const HyperXPlan& plan)
    : words_((plan.switches() + 63) / 64),
      behind_(plan.switches() * words_),
      before_(plan.switches() * words_) {
  const u32 switches = plan.switches();
  for (u32 to = 0; to < switches; ++to) {
    for (u32 v : plan.nearest_first(to)) {
      u32 d = 0;
      while (d < plan.dimensions() && plan.at(v, d) == plan.at(to, d)) ++d;
      const bool is_there = d == plan.dimensions();
      if (!is_there && !(plan.is_linked(v, d, plan.at(to, d)) && leads(plan.moved(v, d, plan.at(to, d)), to)))
        continue;
      behind_[v * words_ + to / 64] |= u64{1} << to % 64;
      before_[to * words_ + v / 64] |= u64{1} << v % 64;
    }
  }
}

u32 HyperXOrder::middles(u32 a, u32 b) const {
  u32 out = 0;
  for (std::size_t w = 0; w < words_; ++w)
    out += static_cast<u32>(std::popcount(behind(a)[w] & before(b)[w]));
  return out;
}

u32 HyperXOrder::middle(u32 a, u32 b, u32 i) const {
  for (std::size_t w = 0; w < words_; ++w) {
    u64 bits = behind(a)[w] & before(b)[w];
    const u32 here = static_cast<u32>(std::popcount(bits));
    if (i >= here) {
      i -= here;
      continue;
    }
    for (; i > 0; --i) bits &= bits - 1;
    return static_cast<u32>(w * 64) + static_cast<u32>(std::countr_zero(bits));
  }
  BANYAN_ASSERT(false, "a set of switches has as many members as were counted");
  return a;
}

}  // namespace banyan::routing
