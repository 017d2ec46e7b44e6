// Between which switches of a HyperX the way in dimension order has all its cables, as bits: by switch it
// starts from, and by switch it leads to.
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

  // Switches by which one gets from a to b, both halves in dimension order; the two ends are among them if
  // there is a straight way.
  u32 middles(u32 a, u32 b) const;
  u32 middle(u32 a, u32 b, u32 i) const;  // the i-th

 private:
  std::size_t words_;
  std::vector<u64> behind_, before_;
};

}  // namespace banyan::routing
