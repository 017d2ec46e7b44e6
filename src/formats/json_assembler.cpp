// Puts a JsonFabric together, and holds it against the shape that it says it has.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "base/saturating.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"
#include "topology/family.hpp"
#include "topology/plane_sum.hpp"

namespace banyan::formats {
namespace {

class Assembler {
 public:
  Assembler(JsonFabric said, const std::string& file) : said_(std::move(said)), file_(file) {}

  FabricFile run() {
    if (!said_.version) fail(0, "found no \"banyan_fabric\", expected its version");
    if (!said_.hosts || !said_.rails || *said_.rails == 0)
      fail(0, "expected \"hosts\", and \"rails\" of at least 1");
    endpoints_ = read_endpoints();
    if (said_.nodes.size() < endpoints_.nics())
      fail(0, fmt::format("found {} nodes, expected {} NICs of {} hosts first", said_.nodes.size(),
                          endpoints_.nics(), *said_.hosts));
    Topology topology{build_fabric(), Irregular{}, 1, "", ""};
    InfinibandIds ids = number_ids(topology.fabric);
    if (!said_.notation.empty()) restore_shape(topology);
    return {std::move(topology), std::move(ids), true, said_.unit};
  }

 private:
  using Cable = JsonFabric::Cable;

  [[noreturn]] void fail(u64 line, const std::string& what) const {
    throw InputError(Place{file_, line}, what);
  }

  Endpoints read_endpoints() const;
  Fabric build_fabric();
  void add_nodes(FabricBuilder& builder);
  void connect(FabricBuilder& builder, const Cable& link) const;
  void check_vacant(const Fabric& fabric) const;
  void check_port(u32 node, u32 port, u64 line) const {
    if (node >= said_.nodes.size())
      fail(line, fmt::format("found node {}, expected less than {}", node, said_.nodes.size()));
    if (port >= said_.nodes[node].ports)
      fail(line, fmt::format("found port {} of node {}, expected less than {}", port, node,
                             said_.nodes[node].ports));
  }
  static Link link_of(const Fabric& fabric, const Cable& link) {
    return {fabric.channel(Node{link.a}, Port{link.port_a}), fabric.channel(Node{link.b}, Port{link.port_b})};
  }
  InfinibandIds number_ids(const Fabric& fabric) const;
  void restore_shape(Topology& topology) const;
  void restore_sum(Topology& topology) const;
  static const Family* shaped_family(const Notation& notation);
  void check_shape_size(const Fabric& fabric, const Family& family, const Notation& notation) const;
  void check_shape(const Fabric& fabric, const Fabric& ideal) const;

