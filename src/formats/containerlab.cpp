// containerlab's topology file: nodes with a kind, and links with two endpoints NODE:INTERFACE. The kind is
// that of the node, else of its group, else of the defaults. Nodes of kind linux and ext-container are hosts,
// each interface one of their NICs, unless a label `kind` says switch or host, or their image is a router's.
// A link to the machine that runs the lab (host, mgmt-net, macvlan) is no cable of the fabric.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

class ContainerlabReader {
 public:
  ContainerlabReader(std::istream& in, const std::string& file) : in_(in), ask_(file), raw_(file) {}

  FabricFile run() && {
    const auto documents = read_trees(in_, raw_.file);
    if (documents.size() != 1)
      throw InputError(Place{raw_.file}, fmt::format("found {} documents, expected one", documents.size()));
    const Tree& topology =
        ask_.map(ask_.at(ask_.map(documents[0], "a topology"), "topology"), "nodes and links");
    read_nodes(topology);
    if (const Tree* links = topology.find("links"))
      for (const Tree& link : ask_.list(*links, "a list of links").items) read_link(link);
    split_labelled_ports(raw_);
    return to_fabric(std::move(raw_));
  }

 private:
  void read_nodes(const Tree& topology);
  std::string said_of(const Tree& topology, const Tree& node, std::string_view what) const;
  void read_link(const Tree& link);
  std::optional<RawEnd> end_of(const Tree& endpoint, const Tree* labels, std::string_view side);

  std::istream& in_;
  TreeReader ask_;
  RawFabric raw_;
};

// Names of nodes become names of containers.
bool is_lab_name(std::string_view name) {
  static constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !name.empty() && name.find_first_not_of(allowed) == name.npos;
}

bool is_host_kind(std::string_view kind) {
  return kind == "linux" || kind == "ext-container" || kind == "host" || kind == "k8s-kind";
}

// Whether a container's image is that of a program that routes.
bool is_router_image(std::string_view image) {
  for (const std::string_view word : {"frr", "bird", "gobgp", "sonic", "vyos", "cumulus", "openwrt"})
    if (image.find(word) != image.npos) return true;
  return false;
}

std::string ContainerlabReader::said_of(const Tree& topology, const Tree& node, std::string_view what) const {
  const auto text_in = [&](const Tree* map, std::string_view key) -> std::string {
    const Tree* found = map && map->is_map() ? map->find(key) : nullptr;
    return found ? ask_.text(*found, fmt::format("a {}", key)) : "";
  };
  if (std::string said = text_in(&node, what); !said.empty()) return said;
  const Tree *defaults = topology.find("defaults"), *groups = topology.find("groups");
  std::string group = text_in(&node, "group");
  if (group.empty()) group = text_in(defaults, "group");
  const Tree* of_group =
      !group.empty() && groups ? ask_.map(*groups, "the groups by name").find(group) : nullptr;
  if (std::string said = text_in(of_group, what); !said.empty()) return said;
  return text_in(defaults, what);
}

void ContainerlabReader::read_nodes(const Tree& topology) {
  const Tree& nodes = ask_.map(ask_.at(topology, "nodes"), "the nodes by name");
  for (std::size_t i = 0; i < nodes.keys.size(); ++i) {
    const std::string kind = said_of(topology, nodes.items[i], "kind");
    const bool routes = is_router_image(lower(said_of(topology, nodes.items[i], "image")));
    if (!is_lab_name(nodes.keys[i]))
      ask_.fail(nodes.items[i],
                fmt::format("found a node named {}, expected letters, digits, '_', '.' and '-'",
                            shown(nodes.keys[i])));
    RawNode& node = raw_.nodes[raw_.define(nodes.keys[i], nodes.items[i].line)];
    const Tree* labels = nodes.items[i].find("labels");
    const Tree* said = labels && labels->is_map() ? labels->find("kind") : nullptr;
    if (said && (said->text == "switch" || said->text == "host"))  // others use labels of that name, too
      node.kind = said->text == "switch" ? RawNode::Kind::switch_ : RawNode::Kind::nic;
    else if (!kind.empty())
      node.kind = is_host_kind(kind) && !routes ? RawNode::Kind::nic : RawNode::Kind::switch_;
  }
}

