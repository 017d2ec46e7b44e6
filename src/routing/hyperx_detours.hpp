// Forward for Valiant's algorithm and UGAL on a HyperX: to a middle switch and then to the destination, both
// in dimension order, the first half on lane 0 and the second on lane 1. A direct packet stays on either
// lane, and who passes its destination on the way to the middle stops there. Where cables are missing, the
// source names only middles with two intact halves, and the direct way is offered where it is intact.
#pragma once
#include <optional>

#include "routing/detour.hpp"
#include "routing/hyperx_order.hpp"

namespace banyan::routing {

class HyperXDetours {
 public:
  static constexpr u32 lanes = 2;

  HyperXDetours(const HyperX& shape, u32 planes) : plan_(shape, planes) {}  // complete
  HyperXDetours(const HyperX& shape, const Fabric& fabric) : plan_(shape, fabric), order_(plan_) {}

  const HyperXPlan& plan() const { return plan_; }
  const std::optional<HyperXOrder>& order() const { return order_; }  // none: every way is intact

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }

 private:
  void step(u32 v, u32 target, Hop hop, Hops& out) const;

  // Whether the way from v to the middle passes the goal.
  bool passes(u32 v, u32 middle, u32 goal) const {
    u32 d = 0;
    while (d < plan_.dimensions() && plan_.at(goal, d) == plan_.at(middle, d)) ++d;
    while (d < plan_.dimensions() && plan_.at(goal, d) == plan_.at(v, d)) ++d;
    return d == plan_.dimensions();
  }
  bool leads(u32 from, u32 to) const { return !order_ || order_->leads(from, to); }

  HyperXPlan plan_;
  std::optional<HyperXOrder> order_;
};

}  // namespace banyan::routing
