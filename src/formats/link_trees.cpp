// Link lists in JSON, as other tools for networks keep them: Batfish's layer-1 topology, NetQ's topology
// graph, canu's paddle (the cabling of an HPE Cray EX), and the node-link form of networkx.
#include <fmt/format.h>

#include <map>

#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

class LinkTreeReader {
 public:
  LinkTreeReader(std::istream& in, const std::string& file) : ask_(file), raw_(file) {
    auto documents = read_trees(in, file);
    if (documents.size() != 1)
      throw InputError(Place{file}, fmt::format("found {} documents, expected one", documents.size()));
    root_ = std::move(documents[0]);
  }

  FabricFile batfish() &&;
  FabricFile netq() &&;
  FabricFile paddle() &&;
  FabricFile node_link() &&;

 private:
  std::string text(const Tree& map, std::string_view key) const {
    return ask_.text(ask_.at(map, key), fmt::format("a text or a number for '{}'", key));
  }
  const std::vector<Tree>& list(const Tree& map, std::string_view key) const {
    return ask_.list(ask_.at(map, key), fmt::format("a list of {}", key)).items;
  }
  u32 node(const std::string& key, u64 line) {
    const u32 out = raw_.mention(key, line);
    raw_.nodes[out].defined = true;
    return out;
  }
  void connect(RawEnd a, RawEnd b, std::optional<double> capacity, u64 line) {
    raw_.cables.push_back({a, b, capacity, 1, line});
  }
  FabricFile finish() {
    if (raw_.cables.empty()) ask_.fail(root_, "found no link, expected some");
    return to_fabric(std::move(raw_));
  }
  void name_netq_nodes(const Tree& node);

  TreeReader ask_;
  RawFabric raw_;
  Tree root_;
};

// {"edges": [{"node1": {"hostname": "a", "interfaceName": "Eth1"}, "node2": {...}}, ...]}, mostly from both
// ends.
FabricFile LinkTreeReader::batfish() && {
  for (const Tree& edge : list(ask_.map(root_, "edges"), "edges")) {
    const auto end = [&](std::string_view key) {
      const Tree& at = ask_.map(ask_.at(edge, key), "hostname and interfaceName");
      return raw_.end(node(text(at, "hostname"), at.line), text(at, "interfaceName"), at.line);
    };
    const RawEnd a = end("node1"), b = end("node2");
    connect(a, b, std::nullopt, edge.line);
  }
  return finish();
}

// Names and kinds stand with the nodes, and nodes within nodes.
void LinkTreeReader::name_netq_nodes(const Tree& tree) {
  if (const Tree* inner = tree.find("compounded_nodes"))
    for (const Tree& each : ask_.list(*inner, "nodes").items) name_netq_nodes(ask_.map(each, "a node"));
  const Tree *id = tree.find("id"), *name = tree.find("name"), *type = tree.find("device_type");
  if (!id || !name || !type) return;
  RawNode& found = raw_.nodes[node(ask_.text(*id, "an id"), tree.line)];
  found.name = ask_.text(*name, "a name");
  if (type->text == "switch") found.kind = RawNode::Kind::switch_;
  if (type->text == "host") found.kind = RawNode::Kind::nic;
}

// [{"links": [{"compounded_links": [{"interfaces": [{"node": "a", "interface": "swp1"}, {...}]}]}], "nodes":
// [...]}]
FabricFile LinkTreeReader::netq() && {
  for (const Tree& part : ask_.list(root_, "graphs").items) {
    for (const Tree& group : list(ask_.map(part, "links and nodes"), "links"))
      for (const Tree& link : list(ask_.map(group, "a link"), "compounded_links")) {
        const std::vector<Tree>& ends = list(ask_.map(link, "interfaces"), "interfaces");
        if (ends.size() != 2)
          ask_.fail(link, fmt::format("found {} interfaces of a link, expected two", ends.size()));
        const auto end = [&](const Tree& at) {
          return raw_.end(node(text(at, "node"), at.line), text(at, "interface"), at.line);
        };
        const RawEnd a = end(ends[0]), b = end(ends[1]);
        connect(a, b, std::nullopt, link.line);
      }
    if (const Tree* nodes = part.find("nodes"))
      for (const Tree& each : ask_.list(*nodes, "nodes").items) name_netq_nodes(ask_.map(each, "a node"));
  }
  split_labelled_ports(raw_);
  return finish();
}

