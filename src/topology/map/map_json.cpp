// A map as pages read it: flat arrays by node and by cable.
#include <cmath>

#include "topology/map/fabric_map.hpp"

namespace banyan::topology {
namespace {

double rounded_place(double x) { return std::round(100 * x) / 100; }
std::vector<double> corners(const MapBox& box) {
  return {rounded_place(box.left), rounded_place(box.top), rounded_place(box.right),
          rounded_place(box.bottom)};
}

void write_nodes(JsonWriter& json, const Fabric& fabric, const FabricMap& map) {
  std::vector<std::string> names;
  std::vector<double> x, y;
  std::vector<u32> first_channel;
  std::vector<i64> group;
  for (const Node node : fabric.nodes()) {
    names.push_back(fabric.name(node));
    x.push_back(rounded_place(map.at[node].x)), y.push_back(rounded_place(map.at[node].y));
    group.push_back(map.group[node] == MapGroup::none ? -1 : static_cast<i64>(map.group[node]));
    first_channel.push_back(index(fabric.channel(node, Port{0})));
  }
  json.field("names", names).field("x", x).field("y", y).field("group", group);
  json.field("first_channel", first_channel).field("channels", fabric.channels().size());
}

// As channels that leave the two ends, one cable after the other.
void write_cables(JsonWriter& json, const Fabric& fabric) {
  std::vector<u32> cables, taken, labels;
  bool has_labels = false;
  fabric.each_link(
      [&](const Link& link) { cables.push_back(index(link.a)), cables.push_back(index(link.b)); });
  for (const Link& link : fabric.taken()) taken.push_back(index(link.a)), taken.push_back(index(link.b));
  for (const Channel c : fabric.channels()) {
    labels.push_back(fabric.port_label(c));
    has_labels |= labels.back() != index(fabric.port(c)) + 1;
  }
  json.field("cables", cables).field("taken", taken);
  if (has_labels) json.field("port_labels", labels);
}

void write_groups(JsonWriter& json, const FabricMap& map) {
  json.key("groups").begin_array();
  for (const MapGroup& group : map.groups) {
    json.begin_object().field("name", group.name).key("parent");
    group.parent == MapGroup::none ? json.null() : json.value(group.parent);
    json.field("hosts", group.hosts).field("switches", group.switches);
    json.field("detail", rounded_place(group.detail)).field("box", corners(group.box)).end_object();
  }
  json.end_array().key("levels").begin_array();
  for (const FabricMap::Level& level : map.levels)
    json.begin_object().field("nodes", level.nodes).field("y", rounded_place(level.y)).end_object();
  json.end_array();
}

}  // namespace

void write_map(JsonWriter& json, const Fabric& fabric, const FabricMap& map) {
  json.field("kind", name_of(map.kind));
  json.field("hosts", fabric.hosts()).field("rails", fabric.rails()).field("nics", fabric.nics());
  json.field("switches", fabric.switches()).field("links", fabric.links()).field("box", corners(map.box));
  write_nodes(json, fabric, map);
  write_cables(json, fabric);
  write_groups(json, map);
}

}  // namespace banyan::topology
