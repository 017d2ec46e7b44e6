#include "formats/dot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"
#include "topology/place.hpp"

namespace banyan::formats {
namespace {

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// A port with a text stands behind its node, as in a topology.dot of PTM. Words that Graphviz takes for a
// point of the compass are attributes.
std::string dot_end(const Fabric& fabric, Channel c) {
  const std::string_view text = fabric.port_text(c);
  const bool is_plain = text.empty() || is_compass_point(text);
  return dot_quoted(fabric.name(fabric.from(c))) + (is_plain ? "" : ":" + dot_quoted(text));
}
std::string dot_label(const Fabric& fabric, Channel c) {
  const std::string_view text = fabric.port_text(c);
  return text.empty() ? std::to_string(fabric.port_number(c)) : dot_quoted(text);
}

void write_node(const Fabric& fabric, Node v, std::ostream& out) {
  base::print(out, "{} [kind={}, ports={}", dot_quoted(fabric.name(v)), kind_text(fabric, v),
              printed_ports(fabric, v));
  if (!fabric.is_switch(v) && tells_nics(fabric))
    base::print(out, ", host={}, rail={}", dot_quoted(fabric.host_name(fabric.host(fabric.nic(v)))),
                nic_text(fabric, fabric.nic(v)));
  out << "];\n";
}

// Switches of one level of a tree stand in one row; edges lead upwards, so that Graphviz draws hosts at the
// bottom.
void write_switches(const Topology& topology, std::ostream& out) {
  const Fabric& fabric = topology.fabric;
  const Places places(topology);
  u32 before = 0;
  for (Node v : fabric.switch_nodes()) {
    const u32 level = places.is_tree() && places.has(v) ? places.level(v) : 0;  // 0: in no row
    if (level != before && before != 0) out << "}\n";
    if (level != before && level != 0) out << "{ rank=same;\n";
    before = level;
    write_node(fabric, v, out);
  }
  if (before != 0) out << "}\n";
}

void write_dot(const FabricFile& file, std::ostream& out) {
  const Fabric& fabric = file.topology.fabric;
  const auto& classes = fabric.link_classes();
  const bool plain =
      file.unit.value == 0 &&
      std::all_of(classes.begin(), classes.end(), [](const LinkClass& link) { return link == LinkClass{}; });
  out << "graph fabric {\nrankdir=BT;\nnode [shape=box];\nedge [fontsize=8];\n";
  for (Node v : fabric.nic_nodes()) write_node(fabric, v, out);
  write_switches(file.topology, out);
  fabric.each_link([&](const Link& link) {
    base::print(out, "{} -- {} [taillabel={}, headlabel={}", dot_end(fabric, link.a), dot_end(fabric, link.b),
                dot_label(fabric, link.a), dot_label(fabric, link.b));
    for (auto [name, c] : {std::pair("source_port", link.a), std::pair("target_port", link.b)})
      if (is_compass_point(fabric.port_text(c))) base::print(out, ", {}={}", name, dot_label(fabric, c));
    if (!plain)
      base::print(out, ", capacity=\"{}\", latency=\"{}\"",
                  capacity_text(fabric.link_class(link.a).capacity, file.unit),
                  fabric.link_class(link.a).latency);
    out << "];\n";
  });
  out << "}\n";
}

// Whether a text, behind its comments, starts as a graph does.
bool looks_like_dot(std::string_view head) {
  for (;;) {
    head = trim(head);
    if (head.starts_with("//") || head.starts_with('#'))
      head.remove_prefix(std::min(head.find('\n'), head.size()));
    else if (head.starts_with("/*"))
      head.remove_prefix(std::min(head.find("*/"), head.size() - 2) + 2);
    else
      break;
  }
  const std::string word = lower(head.substr(0, head.find_first_of(" \t\r\n{\"")));
  return word == "graph" || word == "digraph" || word == "strict";
}

}  // namespace

bool is_compass_point(std::string_view word) {
  static constexpr std::string_view points[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"};
  return std::find(std::begin(points), std::end(points), word) != std::end(points);
}

Format dot_format() {
  return {"dot", {".dot", ".gv"}, "a graph for Graphviz to draw", looks_like_dot, read_dot, write_dot, true};
}

}  // namespace banyan::formats