// {"topology": [{"common_name": "sw-spine-001", "id": 0, "type": "switch", "ports": [{"port": 1, "slot":
// null, "destination_node_id": 2, "destination_port": 53, "destination_slot": null, "speed": 100}, ...]},
// ...]}
FabricFile LinkTreeReader::paddle() && {
  raw_.unit = base::Speed{1e9 / 8};
  const std::vector<Tree>& nodes = list(ask_.map(root_, "a paddle"), "topology");
  for (const Tree& each : nodes) {
    RawNode& found = raw_.nodes[raw_.define(text(ask_.map(each, "a node"), "id"), each.line)];
    found.name = text(each, "common_name");
    found.kind = text(each, "type") == "switch" ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  }
  for (const Tree& each : nodes)
    for (const Tree& port : list(each, "ports")) {
      const auto end = [&](const std::string& key, std::string_view number, std::string_view slot) {
        const Tree* in = port.find(slot);
        const std::string label = in && in->is_text() && in->text != "null"
                                      ? in->text + ":" + text(port, number)
                                      : text(port, number);
        const u32 at = raw_.mention(key, port.line);
        // A host's port is a NIC, and needs a label.
        return raw_.end(at, raw_.nodes[at].kind == RawNode::Kind::nic ? "p" + label : label, port.line);
      };
      const Tree* speed = port.find("speed");
      const RawEnd a = end(text(each, "id"), "port", "slot"),
                   b = end(text(port, "destination_node_id"), "destination_port", "destination_slot");
      connect(a, b,
              speed && speed->is_text() && speed->text != "null"
                  ? std::optional(raw_.capacity(speed->text, speed->line))
                  : std::nullopt,
              port.line);
    }
  split_labelled_ports(raw_);
  return finish();
}

// {"directed": false, "nodes": [{"id": "0", "name": "a"}, ...], "links": [{"source": "0", "target": "1"},
// ...]}
FabricFile LinkTreeReader::node_link() && {
  for (const Tree& each : list(ask_.map(root_, "nodes and links"), "nodes")) {
    RawNode& found = raw_.nodes[raw_.define(text(ask_.map(each, "a node"), "id"), each.line)];
    for (const char* key : {"label", "name"})
      if (const Tree* said = each.find(key); said && said->is_text()) found.name = said->text;
    if (const Tree* kind = each.find("kind"); kind && (kind->text == "host" || kind->text == "switch"))
      found.kind = kind->text == "host" ? RawNode::Kind::nic : RawNode::Kind::switch_;
  }
  const Tree* edges = root_.find("links");
  for (const Tree& edge : ask_.list(edges ? *edges : ask_.at(root_, "edges"), "links").items) {
    ask_.map(edge, "source and target");
    const auto end = [&](std::string_view key) { return RawEnd{raw_.mention(text(edge, key), edge.line)}; };
    const RawEnd a = end("source"), b = end("target");
    connect(a, b, std::nullopt, edge.line);
  }
  return finish();
}

bool has(std::string_view head, std::string_view word) { return head.find(word) != head.npos; }
bool starts_with(std::string_view head, char open) { return first_line(head).starts_with(open); }

}  // namespace

Format batfish_format() {
  return {"batfish",
          {},
          "Batfish's layer-1 topology",
          [](std::string_view head) {
            return starts_with(head, '{') && has(head, "\"node1\"") && has(head, "\"interfaceName\"");
          },
          [](std::istream& in, const std::string& file) { return LinkTreeReader(in, file).batfish(); },
          nullptr};
}

Format netq_format() {
  return {"netq",
          {},
          "NVIDIA NetQ's topology graph",
          [](std::string_view head) { return starts_with(head, '[') && has(head, "\"compounded_links\""); },
          [](std::istream& in, const std::string& file) { return LinkTreeReader(in, file).netq(); },
          nullptr};
}

Format paddle_format() {
  return {"paddle",
          {},
          "canu's paddle: the cabling of an HPE Cray EX",
          [](std::string_view head) {
            return starts_with(head, '{') && has(head, "\"canu_version\"") && has(head, "\"topology\"");
          },
          [](std::istream& in, const std::string& file) { return LinkTreeReader(in, file).paddle(); },
          nullptr};
}

Format node_link_format() {
  return {"node-link",
          {},
          "networkx' node-link JSON",
          [](std::string_view head) {
            return starts_with(head, '{') && has(head, "\"directed\"") && has(head, "\"multigraph\"");
          },
          [](std::istream& in, const std::string& file) { return LinkTreeReader(in, file).node_link(); },
          nullptr};
}

}  // namespace banyan::formats
