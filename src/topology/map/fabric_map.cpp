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

namespace {

// A host with several NICs counts once in a group.
void count_hosts(const Fabric& fabric, FabricMap& map) {
  std::vector<u32> last(map.groups.size(), fabric.hosts());  // the host that was counted last
  for (u32 host = 0; host < fabric.hosts(); ++host)
    for (u32 rail = 0; rail < fabric.rails(); ++rail)
      for (u32 g = map.group[fabric.node(fabric.nic(Host{host}, rail))]; g != MapGroup::none;
           g = map.groups[g].parent)
        if (last[g] != host) last[g] = host, ++map.groups[g].hosts;
}

}  // namespace

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
    group.switches += topology.fabric.is_switch(node);
  }
  if (!map.levels.empty()) map.levels[0].nodes = topology.fabric.hosts();
  count_hosts(topology.fabric, map);
  for (std::size_t i = map.groups.size(); i-- > 0;) {  // parents come before their children
    MapGroup& group = map.groups[i];
    group.box = group.box.grown(0.4 * std::min(group.detail, 2.5));
    if (group.parent == MapGroup::none) continue;
    MapGroup& parent = map.groups[group.parent];
    parent.box.include(group.box);
    parent.switches += group.switches;
  }
  map.box = map.box.grown(2);
  return std::move(map);
}

namespace {

void draw_plane(Sheet& sheet, const Pgft& shape, const PlanePlace& plane) { draw_tree(sheet, shape, plane); }
template <class S>
  requires requires(const S& s) { s.grid, s.hosts_per_switch; }
void draw_plane(Sheet& sheet, const S& shape, const PlanePlace& plane) {
  draw_grid(sheet, shape.grid, shape.hosts_per_switch, plane);
}
void draw_plane(Sheet& sheet, const Dragonfly& shape, const PlanePlace& plane) {
  draw_dragonfly(sheet, shape, plane);
}
void draw_plane(Sheet& sheet, const DragonflyPlus& shape, const PlanePlace& plane) {
  draw_dragonfly(sheet, shape, plane);
}
void draw_plane(Sheet& sheet, const GraphShape& shape, const PlanePlace& plane) {
  draw_graph(sheet, shape, plane);
}

FabricMap::Kind map_kind_of(const Topology& topology) {
  const Places places(topology);
  const Grid* grid = places.grid();
  return places.is_tree()                 ? FabricMap::Kind::tree
         : grid && grid->dimensions() > 1 ? FabricMap::Kind::grid
                                          : FabricMap::Kind::ring;
}

// In how many columns tiles of this size are largest on a sheet that is half as wide again as it is high.
u32 columns_for(u32 tiles, double width, double height) {
  constexpr double aspect = 1.5;
  const auto scale = [&](u32 columns) {
    return std::min(aspect / (columns * width), 1 / ((tiles + columns - 1) / columns * height));
  };
  u32 best = 1;
  for (u32 columns = 2; columns <= tiles; ++columns)
    if (scale(columns) > scale(best)) best = columns;
  return best;
}

// All planes were drawn in the same place: they become tiles.
void move_apart(Sheet& sheet, u32 planes) {
  if (planes == 1) return;
  MapBox one = nothing;
  for (const MapPoint& at : sheet.map.at) one.include(at);
  const double width = 1.12 * (one.right - one.left) + 4, height = 1.25 * (one.bottom - one.top) + 4;
  const u32 columns = columns_for(planes, width, height);
  const Places places(sheet.topology);
  for (const Node node : sheet.topology.fabric.nodes()) {
    const u32 plane = places.has(node) ? places.plane(node) : 0;
    sheet.map.at[node].x += plane % columns * width;
    sheet.map.at[node].y += plane / columns * height;
  }
}

}  // namespace

// The planes as tiles, row by row, as their shape is drawn; a shape that has no drawing of its own is drawn
// like a graph without one.
FabricMap fabric_map(const Topology& topology) {
  return std::visit(
      [&](const auto& shape) {
        if constexpr (requires(Sheet sheet, PlanePlace plane) { draw_plane(sheet, shape, plane); }) {
          Sheet sheet(topology, map_kind_of(topology));
          const Planes planes = topology.numbering();
          for (u32 p = 0; p < topology.planes; ++p) {
            const u32 group = topology.planes == 1
                                  ? MapGroup::none
                                  : sheet.add_group(fmt::format("rail {}", p), MapGroup::none, 40);
            draw_plane(sheet, shape, PlanePlace{planes[p], group});
          }
          move_apart(sheet, topology.planes);
          return std::move(sheet).finish();
        } else {
          return draw_irregular(topology);
        }
      },
      topology.shape);
}

}  // namespace banyan::topology
