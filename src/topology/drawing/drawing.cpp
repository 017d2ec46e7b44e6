#include "topology/drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "topology/drawing/sheet.hpp"

namespace banyan {
namespace {

constexpr Box nothing{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(),
                      std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};

}  // namespace

void Box::include(Point p) {
  left = std::min(left, p.x), right = std::max(right, p.x);
  top = std::min(top, p.y), bottom = std::max(bottom, p.y);
}

void Box::include(const Box& other) {
  include(Point{other.left, other.top});
  include(Point{other.right, other.bottom});
}

std::string_view name_of(Drawing::Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"tree", "grid", "ring", "layers", "free"};
  return names[static_cast<std::size_t>(kind)];
}

Sheet::Sheet(const Topology& t, Drawing::Kind kind) : topology(t) {
  const std::size_t nodes = t.fabric.nodes().size();
  drawing.kind = kind;
  drawing.at = IdVector<Node, Point>(nodes, Point{});
  drawing.level = IdVector<Node, u32>(nodes, 0);
  drawing.group = IdVector<Node, u32>(nodes, DrawnGroup::none);
}

u32 Sheet::add_group(std::string name, u32 parent, double detail) {
  drawing.groups.push_back({std::move(name), parent, detail, 0, 0, nothing});
  return static_cast<u32>(drawing.groups.size()) - 1;
}

void Sheet::place(Node node, Point at, u32 level, u32 group) {
  drawing.at[node] = at;
  drawing.level[node] = level;
  drawing.group[node] = group;
}

void Sheet::place_hosts(std::span<const Node> nics, Point center, double width, u32 group) {
  const double count = static_cast<double>(nics.size());
  const double step = nics.size() < 2 ? 0 : std::min(1.0, width / (count - 1));
  for (std::size_t i = 0; i < nics.size(); ++i)
    place(nics[i], {center.x + (static_cast<double>(i) - (count - 1) / 2) * step, center.y}, 0, group);
}

Drawing Sheet::finish() && {
  drawing.box = nothing;
  for (const Node node : topology.fabric.nodes()) {
    drawing.box.include(drawing.at[node]);
    const u32 g = drawing.group[node];
    if (g == DrawnGroup::none) continue;
    DrawnGroup& group = drawing.groups[g];
    group.box.include(drawing.at[node]);
    ++(topology.fabric.is_switch(node) ? group.switches : group.hosts);
  }
  for (std::size_t i = drawing.groups.size(); i-- > 0;) {  // parents come before their children
    DrawnGroup& group = drawing.groups[i];
    group.box = group.box.grown(0.4 * std::min(group.detail, 2.5));
    if (group.parent == DrawnGroup::none) continue;
    DrawnGroup& parent = drawing.groups[group.parent];
    parent.box.include(group.box);
    parent.hosts += group.hosts;
    parent.switches += group.switches;
  }
  drawing.box = drawing.box.grown(2);
  return std::move(drawing);
}

Drawing draw(const Topology& topology) {
  if (std::holds_alternative<Irregular>(topology.shape)) return draw_irregular(topology);
  const Fabric& fabric = topology.fabric;
  const bool is_tree = std::holds_alternative<Pgft>(topology.shape);
  const bool is_grid =
      std::holds_alternative<HyperX>(topology.shape) || std::holds_alternative<Torus>(topology.shape);
  Sheet sheet(topology, is_tree ? Drawing::Kind::tree : is_grid ? Drawing::Kind::grid : Drawing::Kind::ring);
  double top = 0;
  for (u32 p = 0; p < topology.planes; ++p) {
    const u32 group = topology.planes == 1
                          ? DrawnGroup::none
                          : sheet.add_group(fmt::format("plane {}", p), DrawnGroup::none, 40);
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

}  // namespace banyan
