#include <cmath>

#include "topology/map/fabric_map.hpp"

namespace banyan::topology {
namespace {

double rounded_place(double x) { return std::round(100 * x) / 100; }
std::vector<double> corners(const MapBox& box) {
  return {rounded_place(box.left), rounded_place(box.top), rounded_place(box.right),
          rounded_place(box.bottom)};
}

void add_nodes(MapData& out, const Fabric& fabric, const FabricMap& map) {
  for (const Node node : fabric.nodes()) {
    out.names.push_back(fabric.name(node));
    out.x.push_back(rounded_place(map.at[node].x)), out.y.push_back(rounded_place(map.at[node].y));
    out.group.push_back(map.group[node] == MapGroup::none ? -1 : static_cast<i64>(map.group[node]));
    out.first_channel.push_back(index(fabric.channel(node, Port{0})));
  }
}

void add_cables(MapData& out, const Fabric& fabric) {
  fabric.each_link(
      [&](const Link& link) { out.cables.push_back(index(link.a)), out.cables.push_back(index(link.b)); });
  for (const Link& link : fabric.taken())
    out.taken.push_back(index(link.a)), out.taken.push_back(index(link.b));
  if (!fabric.has_port_labels()) return;
  out.port_labels.emplace();
  for (const Channel c : fabric.channels())
    out.port_labels->emplace_back(fabric.port_number(c), std::string(fabric.port_text(c)));
}

void add_groups(MapData& out, const FabricMap& map) {
  for (const MapGroup& group : map.groups)
    out.groups.push_back({group.name,
                          group.parent == MapGroup::none ? std::nullopt : std::optional(group.parent),
                          group.hosts, group.switches, rounded_place(group.detail), corners(group.box)});
  for (const FabricMap::Level& level : map.levels)
    out.levels.push_back({level.nodes, rounded_place(level.y)});
}

}  // namespace

MapData map_data(const Fabric& fabric, const FabricMap& map) {
  MapData out{.kind = map.kind,
              .hosts = fabric.hosts(),
              .rails = fabric.columns(),
              .nics = fabric.nics(),
              .switches = fabric.switches(),
              .links = fabric.links(),
              .channels = static_cast<u32>(fabric.channels().size()),
              .box = corners(map.box)};
  add_nodes(out, fabric, map);
  add_cables(out, fabric);
  add_groups(out, map);
  return out;
}

}  // namespace banyan::topology
