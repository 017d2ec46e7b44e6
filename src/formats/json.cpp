// Our own format: everything a topology is. Sections are arrays of rows, one row a line, so that it can be streamed
// and compared line by line; docs/formats.md has the columns.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <charconv>
#include <istream>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"
#include "topology/family.hpp"

namespace banyan {
namespace {

using nlohmann::json;
constexpr u64 version = 1;

// --- writing -------------------------------------------------------------------------------------------------

std::string quoted(const std::string& text) { return json(printable(text)).dump(); }
std::string hex(u64 guid) { return fmt::format("\"{:016x}\"", guid); }

// An array of rows, each on a line of its own.
class Section {
 public:
  Section(std::ostream& out, std::string_view name) : out_(out) { fmt::print(out_, ",\n\"{}\": [", name); }
  template <class... Cells>
  void row(const Cells&... cells) {
    out_ << (rows_++ == 0 ? "\n[" : ",\n[");
    std::string_view comma;
    ((fmt::print(out_, "{}{}", comma, cells), comma = ", "), ...);
    out_ << ']';
  }
  ~Section() { out_ << ']'; }

 private:
  std::ostream& out_;
  u64 rows_ = 0;
};

void write_link(Section& section, const Fabric& fabric, const Link& link) {
  section.row(index(fabric.from(link.a)), index(fabric.port(link.a)), index(fabric.from(link.b)),
              index(fabric.port(link.b)), fabric.link_class_index(link.a));
}

void write_ids(const Fabric& fabric, const InfinibandIds& ids, std::ostream& out) {
  {
    Section section(out, "infiniband_nodes");
    for (const auto& node : ids.nodes)
      section.row(hex(node.guid), hex(node.system_guid), hex(node.port0.guid), node.port0.lid, u32{node.port0.lmc});
  }
  Section section(out, "infiniband_ports");
  for (Channel c : ids.nic_channels.ids())
    if (const auto& port = ids.nic_channels[c]; port != InfinibandIds::Attachment{})
      section.row(index(fabric.from(c)), index(fabric.port(c)), hex(port.guid), port.lid, u32{port.lmc});
}

void write_nodes(const Topology& topology, std::ostream& out) {
  const Fabric& fabric = topology.fabric;
  const bool names = fabric.named() || std::holds_alternative<Irregular>(topology.shape);
  Section section(out, "nodes");
  for (Node v : fabric.nodes()) {
    if (!names || (index(v) >= fabric.hosts() && !fabric.is_switch(v))) section.row(fabric.ports(v));
    else section.row(fabric.ports(v), quoted(fabric.is_switch(v) ? fabric.name(v) : fabric.host_name(Host{index(v)})));
  }
}

void write_json(const FabricFile& file, std::ostream& out) {
  const Fabric& fabric = file.topology.fabric;
  fmt::print(out, "{{\n\"banyan_fabric\": {}", version);
  if (const std::string notation = canonical_notation(file.topology); !notation.empty())
    fmt::print(out, ",\n\"notation\": {}", quoted(notation));
  fmt::print(out, ",\n\"hosts\": {},\n\"rails\": {}", fabric.hosts(), fabric.rails());
  {
    Section section(out, "link_classes");
    for (const LinkClass& link : fabric.link_classes()) section.row(link.capacity, link.latency);
  }
  write_nodes(file.topology, out);
  {
    Section section(out, "links");
    fabric.each_link([&](const Link& link) { write_link(section, fabric, link); });
  }
  if (!fabric.taken().empty()) {
    Section section(out, "taken");
    for (const Link& link : fabric.taken()) write_link(section, fabric, link);
  }
  {
    Section section(out, "port_labels");
    for (Channel c : fabric.channels())
      if (fabric.port_label(c) != index(fabric.port(c)) + 1)
        section.row(index(fabric.from(c)), index(fabric.port(c)), fabric.port_label(c));
  }
  if (!file.ids.empty()) write_ids(fabric, file.ids, out);
  out << "\n}\n";
}

// --- reading -------------------------------------------------------------------------------------------------

struct Cell {
  enum class Kind { whole, real, text } kind;
  u64 whole;
  double real;
  std::string text;
};

struct FileLink {
  u32 a, port_a, b, port_b, link_class;
  u64 line;
};

// What the file says, before it is put together.
struct Said {
  std::optional<u64> version, hosts, rails;
  std::string notation;
  u64 notation_line = 0;
  std::vector<LinkClass> classes;
  struct Node {
    u32 ports;
    std::string name;
    u64 line;
  };
  std::vector<Node> nodes;
  std::vector<FileLink> links, taken;
  struct Label {
    u32 node, port, label;
    u64 line;
  };
  std::vector<Label> labels;
  std::vector<InfinibandIds::NodeIds> node_ids;
  struct PortIds {
    u32 node, port;
    InfinibandIds::Attachment ids;
    u64 line;
  };
  std::vector<PortIds> port_ids;
};

// Counts lines while the parser reads.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  CountingIterator() = default;
  CountingIterator(std::streambuf* in, u64* line) : in_(in), line_(line) { settle(); }
  char operator*() const { return static_cast<char>(in_->sgetc()); }
  CountingIterator& operator++() {
    if (in_->sbumpc() == '\n') ++*line_;
    settle();
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return in_ == other.in_; }
  bool operator!=(const CountingIterator& other) const { return in_ != other.in_; }

