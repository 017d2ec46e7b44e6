// Adaptive forward over sets of next hops: every switch offers all hops of its set for the destination, each
// once, whatever its weight.
#pragma once
#include "routing/port_sets.hpp"

namespace banyan::routing {

class OpenNextHops {
 public:
  // Packets stay on the header's lane all the way.
  OpenNextHops(const Fabric& fabric, PortSets sets) : sets_(std::move(sets)), nics_(fabric.nics()) {}

  // A channel's lane is the number of channels between switches that follow it. Sets of shortest hops are
  // then free of deadlock on every graph, since the lane falls with every hop.
  OpenNextHops(const Fabric& fabric, PortSets sets, u32 lanes)
      : sets_(std::move(sets)), nics_(fabric.nics()), lanes_(lanes) {}

  // Offers each hop as often as its weight says: shares of loads are then those of the weights. No set may
  // weigh more than Hops::maximum.
  OpenNextHops by_weight() const {
    OpenNextHops out = *this;
    out.repeats_ = true;
    return out;
  }

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return sets_.first_node() > 0; }

 private:
  PortSets sets_;
  u32 nics_;
  u32 lanes_ = 0;  // 0: the header's
  bool repeats_ = false;
};

}  // namespace banyan::routing
