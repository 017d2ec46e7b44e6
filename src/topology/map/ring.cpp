// Dragonflies as a ring of groups: cables of a group stay inside it, those between groups cross the middle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/map/sheet.hpp"

namespace banyan::topology {
namespace {

// A ring with room for `count` things of that width; where the i-th stands, and what is outwards there.
struct Ring {
  u32 count;
  double radius;
  MapPoint center;

  static Ring around(u32 count, double width) {
    return {count, count < 2 ? 0 : std::max(width * 0.75, count * width / (2 * pi)), {0, 0}};
  }
  double angle(u32 i) const { return 2 * pi * i / std::max(1u, count) - pi / 2; }
  // `out` outwards and `aside` to the right of who looks there.
  MapPoint at(u32 i, double out = 0, double aside = 0) const {
    const double c = std::cos(angle(i)), s = std::sin(angle(i)), r = radius + out;
    return {center.x + r * c - aside * s, center.y + r * s + aside * c};
  }
};

// The hosts of a switch in a row across the direction from `from` to the switch.
void fan_hosts(Sheet& sheet, const std::vector<Node>& nics, MapPoint from, MapPoint at, double out,
               double width, u32 group) {
  const double length = std::max(1e-9, std::hypot(at.x - from.x, at.y - from.y));
  const double dx = (at.x - from.x) / length, dy = (at.y - from.y) / length;
  const double count = static_cast<double>(nics.size());
  const double step = std::min(1.0, width / std::max(1.0, count));
  for (std::size_t i = 0; i < nics.size(); ++i) {
    const double aside = (static_cast<double>(i) - (count - 1) / 2) * step;
    sheet.place(nics[i], {at.x + out * dx - aside * dy, at.y + out * dy + aside * dx}, 0, group);
  }
}

std::vector<Node> hosts_of(const PlanePlace& plane, u32 s, u32 count) {
  std::vector<Node> out;
  for (u32 i = 0; i < count; ++i) out.push_back(plane.nic(s * count + i));
  return out;
}

}  // namespace

void draw_dragonfly(Sheet& sheet, const Dragonfly& shape, const PlanePlace& plane) {
  const u32 a = shape.group_switches;
  const double room = std::max(4.0, 1.2 * shape.hosts_per_switch);
  const Ring inner = Ring::around(a, room);
  const double width = 2 * inner.radius + 12;
  const Ring outer = Ring::around(shape.groups, width * 1.15);
  for (u32 g = 0; g < shape.groups; ++g) {
    const u32 group = sheet.add_group(fmt::format("group {}", g), plane.group, room);
    const Ring local{a, inner.radius, outer.at(g)};
    for (u32 i = 0; i < a; ++i) {
      const u32 s = g * a + i;
      const MapPoint at = local.at(i);
      const u32 own = sheet.add_group(sheet.topology.fabric.name(plane.switch_(s)), group, 1);
      sheet.place(plane.switch_(s), at, 1, own);
      const MapPoint from = a > 1 ? local.center : outer.center;
      fan_hosts(sheet, hosts_of(plane, s, shape.hosts_per_switch), from, at, 3, room * 0.9, own);
    }
  }
}

void draw_dragonfly(Sheet& sheet, const DragonflyPlus& shape, const PlanePlace& plane) {
  const double leaf_room = std::max(4.0, 1.2 * shape.hosts_per_leaf);
  const double width = std::max(shape.leaves * leaf_room, shape.spines * 4.0), deep = 0.35 * width + 3;
  const Ring outer = Ring::around(shape.groups, width * 1.15);
  for (u32 g = 0; g < shape.groups; ++g) {
    const u32 group = sheet.add_group(fmt::format("group {}", g), plane.group, leaf_room);
    const auto aside = [&](u32 i, u32 of) { return (i + 0.5 - of / 2.0) * width / of; };
    for (u32 i = 0; i < shape.leaves; ++i) {
      const u32 s = g * shape.leaves + i;
      const u32 own = sheet.add_group(sheet.topology.fabric.name(plane.switch_(s)), group, 1);
      const MapPoint at = outer.at(g, deep, aside(i, shape.leaves));
      sheet.place(plane.switch_(s), at, 1, own);
      fan_hosts(sheet, hosts_of(plane, s, shape.hosts_per_leaf), outer.at(g, 0, aside(i, shape.leaves)), at,
                3, leaf_room * 0.9, own);
    }
    for (u32 i = 0; i < shape.spines; ++i)
      sheet.place(plane.switch_(shape.groups * shape.leaves + g * shape.spines + i),
                  outer.at(g, 0, aside(i, shape.spines)), 2, group);
  }
}

}  // namespace banyan::topology
