#include "flit/hop_table.hpp"

namespace banyan::flit {

HopTable::HopTable(const Layout& layout, const Routing& routing)
    : first_(layout.nics), addresses_(layout.nics) {
  const auto* forward = std::get_if<DimensionOrder>(&routing.forward);
  const u64 count = u64{layout.nodes - layout.nics} * layout.nics;
  if (!forward || routing.lmc != 0 || count > max_hops) return;
  hops_.reserve(count);
  for (u32 v = first_; v < layout.nodes; ++v)
    for (u32 to = 0; to < addresses_; ++to) {
      const std::optional<KnownHop> hop = find_hop(*forward, Node{v}, Address{to});
      if (!hop) {
        hops_.clear();
        return;
      }
      hops_.push_back(*hop);
    }
}

// None if it does not fit into a record.
std::optional<HopTable::KnownHop> HopTable::find_hop(const DimensionOrder& forward, Node node, Address to) {
  const auto ask = [&](u32 state, u64 tag = 0) {
    return forward.next(node, {.to = to, .state = static_cast<u8>(state), .tag = tag});
  };
  const Hop hop = ask(0), behind_all = ask(255);  // before and behind all datelines
  KnownHop out{static_cast<u8>(index(hop.port)), static_cast<u8>(hop.lanes), 0, hop.state};
  for (u32 d = 0; behind_all.lanes != hop.lanes && d < DimensionOrder::max_dimensions; ++d)
    if (ask(1u << d).lanes != hop.lanes) out.crossed = static_cast<u8>(1u << d);
  const bool reads_tag = ask(0, 1) != hop;  // of a trunk
  const bool fits = index(hop.port) <= 255 && behind_all.port == hop.port && behind_all.state == 255 &&
                    behind_all.lanes == (out.crossed != 0 ? 2 : hop.lanes);
  return fits && !reads_tag ? std::optional(out) : std::nullopt;
}

}  // namespace banyan::flit
