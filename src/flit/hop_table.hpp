// The hops of dimension order by switch and destination, where that is little memory: its arithmetic costs
// more than all else that a hop does. Only for headers of lane 0 whose tags say nothing: on a HyperX without
// trunks, a mesh or a torus.
#pragma once
#include <optional>
#include <vector>

#include "flit/layout.hpp"
#include "routing/routing.hpp"

namespace banyan::flit {

class HopTable {
 public:
  static constexpr u64 max_hops = u64{1} << 16;  // of 4 bytes

  HopTable() = default;
  HopTable(const Layout& layout, const Routing& routing);  // empty for another forward

  // Whether it knows the way of a packet.
  bool has(const Header& header) const { return !hops_.empty() && header.lane == 0; }
  // The same as DimensionOrder::next(), but for how many channels are left. A NIC has one port.
  [[gnu::always_inline]] Hop next(Node node, const Header& header) const {
    const u32 v = index(node);
    if (v < first_) return {Port{0}, 1, header.state, 0};
    const KnownHop& hop = hops_[std::size_t{v - first_} * addresses_ + index(header.to)];
    const u16 lanes = (header.state & hop.crossed) != 0 ? u16{2} : u16{hop.lanes};
    return {Port{hop.port}, lanes, static_cast<u8>(header.state | hop.crosses), 0};
  }

 private:
  struct KnownHop {
    u8 port, lanes;
    // Bits of the state, one for each ring whose dateline was crossed: if `crossed` is set in the header, the
    // hop takes lane 1; the hop sets `crosses`.
    u8 crossed, crosses;
  };
  static std::optional<KnownHop> find_hop(const DimensionOrder& forward, Node node, Address to);

  u32 first_ = 0, addresses_ = 0;  // the first switch; destinations
  std::vector<KnownHop> hops_;     // by switch and destination
};

}  // namespace banyan::flit
