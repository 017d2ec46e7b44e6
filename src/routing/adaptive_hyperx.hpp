// Adaptive routing on a HyperX: in every dimension that is not yet right straight to the goal or, with
// deroutes, once by way of any other coordinate (DAL: Ahn et al., SC 2009).
//
// State: a bit for each dimension already derouted. Lanes count hops from the end: a channel's lane is at
// least the most hops that can follow it and less than the most that could before, so it falls along every
// path.
#pragma once
#include "routing/hyperx_plan.hpp"

namespace banyan {

class AdaptiveHyperX {
 public:
  static constexpr u32 most_dimensions = 8;  // a bit of the state for each

  AdaptiveHyperX(const HyperX& shape, u32 planes, bool deroutes);

  // The most hops between switches: one for each dimension that has a width, two with deroutes.
  u32 lanes() const { return lanes_; }

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }

 private:
  bool may_deroute(u8 state, u32 d) const { return deroutes_ && !(state >> d & 1) && plan_.width(d) > 2; }

  HyperXPlan plan_;
  bool deroutes_;
  u32 lanes_;
};

}  // namespace banyan
