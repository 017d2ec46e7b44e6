#include "topology/map/fabric_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "topology/map/sheet.hpp"
#include "topology/place.hpp"
#include "topology/plane_sum.hpp"

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
    for (u32 slot = 0; slot < fabric.nics(Host{host}); ++slot)
      for (u32 g = map.group[fabric.node(fabric.nic(Host{host}, slot))]; g != MapGroup::none;
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

double width_of(const FabricMap& map) { return map.box.right - map.box.left; }
double height_of(const FabricMap& map) { return map.box.bottom - map.box.top; }

// Where drawings of different sizes stand: in rows and columns that are as wide as they must be, each in the
// middle of its cell.
std::vector<MapPoint> cells(const std::vector<FabricMap>& maps) {
  double width = 0, height = 0;
  for (const FabricMap& map : maps) {
    width = std::max(width, width_of(map));
    height = std::max(height, height_of(map));
  }
  const u32 count = static_cast<u32>(maps.size()), columns = columns_for(count, width, height);
  std::vector<double> widths(columns, 0), heights((count + columns - 1) / columns, 0);
  for (u32 i = 0; i < count; ++i) {
    widths[i % columns] = std::max(widths[i % columns], width_of(maps[i]));
    heights[i / columns] = std::max(heights[i / columns], height_of(maps[i]));
  }
  std::vector<MapPoint> out;
  for (u32 i = 0; i < count; ++i) {
    const u32 column = i % columns, row = i / columns;
    const double left = std::accumulate(widths.begin(), widths.begin() + column, 0.0);
    const double top = std::accumulate(heights.begin(), heights.begin() + row, 0.0);
    out.push_back({left + (widths[column] - width_of(maps[i])) / 2 - maps[i].box.left,
                   top + (heights[row] - height_of(maps[i])) / 2 - maps[i].box.top});
  }
  return out;
}

// The drawing of some planes of a sum, moved by `by`. Its planes are rails of the sum, from `rail` on.
void add_planes(Sheet& sheet, const PlaneGroup& planes, const FabricMap& map, MapPoint by, u32 rail) {
  const u32 own_nics = planes.topology.fabric.nics();
  u32 around = MapGroup::none;
  if (planes.topology.planes == 1) around = sheet.add_group(fmt::format("rail {}", rail), MapGroup::none, 40);
  const u32 first = static_cast<u32>(sheet.map.groups.size());
  const auto moved = [&](u32 group) { return group == MapGroup::none ? around : first + group; };
  u32 named = 0;
  for (const MapGroup& group : map.groups) {
    const bool is_plane = around == MapGroup::none && group.parent == MapGroup::none;
    sheet.add_group(is_plane ? fmt::format("rail {}", rail + named++) : group.name, moved(group.parent),
                    group.detail);
  }
  for (const Node node : planes.topology.fabric.nodes()) {
    const u32 i = index(node);
    const Node own{i < own_nics ? planes.first_nic + i : planes.first_switch + i - own_nics};
    const MapPoint at = map.at[node];
    sheet.place(own, {at.x + by.x, at.y + by.y}, map.level[node], moved(map.group[node]));
  }
}

// Each plane as its shape is drawn.
FabricMap draw_sum(const Topology& sum) {
  const std::vector<PlaneGroup> summands = plane_groups(sum);
  std::vector<FabricMap> maps;
  for (const PlaneGroup& planes : summands) maps.push_back(fabric_map(planes.topology));
  const bool are_alike =
      std::ranges::all_of(maps, [&](const FabricMap& map) { return map.kind == maps[0].kind; });
  Sheet sheet(sum, are_alike ? maps[0].kind : FabricMap::Kind::free);
  const std::vector<MapPoint> at = cells(maps);
  u32 rail = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    add_planes(sheet, summands[i], maps[i], at[i], rail);
    rail += summands[i].topology.planes;
  }
  return std::move(sheet).finish();
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
          return is_plane_sum(topology) ? draw_sum(topology) : draw_irregular(topology);
        }
      },
      topology.shape);
}

}  // namespace banyan::topology
