#include "topology/map/fabric_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "topology/map/sheet.hpp"

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

std::string_view name_of(FabricMap::Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"tree", "grid", "ring", "layers", "free"};
  return names[static_cast<std::size_t>(kind)];
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

FabricMap fabric_map(const Topology& topology) {
  if (std::holds_alternative<Irregular>(topology.shape)) return draw_irregular(topology);
  const Fabric& fabric = topology.fabric;
  const bool is_tree = std::holds_alternative<Pgft>(topology.shape);
  const bool is_grid =
      std::holds_alternative<HyperX>(topology.shape) || std::holds_alternative<Torus>(topology.shape);
  Sheet sheet(topology, is_tree   ? FabricMap::Kind::tree
                        : is_grid ? FabricMap::Kind::grid
                                  : FabricMap::Kind::ring);
  double top = 0;
  for (u32 p = 0; p < topology.planes; ++p) {
    const u32 group = topology.planes == 1 ? MapGroup::none
                                           : sheet.add_group(fmt::format("plane {}", p), MapGroup::none, 40);
    const PlanePlace plane{p * (fabric.nics() / topology.planes),
                           fabric.nics() + p * (fabric.switches() / topology.planes), group, top};
    top += 1.25 * std::visit(
                      [&]<class S>(const S& shape) -> double {
                        if constexpr (std::same_as<S, Pgft>) return draw_tree(sheet, shape, plane);
                        if constexpr (std::same_as<S, HyperX> || std::same_as<S, Torus>)
                          return draw_grid(sheet, shape.grid, shape.hosts_per_switch, plane);
                        if constexpr (std::same_as<S, Dragonfly> || std::same_as<S, DragonflyPlus>)
                          return draw_dragonfly(sheet, shape, plane);
                        return 0;
                      },
                      topology.shape);
  }
  return std::move(sheet).finish();
}

}  // namespace banyan::topology
