#include "routing/adaptive_hyperx.hpp"

#include <algorithm>
#include <array>

namespace banyan::routing {

AdaptiveHyperX::AdaptiveHyperX(const HyperX& shape, u32 planes, bool deroutes)
    : plan_(shape, planes), deroutes_(deroutes) {
  count_lanes();
}

AdaptiveHyperX::AdaptiveHyperX(const HyperX& shape, const Fabric& fabric, bool deroutes)
    : plan_(shape, fabric), deroutes_(deroutes), far_(table_bytes(shape), no_way) {
  count_lanes();
  for (u32 goal = 0; goal < plan_.switches(); ++goal) explore(goal);
}

u64 AdaptiveHyperX::table_bytes(const HyperX& shape) {
  return shape.grid.size() * shape.grid.size() << shape.grid.dimensions();
}

void AdaptiveHyperX::count_lanes() {
  for (u32 d = 0; d < plan_.dimensions(); ++d) lanes_ += (plan_.width(d) > 1) + may_deroute(0, d);
  lanes_ = std::max(lanes_, 1u);
}

// A hop keeps the state and makes one coordinate right, or adds to the state: so larger states come first,
// and switches nearer to the goal.
void AdaptiveHyperX::explore(u32 goal) {
  const std::vector<u32> nearest_first = plan_.nearest_first(goal);
  for (u32 state = 1u << plan_.dimensions(); state-- > 0;)
    for (u32 v : nearest_first) {
      u32 best = v == goal ? 0 : no_way;
      const auto look = [&](u32 d, u32 x, u32 after) {
        if (plan_.is_linked(v, d, x)) best = std::min(best, at(plan_.moved(v, d, x), goal, after) + 1u);
      };
      for (u32 d = 0; d < plan_.dimensions(); ++d) {
        const u32 own = plan_.at(v, d), straight = plan_.at(goal, d);
        if (own == straight) continue;
        look(d, straight, state);
        if (!may_deroute(static_cast<u8>(state), d)) continue;
        for (u32 x = 0; x < plan_.width(d); ++x)
          if (x != own && x != straight) look(d, x, state | 1u << d);
      }
      far_[place(v, goal, state)] = static_cast<u8>(std::min<u32>(best, no_way));
    }
}

[[gnu::always_inline]] inline void AdaptiveHyperX::offer(u32 v, u32 d, u32 coordinate, u32 goal, Hop hop,
                                                         Hops& out) const {
  if (!is_complete()) {
    const u8 far = at(plan_.moved(v, d, coordinate), goal, hop.state);
    if (far == no_way) return;
    hop.left = static_cast<u8>(far + 1);
  }
  plan_.offer(v, d, coordinate, hop, out);
}

// Asked at every hop of a packet: all that it calls is compiled into it.
[[gnu::flatten]] void AdaptiveHyperX::hops(Node node, const Header& header, Hops& out) const {
  const Nic nic{index(header.to)};
  const u32 goal = plan_.switch_of(nic);
  const u16 all = static_cast<u16>((1u << lanes_) - 1);
  if (plan_.is_nic(node)) {
    const u32 far = distance(plan_.switch_of(Nic{index(node)}), goal);
    return out.push_back({Port{0}, all, header.state, static_cast<u8>(far + 1)});
  }
  const u32 v = plan_.switch_at(node);
  if (v == goal) return out.push_back({plan_.host_port(nic), all, header.state, 0});
  struct Differing {  // a dimension that is not right yet
    u32 d, own, straight;
    bool may;  // be derouted
  };
  std::array<Differing, max_dimensions> differing;
  u32 left = 0, maximum = 0;  // hops to go, and at most
  for (u32 d = 0, dimensions = plan_.dimensions(); d < dimensions; ++d) {
    const u32 own = plan_.at(v, d), straight = plan_.at(goal, d);
    if (own == straight) continue;
    const bool may = may_deroute(header.state, d);
    differing[left++] = {d, own, straight, may};
    maximum += 1 + may;
  }
  for (u32 i = 0; i < left; ++i) {
    const auto [d, own, straight, may] = differing[i];
    const u16 lane = static_cast<u16>(1u << (maximum - 1 - may));
    offer(v, d, straight, goal, {Port{}, lane, header.state, static_cast<u8>(left)}, out);
    if (!may) continue;
    const Hop deroute{Port{}, static_cast<u16>(1u << (maximum - 1)), static_cast<u8>(header.state | 1u << d),
                      static_cast<u8>(left + 1)};
    for (u32 x = 0, width = plan_.width(d); x < width; ++x)
      if (x != own && x != straight) offer(v, d, x, goal, deroute, out);
  }
}

}  // namespace banyan::routing
