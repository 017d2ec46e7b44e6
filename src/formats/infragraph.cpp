// InfraGraph, in JSON or YAML: devices with components, instances of devices, and edges between components of
// instances, `host[0:4]` and `cx5[0]`, one to one or each to each; or, in earlier files, connections
// `server.0.nic.0.eth.leaf.0.port.0`. The components of a device decide what its instances are. The first of
// these that it has does: an accelerator (host), an ASIC (switch), a CPU (host), a port or switch (switch), a
// NIC (host). Each component of a host with a cable is a NIC. What is inside a device is no part of the
// fabric.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

struct DecidingComponent {
  std::string_view word;  // the type of a component, or its name
  RawNode::Kind kind;
};
constexpr std::array<DecidingComponent, 8> deciding_components = {{
    {"xpu", RawNode::Kind::nic},
    {"npu", RawNode::Kind::nic},
    {"gpu", RawNode::Kind::nic},
    {"asic", RawNode::Kind::switch_},
    {"cpu", RawNode::Kind::nic},
    {"port", RawNode::Kind::switch_},
    {"switch", RawNode::Kind::switch_},
    {"nic", RawNode::Kind::nic},
}};

constexpr u64 max_count = 1 << 20, max_infragraph_cables = 1 << 24;

class InfragraphReader {
 public:
  InfragraphReader(std::istream& in, const std::string& file) : in_(in), ask_(file), raw_(file) {
    raw_.unit = gigabit;
  }

  FabricFile run() && {
    const auto documents = read_trees(in_, raw_.file);
    if (documents.size() != 1)
      throw InputError(Place{raw_.file}, fmt::format("found {} documents, expected one", documents.size()));
    const Tree* body = &ask_.map(documents[0], "an infrastructure");
    if (const Tree* inner = body->find("infrastructure")) body = &ask_.map(*inner, "an infrastructure");
    read_devices(*body);
    read_instances(*body);
    read_links(*body);
    each(*body, "edges", [&](const Tree& edge) { read_edge(edge); });
    each(*body, "connections", [&](const Tree& text) { read_connection(text); });
    if (raw_.cables.empty())
      ask_.fail(*body,
                "found no edges and no connections, expected an infrastructure rather than a device alone");
    split_labelled_ports(raw_);
    FabricFile out = to_fabric(std::move(raw_));
    if (!elsewhere_.empty())
      out.topology.remark =
          fmt::format("devices that the file does not define, taken for what their cabled parts are: {}",
                      fmt::join(elsewhere_, " "));
    return out;
  }

 private:
  struct Device {
    std::map<std::string, u64> components;  // how many of each
    std::optional<u32> decides{};           // the first of deciding_components that it has
  };
  struct Instance {
    std::string device;
    u64 count = 1;
  };
  struct Slice {
    std::string name;
    u64 first = 0, end = 0;
  };

  template <class F>
  void each(const Tree& body, std::string_view key, F&& f) {
    const Tree* list = body.find(key);
    if (!list || list->kind == Tree::Kind::nothing) return;
    for (const Tree& item : ask_.list(*list, fmt::format("a list of {}", key)).items) f(item);
  }
  std::string text_of(const Tree& map, std::string_view key) const {
    return ask_.text(ask_.at(map, key), fmt::format("a text as {}", key));
  }
  u64 count_of(const Tree& map) const {
    const Tree* count = map.find("count");
    return count ? ask_.number(*count, "a count", max_count) : 1;
  }
  void read_devices(const Tree& body);
  void read_instances(const Tree& body);
  void read_links(const Tree& body);
  void read_edge(const Tree& edge);
  void read_connection(const Tree& text);
  Slice slice_of(const Tree& text, u64 count) const;
  std::vector<RawEnd> ends_of(const Tree& endpoint);
  RawEnd end_of(const std::string& instance, u64 i, const std::string& component, u64 c, u64 line);
  void connect(const RawEnd& a, const RawEnd& b, const std::string& link, const Tree& at);

  std::istream& in_;
  TreeReader ask_;
  RawFabric raw_;
  std::map<std::string, Device> devices_;
  std::map<std::string, Instance> instances_;
  std::map<std::string, std::optional<double>> links_;
  std::set<std::string> elsewhere_;  // devices of instances that this file does not define
};

