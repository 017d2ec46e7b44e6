#include "flit/port_table.hpp"

namespace banyan::flit {

PortTable::PortTable(const Layout& layout, const Routing& routing)
    : first_(layout.nics), addresses_(layout.nics) {
  const auto* forward = std::get_if<DimensionOrder>(&routing.forward);
  const u64 hops = u64{layout.nodes - layout.nics} * layout.nics;
  if (!forward || routing.lmc != 0 || hops > max_hops) return;
  hops_.resize(hops);
  KnownHop* hop = hops_.data();
  for (u32 v = first_; v < layout.nodes; ++v)
    for (u32 to = 0; to < addresses_; ++to)
      if (!find_hop(*forward, Node{v}, Address{to}, *hop++)) {
        hops_.clear();
        return;
      }
}

// False if it does not fit into a record.
bool PortTable::find_hop(const DimensionOrder& forward, Node node, Address to, KnownHop& out) {
  const auto ask = [&](u32 state, u64 tag = 0) {
    return forward.next(node, {.to = to, .state = static_cast<u8>(state), .tag = tag});
  };
  const Hop hop = ask(0);
  if (ask(0, 1) != hop || index(hop.port) > 255 || hop.lanes > 255) return false;
  out = {static_cast<u8>(index(hop.port)), static_cast<u8>(hop.lanes), 0, hop.state};
  for (u32 d = 0; d < DimensionOrder::max_dimensions; ++d) {
    const u8 bit = static_cast<u8>(1u << d);
    if (ask(bit).lanes != hop.lanes) out.crossed = bit;
  }
  for (const u32 state : {u32{out.crossed}, ~u32{out.crossed} & 255u, 255u}) {
    const Hop again = ask(state);
    const u32 lanes = (state & out.crossed) != 0 ? 2u : out.lanes;
    if (again.port != hop.port || again.lanes != lanes || again.state != (state | out.crosses)) return false;
  }
  return true;
}

}  // namespace banyan::flit
