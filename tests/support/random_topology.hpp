// Random small topologies of every kind, for property tests. Call inside a property.
#pragma once
#include <rapidcheck.h>

#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "topology/family.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {

inline u32 draw(u32 least, u32 maximum) {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::inRange(least, maximum + 1));  // the whole range from the start
}

// The order in which arguments are evaluated, and operands of most operators, is not the same everywhere: of
// two draws in one list a seed would name another case on another machine. So each draw has a statement of
// its own, or stands between braces.

// The product of two numbers from 0 on: 0 more often than others.
inline u32 draw_product(u32 max_first, u32 max_second) {
  const u32 first = draw(0, max_first);
  return first * draw(0, max_second);
}
inline u64 draw_seed() {
  const u64 high = draw(0, 1u << 30);
  return (high << 30) + draw(0, 1u << 30);
}

inline std::vector<u32> draw_numbers(std::size_t count, u32 least, u32 maximum) {
  std::vector<u32> out(count);
  for (u32& number : out) number = draw(least, maximum);
  return out;
}

inline Pgft random_pgft(u32 max_children = 4) {
  const u32 h = draw(1, 3);
  Pgft tree{draw_numbers(h, 1, max_children), draw_numbers(h, 1, 3), draw_numbers(h, 1, 2)};
  if (draw(0, 1) == 0) tree.w[0] = tree.p[0] = 1;
  tree.host_slots = tree.m[0] + (draw(0, 2) == 0 ? 2 : 0);
  tree.links.resize(h);
  return tree;
}

// NICs of a host spread over neighbouring leaves.
inline Pgft random_rail_optimised(u32 max_children = 4) {
  Pgft tree = random_pgft(max_children);
  tree.w[0] = 1;
  const u32 leaves = tree.endpoints() / tree.m[0];
  tree.nics = HostNics::on_rails(std::gcd(draw(2, 4), leaves));
  return tree;
}

// Several NICs of a host on a leaf, or on each of some neighbouring leaves.
inline Pgft random_plain_nics(u32 max_children = 4) {
  Pgft tree = random_pgft(max_children);
  const u32 leaves = std::gcd(draw(1, 3), tree.endpoints() / tree.m[0]), on_leaf = draw(1, 3);
  if (leaves > 1) tree.w[0] = 1;
  const u32 idle = tree.host_slots - tree.m[0];
  tree.m[0] *= on_leaf;
  tree.host_slots = tree.m[0] + idle;
  tree.nics = HostNics::plain(on_leaf * leaves, leaves);
  return tree;
}

inline Pgft random_several_nics(u32 max_children = 4) {
  return draw(0, 1) == 0 ? random_rail_optimised(max_children) : random_plain_nics(max_children);
}

inline HyperX random_hyperx(u32 max_dimensions = 3, u32 max_width = 4) {
  HyperX shape;
  shape.grid.widths = draw_numbers(draw(1, max_dimensions), 1, max_width);
  shape.trunk = draw(0, 1) == 0 ? std::vector<u32>(shape.grid.dimensions(), draw(1, 2))
                                : draw_numbers(shape.grid.dimensions(), 1, 3);
  shape.hosts_per_switch = draw(1, 3);
  shape.links.resize(shape.grid.dimensions() + 1);
  return shape;
}

inline Torus random_torus(u32 max_dimensions = 3, u32 max_width = 5) {
  Torus shape;
  shape.grid.widths = draw_numbers(draw(1, max_dimensions), 1, max_width);
  shape.wraps = draw(0, 1) == 0;
  shape.hosts_per_switch = draw(1, 3);
  shape.links.resize(shape.grid.dimensions() + 1);
  return shape;
}

inline Dragonfly random_dragonfly() {
  Dragonfly shape{draw(1, 2), draw(1, 3), draw(1, 2), 1, GlobalCabling::Order::relative, {{}, {}, {}}};
  shape.groups = draw(1, shape.group_switches * shape.global_ports + 1);
  if (draw(0, 1) == 0) shape.order = GlobalCabling::Order::absolute;
  return shape;
}

inline DragonflyPlus random_dragonfly_plus() {
  DragonflyPlus shape{draw(1, 2),  draw(1, 3), draw(1, 2), draw(1, 2), 1, GlobalCabling::Order::relative,
                      {{}, {}, {}}};
  shape.groups = draw(1, shape.spines * shape.global_ports + 1);
  if (draw(0, 1) == 0) shape.order = GlobalCabling::Order::absolute;
  return shape;
}

// Of any kind, in one to three planes, or a tree of hosts with several NICs.
inline Topology random_topology() {
  const u32 planes = draw(0, 1) == 0 ? 1 : draw(1, 3);
  switch (draw(0, 5)) {
    case 0:
      return build(random_pgft(), planes);
    case 1:
      return build(random_several_nics());
    case 2:
      return build(random_hyperx(), planes);
    case 3:
      return build(random_torus(), planes);
    case 4:
      return build(random_dragonfly(), planes);
    default:
      return build(random_dragonfly_plus(), planes);
  }
}

// Without some percent of its cables, host cables too.
inline Fabric broken(const Fabric& fabric, u32 percent, u64 seed) {
  std::vector<Link> cables;
  fabric.each_link([&](Link link) { cables.push_back(link); });
  Random(seed).shuffle(std::span(cables));
  cables.resize(cables.size() * percent / 100);
  return without(fabric, cables);
}
inline Fabric broken_somewhere(const Fabric& fabric, u32 max_percent) {
  const u32 percent = draw(0, max_percent);
  return broken(fabric, percent, draw(0, 1000));
}
// In half of the cases whole.
inline Fabric broken_or_whole(const Fabric& fabric, u32 max_percent) {
  const u32 percent = draw_product(1, max_percent);
  return broken(fabric, percent, draw_seed());
}

// In one plane or several.
template <class Shape>
Topology build_in_planes(const Shape& shape, u32 max_planes) {
  return build(shape, draw(1, max_planes));
}

}  // namespace banyan::tests
