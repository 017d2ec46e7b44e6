#include "routing/dragonfly_detours.hpp"

#include <algorithm>

namespace banyan::routing {

DragonflyDetours::DragonflyDetours(const Dragonfly& shape, u32 planes, u32 lanes, bool is_progressive)
    : planes_(planes_of(shape, planes)),
      hosts_per_switch_(shape.hosts_per_switch),
      group_switches_(shape.group_switches),
      groups_(shape.groups),
      lanes_(lanes),
      first_lane_(is_progressive) {
  const u32 ports = shape.global_ports, slots = shape.group_switches * ports;
  const GlobalCabling cabling{groups_, slots, shape.order};
  std::vector<std::vector<Cable>> to(groups_);
  first_.push_back(0);
  for (u32 g = 0; g < groups_; ++g) {
    for (auto& row : to) row.clear();
    for (u32 s = 0; s < slots; ++s)
      if (const auto far = cabling.far_end({g, s}))
        to[far->group].push_back({g * group_switches_ + s / ports,
                                  far->group * group_switches_ + far->slot / ports,
                                  Port{hosts_per_switch_ + group_switches_ - 1 + s % ports}});
    for (const auto& row : to) {
      cables_.insert(cables_.end(), row.begin(), row.end());
      first_.push_back(static_cast<u32>(cables_.size()));
    }
  }
}

u32 DragonflyDetours::straight(u32 v, u32 goal) const {
  if (group(v) == group(goal)) return 1 + (v != goal);
  u32 best = ~u32{0};
  for (const Cable& cable : cables(group(v), group(goal)))
    best = std::min(best, 2u + (cable.near != v) + (cable.far != goal));
  return best;
}

// By a cable of this switch if it has one, else to a switch that has.
void DragonflyDetours::cross(u32 v, const Leg& leg, Hops& out) const {
  const auto lane = static_cast<u16>(1u << leg.lane);
  const auto ways = cables(group(v), leg.group);
  const std::size_t before = out.size();
  for (const Cable& cable : ways)
    if (cable.near == v)
      out.push_back({cable.port, lane, leg.there, static_cast<u8>(straight(cable.far, leg.goal))});
  if (out.size() > before) return;
  for (std::size_t i = 0, next = 0; i < ways.size(); i = next) {
    u32 behind = ~u32{0};
    for (next = i; next < ways.size() && ways[next].near == ways[i].near; ++next)
      behind = std::min(behind, 1 + straight(ways[next].far, leg.goal));
    out.push_back({local_port(v, ways[i].near), lane, leg.here, static_cast<u8>(behind)});
  }
}

void DragonflyDetours::go_straight(u32 v, u32 goal, u32 lane, Hops& out) const {
  const u8 here = Detour::to_goal(lane);
  if (group(v) == group(goal))
    return out.push_back({local_port(v, goal), static_cast<u16>(1u << lane), here, 1});
  cross(v, {group(goal), goal, lane, here, Detour::to_goal(lane + 1)}, out);
}

void DragonflyDetours::go_around(u32 v, u32 middle, u32 goal, Hops& out) const {
  cross(v, {middle, goal, first_lane_, Detour::to_middle, Detour::to_goal(first_lane_ + 1)}, out);
}

void DragonflyDetours::decide(u32 v, u32 goal, u32 middle, bool may_revise, Hops& out) const {
  const auto ways = cables(group(v), group(goal));
  const auto is_near = [&](const Cable& cable) { return cable.near == v; };
  if (may_revise && group(v) != group(goal) && std::none_of(ways.begin(), ways.end(), is_near)) {
    cross(v, {group(goal), goal, 0, revises, revises}, out);
  } else {
    go_straight(v, goal, first_lane_, out);
    go_straight(v, goal, first_lane_ + 1, out);
  }
  if (middle != group(v) && middle != group(goal)) go_around(v, middle, goal, out);
}

// Sources send packets within a group directly, so none passes its destination on the way to the middle.
void DragonflyDetours::offer(u32 v, const Header& header, Hops& out) const {
  const u32 host = planes_.number(Nic{index(header.to)}), goal = host / hosts_per_switch_;
  const u32 middle = static_cast<u32>(header.tag);
  const bool detours = header.state == Detour::to_middle && group(v) != middle;
  if (v == goal && !detours)
    return out.push_back({Port{host % hosts_per_switch_}, all_lanes(), header.state, 0});
  if (header.state == Detour::undecided) {
    decide(v, goal, middle, first_lane_ > 0, out);
  } else if (header.state == revises) {
    decide(v, goal, middle, false, out);
  } else if (header.state == Detour::to_middle) {
    detours ? go_around(v, middle, goal, out) : go_straight(v, goal, first_lane_ + 1, out);
  } else {
    go_straight(v, goal, Detour::lane(header.state), out);
  }
}

void DragonflyDetours::hops(Node node, const Header& header, Hops& out) const {
  if (!planes_.is_nic(node)) return offer(planes_.switch_number(node), header, out);
  offer(planes_.number(Nic{index(node)}) / hosts_per_switch_, header, out);
  u32 left = 0xff;
  for (const Hop& hop : out) left = std::min<u32>(left, hop.left + 1u);
  out.clear();
  out.push_back({Port{0}, all_lanes(), header.state, static_cast<u8>(left)});
}

}  // namespace banyan::routing
