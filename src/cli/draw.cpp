// banyan draw: where everything stands on a sheet.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "topology/map/fabric_map.hpp"

namespace banyan::cli {
namespace {

double rounded(double x) { return std::round(100 * x) / 100; }

class Draw {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Topology topology = load(fabric_).topology;
    tell_remark(topology);
    const FabricMap drawing = fabric_map(topology);
    as_json_ ? write(topology, drawing) : print(topology, drawing);
    return Exit::done;
  }

 private:
  static void print(const Topology& topology, const FabricMap& d) {
    std::cout << fmt::format("{}, drawn as {}: {:.0f} wide, {:.0f} high\n", described(topology),
                             name_of(d.kind), d.box.right - d.box.left, d.box.bottom - d.box.top);
    for (const MapGroup& group : d.groups)
      if (group.parent == MapGroup::none)
        std::cout << fmt::format("  {:<20} {} hosts, {} switches\n", group.name, group.hosts, group.switches);
  }

  static std::string described(const Topology& topology) {
    const std::string notation = canonical_notation(topology);
    return notation.empty() ? "an irregular fabric" : notation;
  }

  void write(const Topology& topology, const FabricMap& d) const {
    const Fabric& fabric = topology.fabric;
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", 0).field("fabric", fabric_.fabric);
    json.field("notation", canonical_notation(topology)).field("kind", name_of(d.kind));
    json.field("hosts", fabric.hosts()).field("rails", fabric.rails()).field("nics", fabric.nics());
    json.field("switches", fabric.switches()).field("links", fabric.links());
    json.field("box", std::vector<double>{rounded(d.box.left), rounded(d.box.top), rounded(d.box.right),
                                          rounded(d.box.bottom)});
    write_nodes(json, fabric, d);
    write_cables(json, fabric);
    json.key("groups").begin_array();
    for (const MapGroup& group : d.groups) {
      json.begin_object().field("name", group.name).key("parent");
      group.parent == MapGroup::none ? json.null() : json.value(group.parent);
      json.field("hosts", group.hosts).field("switches", group.switches);
      json.field("detail", rounded(group.detail));
      json.field("box", std::vector<double>{rounded(group.box.left), rounded(group.box.top),
                                            rounded(group.box.right), rounded(group.box.bottom)});
      json.end_object();
    }
    json.end_array().end_object();
  }

  static void write_nodes(JsonWriter& json, const Fabric& fabric, const FabricMap& d) {
    std::vector<std::string> names;
    std::vector<double> x, y;
    std::vector<u32> level, first_channel;
    std::vector<i64> group;
    for (const Node node : fabric.nodes()) {
      names.push_back(fabric.name(node));
      x.push_back(rounded(d.at[node].x)), y.push_back(rounded(d.at[node].y));
      level.push_back(d.level[node]);
      group.push_back(d.group[node] == MapGroup::none ? -1 : static_cast<i64>(d.group[node]));
      first_channel.push_back(index(fabric.channel(node, Port{0})));
    }
    json.field("names", names).field("x", x).field("y", y).field("level", level).field("group", group);
    json.field("first_channel", first_channel).field("channels", fabric.channels().size());
  }

  // As channels that leave the two ends, one cable after the other.
  static void write_cables(JsonWriter& json, const Fabric& fabric) {
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

  FabricArgument fabric_;
  bool as_json_ = false;
};

}  // namespace

Verb draw_verb() {
  return make_verb<Draw>("draw", "Where nodes stand on a sheet, and which groups they form",
                         "banyan draw 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --json");
}

}  // namespace banyan::cli
