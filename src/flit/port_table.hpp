// The ports of dimension order by switch and destination, where that is little memory: its arithmetic costs
// more than all else that a hop does. Only for a routing of one lane whose headers have no state and whose
// tags say nothing: on a HyperX without trunks or a mesh, not on a torus.
#pragma once
#include <vector>

#include "flit/layout.hpp"
#include "routing/routing.hpp"

namespace banyan::flit {

class PortTable {
 public:
  static constexpr u64 max_bytes = u64{1} << 16;

  PortTable() = default;
  PortTable(const Layout& layout, const Routing& routing);  // empty for another forward

  // Whether it knows the way of a packet.
  bool has(const Header& header) const { return !ports_.empty() && header.lane == 0 && header.state == 0; }
  // The same as DimensionOrder::next(), but for how many channels are left. A NIC has one port.
  Hop next(Node node, const Header& header) const {
    const u32 v = index(node);
    if (v < first_) return {Port{0}, 1, 0, 0};
    return {Port{ports_[std::size_t{v - first_} * addresses_ + index(header.to)]}, 1, 0, 0};
  }

 private:
  u32 first_ = 0, addresses_ = 0;  // the first switch; destinations
  std::vector<u8> ports_;          // by switch and destination
};

}  // namespace banyan::flit