 private:
  void settle() {
    if (in_->sgetc() == std::char_traits<char>::eof()) in_ = nullptr;
  }
  std::streambuf* in_ = nullptr;
  u64* line_ = nullptr;
};

// Receives the events of the parser. Depth 1 is the object, 2 a section, 3 a row.
class Handler : public nlohmann::json_sax<json> {
 public:
  Handler(const std::string& file, const u64& line) : file_(file), line_(line) {}
  Said said;

  bool null() override { missed("null", "a number or a text"); }
  bool boolean(bool value) override { missed(value ? "true" : "false", "a number or a text"); }
  bool number_integer(number_integer_t value) override { missed(std::to_string(value), "a number of at least 0"); }
  bool number_unsigned(number_unsigned_t value) override {
    return cell({Cell::Kind::whole, value, static_cast<double>(value), ""});
  }
  bool number_float(number_float_t value, const string_t&) override { return cell({Cell::Kind::real, 0, value, ""}); }
  bool string(string_t& value) override { return cell({Cell::Kind::text, 0, 0, std::move(value)}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (depth_++ != 0) missed("'{'", "no further object inside");
    return true;
  }
  bool end_object() override { return --depth_, true; }
  bool key(string_t& name) override { return section_ = std::move(name), true; }
  bool start_array(std::size_t) override {
    if (depth_ < 1 || depth_ > 2) missed("'['", depth_ == 0 ? "'{'" : "a number or a text");
    ++depth_;
    row_.clear();
    return true;
  }
  bool end_array() override {
    if (depth_-- == 3) take_row();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    const auto colon = what.find(": ");
    fail(std::string(what.substr(colon == what.npos ? 0 : colon + 2)));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, line_}, what); }
  [[noreturn]] void missed(std::string_view found, std::string_view expected) const {
    fail(fmt::format("found {}, expected {}", found, expected));
  }

  bool cell(Cell value) {
    if (depth_ == 1) return take_scalar(value), true;
    if (depth_ != 3) missed(shown(value.kind == Cell::Kind::text ? value.text : fmt::format("{}", value.real)), "'['");
    if (row_.size() == 8) fail("found a row of more than 8 cells, expected fewer");
    return row_.push_back(std::move(value)), true;
  }
  void take_scalar(const Cell& value);
  void take_row();
  void columns(std::size_t least, std::size_t most) const {
    if (row_.size() < least || row_.size() > most)
      fail(fmt::format("found a row of {} cells in \"{}\", expected {}", row_.size(), section_, most));
  }
  u64 whole(const Cell& cell, u64 most) const {
    if (cell.kind != Cell::Kind::whole || cell.whole > most)
      missed(cell.kind == Cell::Kind::text ? shown(cell.text) : fmt::format("{}", cell.real),
             fmt::format("a whole number up to {} in \"{}\"", most, section_));
    return cell.whole;
  }
  u32 number(std::size_t column) const { return static_cast<u32>(whole(row_[column], ~u32{0})); }
  double real(std::size_t column, bool zero_too) const {
    const Cell& cell = row_[column];
    if (cell.kind == Cell::Kind::text || !(cell.real > 0 || (zero_too && cell.real == 0)) || cell.real > 1e300)
      missed(cell.kind == Cell::Kind::text ? shown(cell.text) : fmt::format("{}", cell.real), "a number above 0");
    return cell.real;
  }
  u64 guid(std::size_t column) const {
    const std::string& text = row_[column].text;
    u64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      missed(shown(text), "a GUID of 16 hexadecimal digits in quotes");
    return value;
  }
  InfinibandIds::Attachment attachment(std::size_t column) const {
    return {guid(column), static_cast<u16>(whole(row_[column + 1], 0xffff)), static_cast<u8>(whole(row_[column + 2], 7))};
  }

