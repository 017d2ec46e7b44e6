#include "routing/graph_detours.hpp"

#include <algorithm>
#include <bit>

namespace banyan::routing {

namespace {

constexpr u8 lower_half = Detour::to_goal(0), upper_half = Detour::to_goal(1);

// Calls f(port) for every port of a set.
void each_port(const PortSets& sets, const PortSets::Exits& exits, auto&& f) {
  for (u32 i = 0; exits.words && i < sets.words(); ++i)
    for (u64 bits = exits.words[i]; bits; bits &= bits - 1)
      f(64 * i + static_cast<u32>(std::countr_zero(bits)));
}

}  // namespace

GraphDetours::GraphDetours(const Fabric& fabric, PortSets sets, GraphDetourOptions options)
    : sets_(std::move(sets)), graph_(fabric), options_(std::move(options)) {}

GraphDetours::Way GraphDetours::way(const Header& header) const {
  const Nic goal{index(header.to)}, middle{static_cast<u32>(header.tag)};
  return {goal, middle, distance(leaf(middle), goal)};
}

u32 GraphDetours::around(u32 v, const Way& way) const {
  const u32 to_middle = distance(v, way.middle), to_goal = distance(v, way.goal);
  return to_middle == to_goal + way.apart ? to_goal : to_middle + way.apart;  // it may pass the goal
}

void GraphDetours::go_straight(Node node, const Way& way, bool may_be_upper, bool may_revise,
                               Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, way.goal);
  const u32 v = index(node) - sets_.first_node(), own = lane(exits.left);
  const auto offer_on = [&](u32 port, u32 on, u8 state) {
    out.push_back({Port{port}, static_cast<u16>(1u << on), state, exits.left});
  };
  const auto& groups = options_.groups;
  const bool leaves_group = may_revise && groups[v] != groups[leaf(way.goal)];
  each_port(sets_, exits, [&](u32 port) {
    if (leaves_group && groups[next(v, port)] == groups[v])
      return offer_on(port, lanes() - 1 - has_escape(), revises);
    offer_on(port, own, lower_half);
    if (may_be_upper) offer_on(port, reach() + own, upper_half);
  });
}

void GraphDetours::go_around(Node node, const Way& way, Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, way.middle);
  const u32 v = index(node) - sets_.first_node();
  each_port(sets_, exits, [&](u32 port) {
    const u32 left = around(next(v, port), way) + 1;
    out.push_back({Port{port}, static_cast<u16>(1u << (reach() + lane(exits.left))), Detour::to_middle,
                   static_cast<u8>(left)});
  });
}

void GraphDetours::take_escape(u32 v, const Way& way, u8 state, Hops& out) const {
  const auto on = static_cast<u16>(1u << (lanes() - 1));
  options_.escape->each_hop(graph_, leaf(way.goal), v, state != descends, [&](u32 cable, bool up, u8 left) {
    out.push_back({graph_.port(v, cable), on, up ? ascends : descends, static_cast<u8>(left + 1)});
  });
}

void GraphDetours::offer_adaptive(Node node, u8 state, const Way& way, Hops& out) const {
  const u32 v = index(node) - sets_.first_node();
  const bool has_middle = v != leaf(way.middle) && distance(v, way.middle) != PortSets::far;
  if (state == Detour::to_middle)
    return has_middle ? go_around(node, way, out) : go_straight(node, way, false, false, out);
  const bool decides = state == Detour::undecided || state == revises;
  go_straight(node, way, state != lower_half, is_progressive() && state == Detour::undecided, out);
  const bool is_other = leaf(way.middle) != leaf(way.goal);
  if (decides && has_middle && is_other) go_around(node, way, out);
}

void GraphDetours::offer(Node node, const Header& header, const Way& way, Hops& out) const {
  const u32 v = index(node) - sets_.first_node();
  if (v == leaf(way.goal)) {
    const PortSets::Exits exits = sets_.exits(node, way.goal);
    return out.push_back({exits.only, static_cast<u16>((1u << lanes()) - 1), header.state, 0});
  }
  if (!has_escape() || header.state < descends) offer_adaptive(node, header.state, way, out);
  if (has_escape()) take_escape(v, way, header.state, out);
}

void GraphDetours::hops(Node node, const Header& header, Hops& out) const {
  const Way by = way(header);
  if (index(node) >= sets_.first_node()) {
    if (distance(index(node) - sets_.first_node(), by.goal) != PortSets::far) offer(node, header, by, out);
    return;
  }
  const u32 from = graph_.leaf[index(node)];
  if (from == SwitchCables::nowhere || distance(from, by.goal) == PortSets::far) return;
  offer(Node{from + sets_.first_node()}, header, by, out);
  u32 left = 0xff;
  for (const Hop& hop : out)
    if (!is_escape(hop)) left = std::min<u32>(left, hop.left + 1u);
  out.clear();
  out.push_back({Port{0}, static_cast<u16>((1u << lanes()) - 1), header.state, static_cast<u8>(left)});
}

}  // namespace banyan::routing