void InfragraphReader::read_devices(const Tree& body) {
  each(body, "devices", [&](const Tree& tree) {
    ask_.map(tree, "a device");
    Device& device = devices_[text_of(tree, "name")];
    each(tree, "components", [&](const Tree& component) {
      ask_.map(component, "a component");
      const std::string name = text_of(component, "name");
      device.components[name] = count_of(component);
      std::string what = name;
      for (std::string_view key : {"choice", "type"})
        if (const Tree* said = component.find(key); said && said->is_text()) what = said->text;
      what = lower(what);
      for (u32 i = 0; i < deciding_components.size(); ++i)
        if (const std::string_view word = deciding_components[i].word; word == what || word == lower(name))
          device.decides = std::min(i, device.decides.value_or(i));
    });
  });
}

void InfragraphReader::read_instances(const Tree& body) {
  each(body, "instances", [&](const Tree& tree) {
    ask_.map(tree, "an instance");
    const std::string name = text_of(tree, "name");
    if (!instances_.emplace(name, Instance{text_of(tree, "device"), count_of(tree)}).second)
      ask_.fail(tree, fmt::format("found instance {} twice, expected names to differ", shown(name)));
    if (!devices_.empty() && !devices_.contains(instances_[name].device))
      elsewhere_.insert(instances_[name].device);
  });
}

// Gigabits per second; gigabytes count eightfold.
void InfragraphReader::read_links(const Tree& body) {
  each(body, "links", [&](const Tree& tree) {
    ask_.map(tree, "a link");
    auto& capacity = links_[text_of(tree, "name")];
    const Tree* physical = tree.find("physical");
    const Tree* bandwidth = (physical && physical->is_map() ? physical : &tree)->find("bandwidth");
    if (!bandwidth || !bandwidth->is_map()) return;
    for (const auto& [key, factor] :
         {std::pair("gigabits_per_second", 1.0), std::pair("gigabytes_per_second", 8.0),
          std::pair("giga_bits_per_second", 1.0), std::pair("giga_bytes_per_second", 8.0)})
      if (const Tree* said = bandwidth->find(key); said && said->is_text())
        capacity = factor * raw_.capacity(said->text, said->line);
  });
}

// name, name[2], name[0:4], name[:4], name[2:]
InfragraphReader::Slice InfragraphReader::slice_of(const Tree& tree, u64 count) const {
  const std::string& text = ask_.text(tree, "a name, with indices in brackets or none");
  const auto open = text.find('[');
  if (open == text.npos) return {text, 0, count};
  const auto wrong = [&] {
    ask_.fail(tree, fmt::format("found {}, expected indices [FIRST:END] below {}", shown(text), count));
  };
  if (!text.ends_with(']')) wrong();
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  const auto colon = inside.find(':');
  const auto number = [&](const std::string& digits, u64 otherwise) -> u64 {
    if (trim(digits).empty()) return otherwise;
    const auto value = parse_unsigned(trim(digits));
    if (!value) wrong();
    return value.value_or(0);
  };
  const u64 first = number(inside.substr(0, colon), 0);
  const u64 end = colon == inside.npos ? first + 1 : number(inside.substr(colon + 1), count);
  if (first >= end || end > count) wrong();
  return {text.substr(0, open), first, end};
}

RawEnd InfragraphReader::end_of(const std::string& instance, u64 i, const std::string& component, u64 c,
                                u64 line) {
  const u32 v = raw_.mention(fmt::format("{}.{}", instance, i), line);
  RawNode& node = raw_.nodes[v];
  node.defined = true;
  const auto known = instances_.find(instance);
  const auto device = known == instances_.end() ? devices_.end() : devices_.find(known->second.device);
  if (device == devices_.end()) {  // defined elsewhere: the component tells
    for (const auto& [word, kind] : deciding_components)
      if (node.kind == RawNode::Kind::unknown && lower(component).starts_with(word)) node.kind = kind;
  } else if (device->second.decides) {
    node.kind = deciding_components[*device->second.decides].kind;
  }
  return raw_.end(v, fmt::format("{}.{}", component, c), line);
}