  const std::string& file_;
  const u64& line_;
  int depth_ = 0;
  std::string section_;
  std::vector<Cell> row_;
};

void Handler::take_scalar(const Cell& value) {
  if (section_ == "banyan_fabric") {
    said.version = whole(value, ~u64{0});
    if (*said.version != version) missed(fmt::format("version {}", *said.version), fmt::format("version {}", version));
  } else if (section_ == "hosts") {
    said.hosts = whole(value, 1u << 28);
  } else if (section_ == "rails") {
    said.rails = whole(value, most_rails);
  } else if (section_ == "notation" && value.kind == Cell::Kind::text) {
    said.notation = value.text;
    said.notation_line = line_;
  } else {
    missed(fmt::format("a single value for {}", shown(section_)), "banyan_fabric, hosts, rails or notation");
  }
}

void Handler::take_row() {
  const auto link = [&](std::vector<FileLink>& links) {
    columns(5, 5);
    links.push_back({number(0), number(1), number(2), number(3), number(4), line_});
  };
  if (section_ == "links") return link(said.links);
  if (section_ == "taken") return link(said.taken);
  if (section_ == "link_classes") {
    columns(2, 2);
    said.classes.push_back({real(0, false), real(1, true)});
  } else if (section_ == "nodes") {
    columns(1, 2);
    if (row_.size() == 2 && row_[1].text.empty()) fail("found a node with an empty name, expected a text");
    said.nodes.push_back({static_cast<u32>(whole(row_[0], most_ports_of_a_node)), row_.size() == 2 ? row_[1].text : "", line_});
  } else if (section_ == "port_labels") {
    columns(3, 3);
    said.labels.push_back({number(0), number(1), number(2), line_});
  } else if (section_ == "infiniband_nodes") {
    columns(5, 5);
    said.node_ids.push_back({guid(0), guid(1), attachment(2)});
  } else if (section_ == "infiniband_ports") {
    columns(5, 5);
    said.port_ids.push_back({number(0), number(1), attachment(2), line_});
  } else {
    static constexpr std::string_view known[] = {"links", "taken", "link_classes", "nodes", "port_labels",
                                                 "infiniband_nodes", "infiniband_ports"};
    missed(shown(section_), fmt::format("\"{}\" or another section", nearest(section_, known)));
  }
}

// Puts together what was said.
class Assembler {
 public:
  Assembler(Said said, const std::string& file) : said_(std::move(said)), file_(file) {}

  FabricFile run() {
    if (!said_.version) fail(0, "found no \"banyan_fabric\", expected its version");
    if (!said_.hosts || !said_.rails || *said_.rails == 0) fail(0, "expected \"hosts\", and \"rails\" of at least 1");
    if (said_.nodes.size() < *said_.hosts * *said_.rails)
      fail(0, fmt::format("found {} nodes, expected a NIC for {} hosts on {} rails", said_.nodes.size(), *said_.hosts, *said_.rails));
    Topology topology{build_fabric(), Irregular{}};
    InfinibandIds ids = number_ids(topology.fabric);
    if (!said_.notation.empty()) restore_shape(topology);
    return {std::move(topology), std::move(ids)};
  }

 private:
  [[noreturn]] void fail(u64 line, const std::string& what) const { throw InputError(Place{file_, line}, what); }

