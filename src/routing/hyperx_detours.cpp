#include "routing/hyperx_detours.hpp"

namespace banyan::routing {

// One hop in dimension order, by any cable.
void HyperXDetours::step(u32 v, u32 target, Hop hop, Hops& out) const {
  u32 d = 0;
  while (plan_.at(v, d) == plan_.at(target, d)) ++d;
  plan_.offer(v, d, plan_.at(target, d), hop, out);
}

// Asked at every hop of a packet: all that it calls is compiled into it.
[[gnu::flatten]] void HyperXDetours::hops(Node node, const Header& header, Hops& out) const {
  constexpr u16 all = (1u << lanes) - 1;
  const Nic nic{index(header.to)};
  const u32 goal = plan_.switch_of(nic), middle = static_cast<u32>(header.tag);
  const bool at_nic = plan_.is_nic(node);
  const u32 v = at_nic ? plan_.switch_of(Nic{index(node)}) : plan_.switch_at(node);
  const bool detours = (header.state == Detour::to_middle && v != middle && v != goal) ||
                       (header.state == Detour::undecided && !leads(v, goal));
  const auto straight = [&] { return plan_.distance(v, goal); };
  const auto around = [&] {
    return passes(v, middle, goal) ? straight() : plan_.distance(v, middle) + plan_.distance(middle, goal);
  };
  if (at_nic)
    return out.push_back(
        {Port{0}, all, header.state, static_cast<u8>((detours ? around() : straight()) + 1)});
  if (v == goal && !detours) return out.push_back({plan_.host_port(nic), all, header.state, 0});
  const auto go_straight = [&](u32 lane) {
    step(v, goal, {Port{}, static_cast<u16>(1u << lane), Detour::to_goal(lane), static_cast<u8>(straight())},
         out);
  };
  const auto go_straight_on_either = [&] {
    go_straight(0);
    for (std::size_t i = 0, cables = out.size(); i < cables; ++i)
      out.push_back({out[i].port, 1u << 1, Detour::to_goal(1), out[i].left});
  };
  const auto go_around = [&] {
    step(v, middle, {Port{}, 1, Detour::to_middle, static_cast<u8>(around())}, out);
  };
  if (header.state == Detour::undecided) {
    if (!detours) go_straight_on_either();
    if (v != middle && middle != goal) go_around();
  } else if (header.state == Detour::to_middle) {
    detours ? go_around() : go_straight(1);
  } else {
    go_straight(Detour::lane(header.state));
  }
}

}  // namespace banyan::routing