// "leaf1:e1-49", or a map with node and interface. None: it leads out of the lab.
std::optional<RawEnd> ContainerlabReader::end_of(const Tree& endpoint, const Tree* labels,
                                                 std::string_view side) {
  static constexpr std::array<std::string_view, 5> outside = {"host", "mgmt-net", "macvlan", "vxlan",
                                                              "dummy"};
  std::string name, port;
  if (endpoint.is_map()) {
    name = ask_.text(ask_.at(endpoint, "node"), "a node");
    port = ask_.text(ask_.at(endpoint, "interface"), "an interface");
  } else {
    const std::string& text = ask_.text(endpoint, "NODE:INTERFACE");
    const auto colon = text.find(':');
    if (colon == text.npos || colon == 0 || colon + 1 == text.size())
      ask_.fail(endpoint, fmt::format("found {}, expected NODE:INTERFACE", shown(text)));
    name = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  if (std::find(outside.begin(), outside.end(), name) != outside.end()) return std::nullopt;
  const auto label = [&](std::string_view what) {
    return labels ? labels->find(fmt::format("{}_{}", side, what)) : nullptr;
  };
  if (const Tree* said = label("port")) port = ask_.text(*said, "the label of a port");
  u32 node = raw_.mention(name, endpoint.line);
  if (const Tree* said = label("rail")) {
    const std::string rail = ask_.text(*said, "a rail");
    const RawNode host = raw_.nodes[node];
    if (rail != "0" && rail != "n0") node = raw_.mention(fmt::format("{}\n{}", name, rail), endpoint.line);
    raw_.nodes[node].defined = host.defined;
    raw_.nodes[node].name = name;
    raw_.nodes[node].kind = host.kind;
    raw_.nodes[node].role = host.role;
    raw_.read_nic(raw_.nodes[node], rail, said->line);
  }
  return raw_.end(node, port, endpoint.line);
}

void ContainerlabReader::read_link(const Tree& link) {
  ask_.map(link, "a link with endpoints");
  const Tree* ends = link.find("endpoints");
  if (!ends && link.find("type")) return;  // with one endpoint: it leads out of the lab
  const Tree& list = ask_.list(ends ? *ends : ask_.at(link, "endpoints"), "two endpoints");
  if (list.items.size() != 2)
    ask_.fail(link, fmt::format("found {} endpoints, expected two", list.items.size()));
  const Tree* labels = link.find("labels");
  const auto a = end_of(list.items[0], labels, "from"), b = end_of(list.items[1], labels, "to");
  if (a && b) raw_.cables.push_back({*a, *b, std::nullopt, 1, link.line});
}

// --- writing
// -------------------------------------------------------------------------------------------------

std::string lab_quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

class LabWriter {
 public:
  LabWriter(const Fabric& fabric, std::ostream& out)
      : fabric_(fabric), out_(out), interface_(fabric.channels().size()) {
    name_interfaces();
  }

  void run() {
    out_ << "name: fabric\ntopology:\n  nodes:\n";
    for (Host h : IdRange<Host>(fabric_.hosts()))
      write_node(fabric_.host_name(h), "alpine:latest", option_text(fabric_.endpoints().role(h)));
    for (Node v : fabric_.switch_nodes())
      write_node(fabric_.name(v), "quay.io/frrouting/frr:10.2.1", "switch");
    out_ << "  links:" << (fabric_.links() == 0 ? " []\n" : "\n");
    fabric_.each_link([&](const Link& link) { write_link(link); });
  }

 private:
  std::string owner(Channel c) const {
    const Node v = fabric_.from(c);
    return fabric_.is_switch(v) ? fabric_.name(v) : fabric_.host_name(fabric_.host(fabric_.nic(v)));
  }
  // Linux allows no more as the name of an interface; eth0 is containerlab's own, for management.
  static bool is_interface(std::string_view text) {
    constexpr std::size_t longest = 15;
    return !text.empty() && text.size() <= longest && text != "." && text != ".." && text != "lo" &&
           text != "eth0" && std::all_of(text.begin(), text.end(), [](char c) {
             return c > ' ' && c < 0x7f && c != '/' && c != ':';
           });
  }
  void name_interfaces();
  void write_node(const std::string& name, std::string_view image, std::string_view kind);
  void write_link(const Link& link);

  const Fabric& fabric_;
  std::ostream& out_;
  IdVector<Channel, std::string> interface_;
};

// The label where Linux allows it; otherwise eth and the number of the port, on a host counted over its NICs.
void LabWriter::name_interfaces() {
  std::set<std::pair<std::string, std::string>> taken;
  for (Channel c : fabric_.channels())
    if (const auto text = fabric_.port_text(c);
        is_interface(text) && taken.emplace(owner(c), std::string(text)).second)
      interface_[c] = std::string(text);
  std::map<std::string, u32> before;  // ports of a host on the rails before
  for (Node v : fabric_.nodes()) {
    u32& first = before[fabric_.is_switch(v) ? "" : fabric_.host_name(fabric_.host(fabric_.nic(v)))];
    if (fabric_.is_switch(v)) first = 0;
    for (Channel c : fabric_.channels(v)) {
      if (!interface_[c].empty() || !fabric_.cabled(c)) continue;
      std::string name = fmt::format("eth{}", first + fabric_.port_number(c));
      while (!taken.emplace(owner(c), name).second) name += "_";
      interface_[c] = name;
    }
    first += printed_ports(fabric_, v);
  }
}

void LabWriter::write_node(const std::string& name, std::string_view image, std::string_view kind) {
  if (!is_lab_name(name))
    throw InputError(fmt::format("containerlab does not allow a node named '{}'", name));
  base::print(out_, "    {}:\n      kind: linux\n      image: {}\n      labels: {{kind: {}}}\n",
              lab_quoted(name), image, kind);
}

// What names of interfaces do not tell are labels of the link.
void LabWriter::write_link(const Link& link) {
  base::print(out_, "    - endpoints: [{}, {}]\n", lab_quoted(owner(link.a) + ":" + interface_[link.a]),
              lab_quoted(owner(link.b) + ":" + interface_[link.b]));
  std::vector<std::string> labels;
  for (auto [side, c] : {std::pair("from", link.a), std::pair("to", link.b)}) {
    const Node v = fabric_.from(c);
    if (fabric_.port_text(c) != interface_[c])
      labels.push_back(fmt::format("{}_port: {}", side, lab_quoted(fabric_.port_label(c))));
    if (!fabric_.is_switch(v) && (tells_nics(fabric_) || fabric_.ports(v) > 1))
      labels.push_back(fmt::format("{}_rail: \"{}\"", side,
                                   !tells_nics(fabric_) ? "0" : nic_text(fabric_, fabric_.nic(v))));
  }
  if (!labels.empty()) base::print(out_, "      labels: {{{}}}\n", fmt::join(labels, ", "));
}

}  // namespace

Format containerlab_format() {
  return {"containerlab",
          {".clab.yml", ".clab.yaml"},
          "containerlab's topology file",
          [](std::string_view head) {
            return head.find("\ntopology:") != head.npos &&
                   (head.find("\n  nodes:") != head.npos || head.find("\n  kinds:") != head.npos ||
                    head.find("\n  defaults:") != head.npos);
          },
          [](std::istream& in, const std::string& file) { return ContainerlabReader(in, file).run(); },
          [](const FabricFile& file, std::ostream& out) { LabWriter(file.topology.fabric, out).run(); },
          true};
}

}  // namespace banyan::formats