  Fabric build_fabric();
  void add_nodes(FabricBuilder& builder);
  void connect(FabricBuilder& builder, const FileLink& link) const;
  void check_port(u32 node, u32 port, u64 line) const {
    if (node >= said_.nodes.size()) fail(line, fmt::format("found node {}, expected less than {}", node, said_.nodes.size()));
    if (port >= said_.nodes[node].ports)
      fail(line, fmt::format("found port {} of node {}, expected less than {}", port, node, said_.nodes[node].ports));
  }
  static Link link_of(const Fabric& fabric, const FileLink& link) {
    return {fabric.channel(Node{link.a}, Port{link.port_a}), fabric.channel(Node{link.b}, Port{link.port_b})};
  }
  InfinibandIds number_ids(const Fabric& fabric) const;
  void restore_shape(Topology& topology) const;
  void check_shape_size(const Fabric& fabric) const;
  void check_shape(const Fabric& fabric, const Fabric& ideal) const;

  Said said_;
  const std::string& file_;
};

void Assembler::add_nodes(FabricBuilder& builder) {
  const u64 hosts = *said_.hosts, nics = hosts * *said_.rails;
  const bool named = !said_.nodes.empty() && !said_.nodes[0].name.empty();
  std::unordered_set<std::string> names;
  for (u64 i = nics; i < said_.nodes.size(); ++i) builder.add_switch(said_.nodes[i].ports);
  for (u64 i = 0; i < said_.nodes.size(); ++i) {
    auto& node = said_.nodes[i];
    const Node v{static_cast<u32>(i)};
    if (i < nics) builder.nic_ports(Nic{index(v)}, node.ports);
    const bool wanted = named && (i < hosts || i >= nics);
    if (wanted == node.name.empty())
      fail(node.line, fmt::format("found a node {} a name, expected all hosts and switches to have one, or none",
                                  wanted ? "without" : "with"));
    if (!wanted) continue;
    if (printable(node.name) != node.name) fail(node.line, "found a name that is not printable");
    if (!names.insert(node.name).second) fail(node.line, fmt::format("found {} twice, expected names to differ", shown(node.name)));
    builder.name_switch(v, std::move(node.name));
  }
}

void Assembler::connect(FabricBuilder& builder, const FileLink& link) const {
  const Node a{link.a}, b{link.b};
  const Port pa{link.port_a}, pb{link.port_b};
  check_port(link.a, link.port_a, link.line);
  check_port(link.b, link.port_b, link.line);
  if (link.link_class >= said_.classes.size()) fail(link.line, fmt::format("found link class {}, expected less than {}", link.link_class, said_.classes.size()));
  if (!builder.is_free(a, pa) || !builder.is_free(b, pb) || (a == b && pa == pb))
    fail(link.line, "found a cable on a port that is cabled already");
  builder.connect(a, pa, b, pb, static_cast<u8>(link.link_class));
}

Fabric Assembler::build_fabric() {
  u64 ports = 0;
  for (const auto& node : said_.nodes) ports += node.ports;
  check_size(said_.nodes.size(), ports, said_.links.size() + said_.taken.size(), file_);
  FabricBuilder builder(static_cast<u32>(*said_.hosts), static_cast<u32>(*said_.rails));
  add_nodes(builder);
  if (said_.classes.size() > 256) fail(0, "found more than 256 link classes");
  for (std::size_t i = 0; i < said_.classes.size(); ++i)
    if (builder.add_class(said_.classes[i]) != i) fail(0, fmt::format("found link class {} twice", i));
  for (const FileLink& link : said_.links) connect(builder, link);
  for (const FileLink& link : said_.taken) connect(builder, link);
  for (const auto& label : said_.labels) {
    check_port(label.node, label.port, label.line);
    builder.label_port(Node{label.node}, Port{label.port}, label.label);
  }
  const Fabric whole = std::move(builder).build();
  std::vector<Link> taken;
  for (const FileLink& link : said_.taken) taken.push_back(link_of(whole, link));
  return without(whole, taken);
}

