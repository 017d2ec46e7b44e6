// Valiant's algorithm and UGAL on a HyperX: to a middle switch and on to the destination, both in dimension
// order, the first half on lane 0 and the second on lane 1. What goes straight stays on either of them.
#pragma once
#include "routing/detour.hpp"
#include "routing/hyperx_plan.hpp"

namespace banyan {

class HyperXDetours {
 public:
  static constexpr u32 lanes = 2;

  HyperXDetours(const HyperX& shape, u32 planes) : plan_(shape, planes) {}

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }

 private:
  void step(u32 v, u32 target, Hop hop, Hops& out) const;

  HyperXPlan plan_;
};

}  // namespace banyan