std::vector<RawEnd> InfragraphReader::ends_of(const Tree& endpoint) {
  ask_.map(endpoint, "an endpoint with instance and component");
  const Tree &instance = ask_.at(endpoint, "instance"), &component = ask_.at(endpoint, "component");
  const std::string& whole = ask_.text(instance, "an instance");
  const auto known = instances_.find(whole.substr(0, whole.find('[')));
  if (known == instances_.end())
    ask_.fail(instance, fmt::format("found {}, which is not among the instances", shown(whole)));
  const Slice of = slice_of(instance, known->second.count);
  const std::string& part = ask_.text(component, "a component");
  const std::string part_name = part.substr(0, part.find('['));
  u64 count = max_count;
  if (const auto device = devices_.find(known->second.device); device != devices_.end()) {
    const auto found = device->second.components.find(part_name);
    if (found == device->second.components.end())
      ask_.fail(component, fmt::format("found {}, which is not among the components of {}", shown(part_name),
                                       shown(known->second.device)));
    count = found->second;
  }
  const Slice parts = slice_of(component, count);
  if ((of.end - of.first) * (parts.end - parts.first) > max_count)
    ask_.fail(component, "found too many components, expected indices in brackets");
  std::vector<RawEnd> out;
  for (u64 i = of.first; i < of.end; ++i)
    for (u64 c = parts.first; c < parts.end; ++c)
      out.push_back(end_of(of.name, i, parts.name, c, endpoint.line));
  return out;
}

void InfragraphReader::connect(const RawEnd& a, const RawEnd& b, const std::string& link, const Tree& at) {
  if (raw_.cables.size() >= max_infragraph_cables) ask_.fail(at, "found too many cables");
  RawCable cable{a, b, std::nullopt, 1, at.line};
  const auto known = links_.find(link);
  if (known == links_.end() && !links_.empty())
    ask_.fail(at, fmt::format("found link {}, which is not among the links", shown(link)));
  if (known != links_.end()) cable.capacity = known->second;
  raw_.cables.push_back(cable);
}

void InfragraphReader::read_edge(const Tree& edge) {
  ask_.map(edge, "an edge with ep1, ep2 and link");
  const auto a = ends_of(ask_.at(edge, "ep1")), b = ends_of(ask_.at(edge, "ep2"));
  const std::string link = text_of(edge, "link");
  const Tree *scheme = edge.find("scheme"), *many = edge.find("many2many");
  const std::string how = scheme                         ? ask_.text(*scheme, "a scheme")
                          : many && many->text == "true" ? "many2many"
                                                         : "one2one";
  if (how == "one2one") {
    if (a.size() != b.size())
      ask_.fail(edge,
                fmt::format("found {} and {} ends, expected as many on both sides", a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) connect(a[i], b[i], link, edge);
  } else if (how == "many2many") {
    for (const RawEnd& x : a)
      for (const RawEnd& y : b)
        if (x != y) connect(x, y, link, edge);
  } else {
    ask_.fail(edge, fmt::format("found scheme {}, expected one2one or many2many", shown(how)));
  }
}

// server.0.nic.0.eth.leaf.0.port.0
void InfragraphReader::read_connection(const Tree& tree) {
  const std::string& text = ask_.text(tree, "a connection such as server.0.nic.0.eth.leaf.0.port.0");
  const auto words = split(text, '.');
  const auto number = [&](std::size_t i) {
    const auto value = i < words.size() ? parse_unsigned(words[i]) : std::nullopt;
    if (!value || *value > max_count || words.size() != 9)
      ask_.fail(tree, fmt::format("found {}, expected a connection such as server.0.nic.0.eth.leaf.0.port.0",
                                  shown(text)));
    return *value;
  };
  const RawEnd a = end_of(std::string(words[0]), number(1), std::string(words[2]), number(3), tree.line);
  const RawEnd b = end_of(std::string(words[5]), number(6), std::string(words[7]), number(8), tree.line);
  connect(a, b, std::string(words[4]), tree);
}

bool is_infragraph(std::string_view head) {
  const auto has = [&](std::string_view word) {
    return head.find(fmt::format("\n{}:", word)) != head.npos || head.starts_with(fmt::format("{}:", word)) ||
           head.find(fmt::format("\"{}\"", word)) < head.size();
  };
  if (head.find("banyan_fabric") != head.npos || head.find("graphml") != head.npos) return false;
  return has("infrastructure") || (has("devices") && head.find("components") != head.npos) ||
         (has("instances") && head.find("device") != head.npos);
}

}  // namespace

Format infragraph_format() {
  return {"infragraph",
          {".infragraph.yaml", ".infragraph.json"},
          "InfraGraph's infrastructure, in JSON or YAML",
          is_infragraph,
          [](std::istream& in, const std::string& file) { return InfragraphReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