InfinibandIds Assembler::number_ids(const Fabric& fabric) const {
  InfinibandIds ids;
  if (said_.node_ids.empty()) return ids;
  if (said_.node_ids.size() != said_.nodes.size())
    fail(0, fmt::format("found {} rows of \"infiniband_nodes\", expected {}", said_.node_ids.size(), said_.nodes.size()));
  for (const auto& node : said_.node_ids) ids.nodes.push_back(node);
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

// A notation may ask for more than the file has: looks before anything is built.
void Assembler::check_shape_size(const Fabric& fabric) const {
  const Notation notation = parse_notation(said_.notation);
  for (const Family& family : families()) {
    if (lower(family.name) != lower(notation.name)) continue;
    const Made made = family.make(notation);
    const auto* shape = std::get_if<Shape>(&made.what);
    const u64 ports = shape ? std::visit(
        [](const auto& s) -> u64 {
          if constexpr (requires { s.switch_ports(); }) return s.switch_ports();
          else return 0;
        },
        *shape) : 0;
    if (saturating_multiply(ports, notation.planes) > fabric.channels().size())
      fail(said_.notation_line, fmt::format("found {} ports, fewer than {} has", fabric.channels().size(), shown(said_.notation)));
  }
}

// Every cable of the shape is in place or was taken; the fabric may have more, behind the shape's numbers.
void Assembler::check_shape(const Fabric& fabric, const Fabric& ideal) const {
  const auto wrong = [&](const std::string& what) { fail(said_.notation_line, fmt::format("is not {}: {}", shown(said_.notation), what)); };
  if (fabric.rails() != ideal.rails() || fabric.hosts() < ideal.hosts() || fabric.switches() < ideal.switches())
    wrong(fmt::format("found {} hosts, {} rails, {} switches", fabric.hosts(), fabric.rails(), fabric.switches()));
  const auto place = [&](Node v) {
    if (ideal.is_switch(v)) return Node{index(v) - ideal.nics() + fabric.nics()};
    return fabric.node(fabric.nic(ideal.host(ideal.nic(v)), ideal.rail(ideal.nic(v))));
  };
  std::unordered_set<u64> taken;
  for (const Link& link : fabric.taken()) {
    taken.insert(u64{index(link.a)} << 32 | index(link.b));
    taken.insert(u64{index(link.b)} << 32 | index(link.a));
  }
  for (Node v : ideal.nodes())
    if (ideal.ports(v) > fabric.ports(place(v))) wrong(fmt::format("node {} has too few ports", index(place(v))));
  ideal.each_link([&](const Link& link) {
    const Channel a = fabric.channel(place(ideal.from(link.a)), ideal.port(link.a));
    const Channel b = fabric.channel(place(ideal.from(link.b)), ideal.port(link.b));
    if (fabric.reverse(a) != b && !taken.contains(u64{index(a)} << 32 | index(b)))
      wrong(fmt::format("the cable from port {} of node {} to port {} of node {} is neither there nor taken",
                        index(fabric.port(a)), index(fabric.from(a)), index(fabric.port(b)), index(fabric.from(b))));
  });
}

bool same_graph(const Fabric& a, const Fabric& b) {
  if (a.hosts() != b.hosts() || a.rails() != b.rails() || a.nodes().size() != b.nodes().size()) return false;
  if (a.channels().size() != b.channels().size() || a.link_classes() != b.link_classes()) return false;
  for (Channel c : a.channels())
    if (a.from(c) != b.from(c) || a.reverse(c) != b.reverse(c) || a.link_class_index(c) != b.link_class_index(c) ||
        a.port_label(c) != b.port_label(c))
      return false;
  return true;
}

// A fabric that is its formula without some cables gets its names from the formula as well.
void Assembler::restore_shape(Topology& topology) const {
  try {
    check_shape_size(topology.fabric);
    Topology ideal = make_topology(said_.notation);
    check_shape(topology.fabric, ideal.fabric);
    topology.shape = std::move(ideal.shape);
    topology.planes = ideal.planes;
    if (topology.fabric.named() || topology.fabric.channels().size() != ideal.fabric.channels().size()) return;
    Fabric rest = without(ideal.fabric, topology.fabric.taken());
    if (same_graph(rest, topology.fabric)) topology.fabric = std::move(rest);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(file_)) throw;
    fail(said_.notation_line, error.what());
  }
}

FabricFile read_json(std::istream& in, const std::string& file) {
  u64 line = 1;
  Handler handler(file, line);
  json::sax_parse(CountingIterator(in.rdbuf(), &line), CountingIterator(), &handler);
  return Assembler(std::move(handler.said), file).run();
}

}  // namespace

Format json_format() {
  return {"json", {".json"}, "everything a fabric is, in JSON",
          [](std::string_view head) {
            head = trim(head);
            return head.starts_with('{') && trim(head.substr(1)).starts_with('"');
          },
          read_json, write_json};
}

}  // namespace banyan
