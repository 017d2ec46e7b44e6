// Dragonflies, and graphs with groups, as a ring of groups: cables of a group stay inside it, those between
// groups cross the middle.
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

namespace {

// Groups on a ring, each a ring of its switches. `hosts(s)` are those of switch s of the plane.
void draw_groups(Sheet& sheet, const std::vector<std::vector<u32>>& groups, auto&& hosts,
                 const PlanePlace& plane) {
  std::size_t switches = 1, max_hosts = 0;
  for (const auto& members : groups) {
    switches = std::max(switches, members.size());
    for (const u32 s : members) max_hosts = std::max(max_hosts, hosts(s).size());
  }
  const double room = std::max(4.0, 1.2 * static_cast<double>(max_hosts));
  const double width = 2 * Ring::around(static_cast<u32>(switches), room).radius + 12;
  const Ring outer = Ring::around(static_cast<u32>(groups.size()), width * 1.15);
  for (u32 g = 0; g < groups.size(); ++g) {
    const u32 group = sheet.add_group(fmt::format("group {}", g), plane.group, room);
    const u32 count = static_cast<u32>(groups[g].size());
    const Ring local{count, Ring::around(count, room).radius, outer.at(g)};
    for (u32 i = 0; i < count; ++i) {
      const u32 s = groups[g][i];
      const MapPoint at = local.at(i), from = count > 1 ? local.center : outer.center;
      const std::vector<Node> nics = hosts(s);
      const u32 own =
          nics.empty() ? group : sheet.add_group(sheet.topology.fabric.name(plane.switch_(s)), group, 1);
      sheet.place(plane.switch_(s), at, nics.empty() ? 2 : 1, own);
      fan_hosts(sheet, nics, from, at, 3, room * 0.9, own);
    }
  }
}

}  // namespace

void draw_dragonfly(Sheet& sheet, const Dragonfly& shape, const PlanePlace& plane) {
  std::vector<std::vector<u32>> groups(shape.groups);
  for (u32 s = 0; s < shape.groups * shape.group_switches; ++s) groups[shape.group(s)].push_back(s);
  draw_groups(
      sheet, groups, [&](u32 s) { return hosts_of(plane, s, shape.hosts_per_switch); }, plane);
}

void draw_graph(Sheet& sheet, const GraphShape& shape, const PlanePlace& plane) {
  std::vector<std::vector<u32>> groups;
  for (u32 s = 0; s < shape.switches(); ++s) {
    groups.resize(std::max<std::size_t>(groups.size(), shape.group(s) + 1));
    groups[shape.group(s)].push_back(s);
  }
  draw_groups(
      sheet, groups, [&](u32 s) { return hosts_of(plane, s, s < shape.leaves ? shape.hosts_per_switch : 0); },
      plane);
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
