#include "topology/map/fabric_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "topology/map/sheet.hpp"
#include "topology/place.hpp"

namespace banyan::topology {
namespace {

constexpr MapBox nothing{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(),
                         std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};

}  // namespace

void MapBox::include(MapPoint p) {
  left = std::min(left, p.x), right = std::max(right, p.x);
  top = std::min(top, p.y), bottom = std::max(bottom, p.y);
}

void MapBox::include(const MapBox& other) {
  include(MapPoint{other.left, other.top});
  include(MapPoint{other.right, other.bottom});
}

Sheet::Sheet(const Topology& t, FabricMap::Kind kind) : topology(t) {
  const std::size_t nodes = t.fabric.nodes().size();
  map.kind = kind;
  map.at = IdVector<Node, MapPoint>(nodes, MapPoint{});
  map.level = IdVector<Node, u32>(nodes, 0);
  map.group = IdVector<Node, u32>(nodes, MapGroup::none);
}

u32 Sheet::add_group(std::string name, u32 parent, double detail) {
  map.groups.push_back({std::move(name), parent, detail, 0, 0, nothing});
  return static_cast<u32>(map.groups.size()) - 1;
}

void Sheet::place(Node node, MapPoint at, u32 level, u32 group) {
  map.at[node] = at;
  map.level[node] = level;
  map.group[node] = group;
}

void Sheet::place_hosts(std::span<const Node> nics, MapPoint center, double width, u32 group) {
  const double count = static_cast<double>(nics.size());
  const double step = nics.size() < 2 ? 0 : std::min(1.0, width / (count - 1));
  for (std::size_t i = 0; i < nics.size(); ++i)
    place(nics[i], {center.x + (static_cast<double>(i) - (count - 1) / 2) * step, center.y}, 0, group);
}

FabricMap Sheet::finish() && {
  map.box = nothing;
  for (const Node node : topology.fabric.nodes()) {
    map.box.include(map.at[node]);
    if (map.kind == FabricMap::Kind::tree || map.kind == FabricMap::Kind::layers) {
      if (map.levels.size() <= map.level[node]) map.levels.resize(map.level[node] + 1);
      FabricMap::Level& level = map.levels[map.level[node]];
      if (level.nodes++ == 0) level.y = map.at[node].y;
    }
    const u32 g = map.group[node];
    if (g == MapGroup::none) continue;
    MapGroup& group = map.groups[g];
    group.box.include(map.at[node]);
    ++(topology.fabric.is_switch(node) ? group.switches : group.hosts);
  }
  for (std::size_t i = map.groups.size(); i-- > 0;) {  // parents come before their children
    MapGroup& group = map.groups[i];
    group.box = group.box.grown(0.4 * std::min(group.detail, 2.5));
    if (group.parent == MapGroup::none) continue;
    MapGroup& parent = map.groups[group.parent];
    parent.box.include(group.box);
    parent.hosts += group.hosts;
    parent.switches += group.switches;
  }
  map.box = map.box.grown(2);
  return std::move(map);
}

namespace {

double draw_plane(Sheet& sheet, const Pgft& shape, const PlanePlace& plane) {
  return draw_tree(sheet, shape, plane);
}
template <class S>
  requires requires(const S& s) { s.grid, s.hosts_per_switch; }
double draw_plane(Sheet& sheet, const S& shape, const PlanePlace& plane) {
  return draw_grid(sheet, shape.grid, shape.hosts_per_switch, plane);
}
double draw_plane(Sheet& sheet, const Dragonfly& shape, const PlanePlace& plane) {
  return draw_dragonfly(sheet, shape, plane);
}
double draw_plane(Sheet& sheet, const DragonflyPlus& shape, const PlanePlace& plane) {
  return draw_dragonfly(sheet, shape, plane);
}

FabricMap::Kind map_kind_of(const Topology& topology) {
  const Places places(topology);
  return places.is_tree() ? FabricMap::Kind::tree
         : places.grid()  ? FabricMap::Kind::grid
                          : FabricMap::Kind::ring;
}

}  // namespace

// Plane below plane, as their shape is drawn; a shape that has no drawing of its own like a graph without
// one.
FabricMap fabric_map(const Topology& topology) {
  return std::visit(
      [&](const auto& shape) {
        if constexpr (requires(Sheet sheet, PlanePlace plane) { draw_plane(sheet, shape, plane); }) {
          Sheet sheet(topology, map_kind_of(topology));
          const Planes planes = topology.numbering();
          double top = 0;
          for (u32 p = 0; p < topology.planes; ++p) {
            const u32 group = topology.planes == 1
                                  ? MapGroup::none
                                  : sheet.add_group(fmt::format("plane {}", p), MapGroup::none, 40);
            top += 1.25 * draw_plane(sheet, shape, PlanePlace{planes[p], group, top});
          }
          return std::move(sheet).finish();
        } else {
          return draw_irregular(topology);
        }
      },
      topology.shape);
}

}  // namespace banyan::topology
