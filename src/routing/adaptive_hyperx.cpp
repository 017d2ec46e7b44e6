#include "routing/adaptive_hyperx.hpp"

#include <algorithm>

namespace banyan {

AdaptiveHyperX::AdaptiveHyperX(const HyperX& shape, u32 planes, bool deroutes)
    : plan_(shape, planes), deroutes_(deroutes), lanes_(0) {
  for (u32 d = 0; d < plan_.dimensions(); ++d) lanes_ += (plan_.width(d) > 1) + may_deroute(0, d);
  lanes_ = std::max(lanes_, 1u);
}

void AdaptiveHyperX::hops(Node node, const Header& header, Hops& out) const {
  const Nic nic{index(header.to)};
  const u32 goal = plan_.switch_of(nic);
  const u16 all = static_cast<u16>((1u << lanes_) - 1);
  if (plan_.is_nic(node)) {
    const u32 far = plan_.distance(plan_.switch_of(Nic{index(node)}), goal);
    return out.push_back({Port{0}, all, header.state, static_cast<u8>(far + 1)});
  }
  const u32 v = plan_.switch_at(node);
  if (v == goal) return out.push_back({plan_.host_port(nic), all, header.state, 0});
  u32 left = 0, most = 0;  // hops to go, and at most
  for (u32 d = 0; d < plan_.dimensions(); ++d)
    if (plan_.at(v, d) != plan_.at(goal, d)) ++left, most += 1 + may_deroute(header.state, d);
  for (u32 d = 0; d < plan_.dimensions(); ++d) {
    const u32 own = plan_.at(v, d), straight = plan_.at(goal, d);
    if (own == straight) continue;
    const bool may = may_deroute(header.state, d);
    const u16 lane = static_cast<u16>(1u << (most - 1 - may));
    plan_.offer(v, d, straight, {Port{}, lane, header.state, static_cast<u8>(left)}, out);
    if (!may) continue;
    const Hop deroute{Port{}, static_cast<u16>(1u << (most - 1)), static_cast<u8>(header.state | 1u << d),
                      static_cast<u8>(left + 1)};
    for (u32 x = 0; x < plan_.width(d); ++x)
      if (x != own && x != straight) plan_.offer(v, d, x, deroute, out);
  }
}

}  // namespace banyan
