// Adaptive forward on a HyperX: in every dimension whose coordinate is not yet right, a packet goes directly
// or, with deroutes, once through any other coordinate (DAL: Ahn et al., SC 2009).
//
// State: a bit for each dimension already derouted. Lanes count hops from the end: a channel's lane is at
// least the maximum number of hops that can follow it, and less than that maximum one hop before, so it falls
// along every path. Where cables are missing, a hop is offered only if the packet can still arrive; a table
// holds this and the remaining distance.
#pragma once
#include "routing/hyperx_plan.hpp"

namespace banyan::routing {

class AdaptiveHyperX {
 public:
  static constexpr u32 max_dimensions = 8;  // a bit of the state for each

  static constexpr u8 no_way = 0xff;

  AdaptiveHyperX(const HyperX& shape, u32 planes, bool deroutes);            // complete
  AdaptiveHyperX(const HyperX& shape, const Fabric& fabric, bool deroutes);  // one plane, cables missing
  static u64 table_bytes(const HyperX& shape);  // memory of the table, where cables are missing

  // The number of hops between switches from v to the goal, or no_way.
  u32 distance(u32 v, u32 goal) const { return is_complete() ? plan_.distance(v, goal) : at(v, goal, 0); }
  // The maximum number of hops between switches: one for each dimension wider than 1, two with deroutes.
  u32 lanes() const { return lanes_; }

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }

 private:
  bool is_complete() const { return plan_.is_complete(); }
  bool may_deroute(u8 state, u32 d) const { return deroutes_ && !(state >> d & 1) && plan_.width(d) > 2; }
  std::size_t place(u32 v, u32 goal, u32 state) const {
    return ((std::size_t{goal} * plan_.switches() + v) << plan_.dimensions()) + state;
  }
  u8 at(u32 v, u32 goal, u32 state) const { return far_[place(v, goal, state)]; }
  void explore(u32 goal);
  void count_lanes();
  void offer(u32 v, u32 d, u32 coordinate, u32 goal, Hop hop, Hops& out) const;

  HyperXPlan plan_;
  bool deroutes_;
  u32 lanes_ = 0;
  std::vector<u8> far_;  // by goal, switch and state: hops between switches; empty if complete
};

}  // namespace banyan::routing