  JsonFabric said_;
  Endpoints endpoints_;
  const std::string& file_;
};

Endpoints Assembler::read_endpoints() const {
  const u32 hosts = static_cast<u32>(*said_.hosts), rails = static_cast<u32>(*said_.rails);
  if (u64{hosts} * rails > said_.nodes.size())
    fail(0, fmt::format("found {} nodes, expected a NIC for {} hosts on {} rails", said_.nodes.size(), hosts,
                        rails));
  if (said_.nics.empty() && said_.roles.empty()) return Endpoints(hosts, rails);
  std::vector<HostLabel> labels(hosts);
  for (HostLabel& host : labels) host.nics.clear();
  RawFabric parser(file_);
  for (const auto& row : said_.nics) {
    if (row.host >= hosts)
      fail(row.line, fmt::format("found host {}, expected less than {}", row.host, hosts));
    RawNode node;
    parser.read_nic(node, row.rail, row.line);
    if (printable(row.adapter) != row.adapter) fail(row.line, "found a name that is not printable");
    labels[row.host].nics.push_back({node.rail, row.adapter});
    if (labels[row.host].nics.size() > max_nics_of_a_host)
      fail(row.line, fmt::format("found more than {} NICs of host {}", max_nics_of_a_host, row.host));
  }
  for (u32 host = 0; host < hosts; ++host)
    for (u32 rail = 0; labels[host].nics.empty() && rail < rails; ++rail)
      labels[host].nics.resize(rails), labels[host].nics[rail].rail = rail;
  for (const auto& row : said_.roles) {
    RawNode node;
    if (row.host >= hosts)
      fail(row.line, fmt::format("found host {}, expected less than {}", row.host, hosts));
    parser.read_kind(node, row.role, row.line);
    labels[row.host].role = node.role;
  }
  return Endpoints(labels);
}

void Assembler::add_nodes(FabricBuilder& builder) {
  const u64 hosts = *said_.hosts, nics = endpoints_.nics();
  const bool named = !said_.nodes.empty() && !said_.nodes[0].name.empty();
  std::unordered_set<std::string> names;
  for (u64 i = nics; i < said_.nodes.size(); ++i) builder.add_switch(said_.nodes[i].ports);
  for (u64 i = 0; i < said_.nodes.size(); ++i) {
    auto& node = said_.nodes[i];
    const Node v{static_cast<u32>(i)};
    if (i < nics) builder.nic_ports(Nic{index(v)}, node.ports);
    const bool wanted = named && (i < hosts || i >= nics);
    if (wanted == node.name.empty())
      fail(node.line,
           fmt::format("found a node {} a name, expected all hosts and switches to have one, or none",
                       wanted ? "without" : "with"));
    if (!wanted) continue;
    if (printable(node.name) != node.name) fail(node.line, "found a name that is not printable");
    if (!names.insert(node.name).second)
      fail(node.line, fmt::format("found {} twice, expected names to differ", shown(node.name)));
    builder.name_switch(v, std::move(node.name));
  }
}

void Assembler::connect(FabricBuilder& builder, const Cable& link) const {
  const Node a{link.a}, b{link.b};
  const Port pa{link.port_a}, pb{link.port_b};
  check_port(link.a, link.port_a, link.line);
  check_port(link.b, link.port_b, link.line);
  if (link.link_class >= said_.classes.size())
    fail(link.line,
         fmt::format("found link class {}, expected less than {}", link.link_class, said_.classes.size()));
  if (!builder.is_free(a, pa) || !builder.is_free(b, pb) || (a == b && pa == pb))
    fail(link.line, "found a second cable on a port");
  builder.connect(a, pa, b, pb, static_cast<u8>(link.link_class));
}

Fabric Assembler::build_fabric() {
  u64 ports = 0;
  for (const auto& node : said_.nodes) ports += node.ports;
  check_size(said_.nodes.size(), ports, said_.links.size() + said_.taken.size(), file_);
  FabricBuilder builder(endpoints_);
  add_nodes(builder);
  for (const auto& row : said_.vacant) {
    if (row.nic >= endpoints_.nics())
      fail(row.line, fmt::format("found vacant NIC {}, expected less than {}", row.nic, endpoints_.nics()));
    builder.leave_vacant(Nic{row.nic});
  }
  if (said_.classes.size() > 256) fail(0, "found more than 256 link classes");
  for (std::size_t i = 0; i < said_.classes.size(); ++i)
    if (builder.add_class(said_.classes[i]) != i) fail(0, fmt::format("found link class {} twice", i));
  for (const Cable& link : said_.links) connect(builder, link);
  for (const Cable& link : said_.taken) connect(builder, link);
  for (const auto& label : said_.labels) {
    check_port(label.node, label.port, label.line);
    if (trim(printable(label.text)) != label.text || is_port_number(label.text))
      fail(label.line, fmt::format("found label {}, expected a printable text", shown(label.text)));
    builder.label_port(Node{label.node}, Port{label.port}, label.number.value_or(label.port + 1), label.text);
  }
  const Fabric whole = std::move(builder).build();
  std::vector<Link> taken;
  for (const Cable& link : said_.taken) taken.push_back(link_of(whole, link));
  Fabric rest = without(whole, taken);
  check_vacant(rest);
  return rest;
}

// Nobody judges the pairs of a vacant NIC, so one that has a cable would hide pairs from the judge.
void Assembler::check_vacant(const Fabric& fabric) const {
  for (const auto& row : said_.vacant)
    if (fabric.cabled_ports(fabric.node(Nic{row.nic})) > 0)
      fail(row.line, fmt::format("found vacant NIC {} with a cable, expected it to have none", row.nic));
}

// Whether two nodes may have one GUID: NICs of one host, which are ports of an adapter.
bool one_adapter(const Fabric& fabric, Node a, Node b) {
  return a == b || (!fabric.is_switch(a) && !fabric.is_switch(b) &&
                    fabric.host(fabric.nic(a)) == fabric.host(fabric.nic(b)));
}

InfinibandIds Assembler::number_ids(const Fabric& fabric) const {
  InfinibandIds ids;
  if (said_.node_ids.empty()) return ids;
  if (said_.node_ids.size() != said_.nodes.size())
    fail(0, fmt::format("found {} rows of \"infiniband_nodes\", expected {}", said_.node_ids.size(),
                        said_.nodes.size()));
  std::unordered_map<u64, Node> seen;
  for (const auto& node : said_.node_ids) {
    const Node v{static_cast<u32>(ids.nodes.size())};
    if (node.guid != 0 && !one_adapter(fabric, seen.try_emplace(node.guid, v).first->second, v))
      fail(0, fmt::format("found GUID {:016x} twice, expected GUIDs to differ", node.guid));
    ids.nodes.push_back(node);
  }
  std::size_t nic_channels = 0;
  for (Node v : fabric.nic_nodes()) nic_channels += fabric.ports(v);
  ids.nic_channels.resize(nic_channels);
  for (const auto& port : said_.port_ids) {
    check_port(port.node, port.port, port.line);
    if (port.node >= fabric.nics()) fail(port.line, fmt::format("found node {}, expected a NIC", port.node));
    ids.nic_channels[fabric.channel(Node{port.node}, Port{port.port})] = port.ids;
  }
  return ids;
}

// The family of the notation if it has shapes. Families without, such as random graphs, are not built again:
// the file has the fabric.
const Family* Assembler::shaped_family(const Notation& notation) {
  const Family& family = family_of(notation);
  return std::holds_alternative<Shape>(family.make(parse_notation(family.example)).what) ? &family : nullptr;
}

// A notation may ask for more than the file has: looks before anything is built.
void Assembler::check_shape_size(const Fabric& fabric, const Family& family, const Notation& notation) const {
  const Shape shape = std::get<Shape>(family.make(notation).what);
  const u64 ports = std::visit(
      [](const auto& s) -> u64 {
        if constexpr (requires { s.switch_ports(); })
          return s.switch_ports();
        else
          return 0;
      },
      shape);
  if (saturating_multiply(ports, notation.planes) > fabric.channels().size())
    notation.fail(fmt::format("has more ports than the {} in this file", fabric.channels().size()));
}

// Every cable of the shape is in place or was taken; the fabric may have more, behind the shape's numbers.
void Assembler::check_shape(const Fabric& fabric, const Fabric& ideal) const {
  const auto wrong = [&](const std::string& what) {
    fail(said_.notation_line, fmt::format("is not {}: {}", shown(said_.notation), what));
  };
  if (fabric.columns() != ideal.columns() || fabric.hosts() < ideal.hosts() ||
      fabric.switches() < ideal.switches())
    wrong(fmt::format("found {} hosts, {} rails or slots, {} switches", fabric.hosts(), fabric.columns(),
                      fabric.switches()));
  const auto place = [&](Node v) {
    if (ideal.is_switch(v)) return Node{index(v) - ideal.nics() + fabric.nics()};
    return fabric.node(fabric.in_column(ideal.host(ideal.nic(v)), ideal.column(ideal.nic(v))));
  };
  std::unordered_set<u64> taken;
  for (const Link& link : fabric.taken()) {
    taken.insert(u64{index(link.a)} << 32 | index(link.b));
    taken.insert(u64{index(link.b)} << 32 | index(link.a));
  }
  for (Node v : ideal.nodes())
    if (ideal.ports(v) > fabric.ports(place(v)))
      wrong(fmt::format("node {} has too few ports", index(place(v))));
  ideal.each_link([&](const Link& link) {
    const Channel a = fabric.channel(place(ideal.from(link.a)), ideal.port(link.a));
    const Channel b = fabric.channel(place(ideal.from(link.b)), ideal.port(link.b));
    if (fabric.reverse(a) != b && !taken.contains(u64{index(a)} << 32 | index(b)))
      wrong(fmt::format("the cable from port {} of node {} to port {} of node {} is neither there nor taken",
                        index(fabric.port(a)), index(fabric.from(a)), index(fabric.port(b)),
                        index(fabric.from(b))));
  });
}

bool same_graph(const Fabric& a, const Fabric& b) {
  if (!(a.endpoints() == b.endpoints()) || a.nodes().size() != b.nodes().size()) return false;
  if (a.channels().size() != b.channels().size() || a.link_classes() != b.link_classes()) return false;
  for (Channel c : a.channels())
    if (a.from(c) != b.from(c) || a.reverse(c) != b.reverse(c) ||
        a.link_class_index(c) != b.link_class_index(c) || a.port_label(c) != b.port_label(c))
      return false;
  return true;
}

// Planes of different shapes are routed by their notation, so all nodes and cables must be where it says.
void Assembler::restore_sum(Topology& topology) const {
  for (const std::string_view plane : split_sum(said_.notation)) {
    const Notation notation = parse_notation(plane);
    if (const Family* family = shaped_family(notation)) check_shape_size(topology.fabric, *family, notation);
  }
  Topology ideal = make_topology(said_.notation);
  check_shape(topology.fabric, ideal.fabric);
  if (topology.fabric.channels().size() != ideal.fabric.channels().size())
    fail(said_.notation_line, fmt::format("is not {}: it has other ports", shown(said_.notation)));
  Fabric rest = without(ideal.fabric, topology.fabric.taken());
  if (!topology.fabric.named() && same_graph(rest, topology.fabric)) topology.fabric = std::move(rest);
  topology.notation = ideal.notation;
  topology.shape = std::move(ideal.shape);
  topology.planes = ideal.planes;
}

// A fabric that is its formula without some cables gets its names from the formula as well.
void Assembler::restore_shape(Topology& topology) const {
  try {
    if (split_sum(said_.notation).size() > 1) return restore_sum(topology);
    const Notation notation = parse_notation(said_.notation);
    const Family* family = shaped_family(notation);
    if (!family) return void(topology.notation = notation.text);
    check_shape_size(topology.fabric, *family, notation);
    Topology ideal = make_topology(said_.notation);
    check_shape(topology.fabric, ideal.fabric);
    topology.shape = std::move(ideal.shape);
    topology.planes = ideal.planes;
    if (topology.fabric.named() || topology.fabric.channels().size() != ideal.fabric.channels().size())
      return;
    Fabric rest = without(ideal.fabric, topology.fabric.taken());
    if (same_graph(rest, topology.fabric)) topology.fabric = std::move(rest);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(file_)) throw;
    fail(said_.notation_line, error.what());
  }
}

}  // namespace

FabricFile assemble(JsonFabric said, const std::string& file) {
  return Assembler(std::move(said), file).run();
}

}  // namespace banyan::formats
