// The pairs of switches of a HyperX between which the way in dimension order has all its cables, as bits by
// start and by goal.
#pragma once
#include <span>

#include "routing/hyperx_plan.hpp"

namespace banyan::routing {

class HyperXOrder {
 public:
  explicit HyperXOrder(const HyperXPlan& plan);

  bool leads(u32 from, u32 to) const { return behind(from)[to / 64] >> to % 64 & 1; }
  std::span<const u64> behind(u32 from) const {
    return {behind_.data() + std::size_t{from} * words_, words_};
  }
  std::span<const u64> before(u32 to) const { return {before_.data() + std::size_t{to} * words_, words_}; }

  // The switches that can be the middle from a to b, with both halves in dimension order; the two ends are
  // among them if the direct way is intact.
  u32 middles(u32 a, u32 b) const;
  u32 middle(u32 a, u32 b, u32 i) const;  // the i-th of them

 private:
  std::size_t words_;
  std::vector<u64> behind_, before_;
};

}  // namespace banyan::routing
