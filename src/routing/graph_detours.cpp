#include "routing/graph_detours.hpp"

#include <algorithm>
#include <bit>

#include "fabric/attachments.hpp"

namespace banyan::routing {

namespace {

constexpr u32 nowhere = ~u32{0};
constexpr u8 lower_half = Detour::to_goal(0), upper_half = Detour::to_goal(1);

// Calls f(port) for every port of a set.
void each_port(const PortSets& sets, const PortSets::Exits& exits, auto&& f) {
  for (u32 i = 0; exits.words && i < sets.words(); ++i)
    for (u64 bits = exits.words[i]; bits; bits &= bits - 1)
      f(64 * i + static_cast<u32>(std::countr_zero(bits)));
}

}  // namespace

GraphDetours::GraphDetours(const Fabric& fabric, PortSets sets, u32 reach)
    : sets_(std::move(sets)), reach_(reach), leaf_(fabric.nics(), nowhere) {
  for (const Node s : fabric.switch_nodes()) {
    first_.push_back(static_cast<u32>(to_.size()));
    for (const Channel c : fabric.channels(s)) {
      const Node to = fabric.to(c);
      to_.push_back(fabric.cabled(c) && fabric.is_switch(to) ? index(to) - fabric.nics() : nowhere);
    }
  }
  for (const Nic nic : IdRange<Nic>(fabric.nics()))
    if (const Node s = switch_of(fabric, nic); s != none<Node>) leaf_[index(nic)] = index(s) - fabric.nics();
}

GraphDetours::Way GraphDetours::way(const Header& header) const {
  const Nic goal{index(header.to)}, middle{static_cast<u32>(header.tag)};
  return {goal, middle, distance(leaf_[index(middle)], goal)};
}

u32 GraphDetours::around(u32 v, const Way& way) const {
  const u32 to_middle = distance(v, way.middle), to_goal = distance(v, way.goal);
  return to_middle == to_goal + way.apart ? to_goal : to_middle + way.apart;  // it may pass the goal
}

void GraphDetours::go_straight(Node node, const Way& way, bool may_be_upper, Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, way.goal);
  const u32 lane = exits.left - 1u;
  each_port(sets_, exits, [&](u32 port) {
    out.push_back({Port{port}, static_cast<u16>(1u << lane), lower_half, exits.left});
    if (may_be_upper)
      out.push_back({Port{port}, static_cast<u16>(1u << (reach_ + lane)), upper_half, exits.left});
  });
}

void GraphDetours::go_around(Node node, const Way& way, Hops& out) const {
  const PortSets::Exits exits = sets_.exits(node, way.middle);
  const u32 v = index(node) - sets_.first_node();
  each_port(sets_, exits, [&](u32 port) {
    const u32 left = around(to_[first_[v] + port], way) + 1;
    out.push_back({Port{port}, static_cast<u16>(1u << (reach_ + exits.left - 1)), Detour::to_middle,
                   static_cast<u8>(left)});
  });
}

void GraphDetours::offer(Node node, const Header& header, const Way& way, Hops& out) const {
  const u32 v = index(node) - sets_.first_node();
  if (v == leaf_[index(way.goal)]) {
    const PortSets::Exits exits = sets_.exits(node, way.goal);
    return out.push_back({exits.only, static_cast<u16>((1u << lanes()) - 1), header.state, 0});
  }
  const bool has_middle = v != leaf_[index(way.middle)] && distance(v, way.middle) != PortSets::far;
  if (header.state == Detour::to_middle)
    return has_middle ? go_around(node, way, out) : go_straight(node, way, false, out);
  go_straight(node, way, header.state != lower_half, out);
  const bool is_other = leaf_[index(way.middle)] != leaf_[index(way.goal)];
  if (header.state == Detour::undecided && has_middle && is_other) go_around(node, way, out);
}

void GraphDetours::hops(Node node, const Header& header, Hops& out) const {
  const Way by = way(header);
  if (index(node) >= sets_.first_node()) {
    if (distance(index(node) - sets_.first_node(), by.goal) != PortSets::far) offer(node, header, by, out);
    return;
  }
  const u32 leaf = leaf_[index(node)];
  if (leaf == nowhere || distance(leaf, by.goal) == PortSets::far) return;
  offer(Node{leaf + sets_.first_node()}, header, by, out);
  u32 left = 0xff;
  for (const Hop& hop : out) left = std::min<u32>(left, hop.left + 1u);
  out.clear();
  out.push_back({Port{0}, static_cast<u16>((1u << lanes()) - 1), header.state, static_cast<u8>(left)});
}

}  // namespace banyan::routing
