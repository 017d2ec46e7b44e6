// Slurm's topology.conf: a tree of switches, `SwitchName=s0 Nodes=h[0-13]` and `SwitchName=root
// Switches=s[0-3]`. Read ports are numbered in order: what is below first, then the switch above.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "base/text.hpp"
#include "formats/hostlist.hpp"
#include "formats/lines.hpp"
#include "formats/logical_tree.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

constexpr std::size_t max_written = 1 << 16;  // hosts and switches

class SlurmReader {
 public:
  SlurmReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {}

  FabricFile run() && {
    while (take_line())
      if (!trim(text_).empty()) read_switch();
    connect();
    return to_fabric(std::move(raw_));
  }

 private:
  struct Switch {
    u32 node;
    std::vector<u32> below;
    std::optional<double> capacity;
    u64 line;
  };

  bool take_line();
  void read_switch();
  u32 read_child(const std::string& name, bool is_switch, u32 parent);
  void connect();
  void check_tree() const;

  LineReader lines_;
  RawFabric raw_;
  std::string text_;  // a line with those that continue it, without comments
  u64 line_ = 0;
  std::vector<Switch> switches_;
  std::vector<u32> parent_;  // by raw node; itself: none
};

bool SlurmReader::take_line() {
  text_.clear();
  if (!lines_.next()) return false;
  line_ = lines_.number();
  for (;;) {
    const std::string_view piece = trim(lines_.line().substr(0, lines_.line().find('#')));
    text_ += piece;
    if (text_.size() > (1u << 24)) lines_.fail("found more than 16 megabytes of continued lines");
    if (!text_.ends_with('\\')) return true;
    text_.back() = ' ';
    if (!lines_.next()) return true;
  }
}

u32 SlurmReader::read_child(const std::string& name, bool is_switch, u32 parent) {
  const u32 child = raw_.mention(name, line_);
  const auto kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  RawNode& node = raw_.nodes[child];
  if (node.kind != RawNode::Kind::unknown && node.kind != kind)
    raw_.fail(line_,
              fmt::format("found {} as a node and as a switch, expected names to differ", shown(name)));
  node.kind = kind;
  if (!is_switch) node.defined = true, node.ports = 1;
  while (parent_.size() < raw_.nodes.size()) parent_.push_back(static_cast<u32>(parent_.size()));
  if (parent_[child] != child || child == parent)
    raw_.fail(line_, fmt::format("found {} below two switches, expected a tree", shown(name)));
  parent_[child] = parent;
  return child;
}

void SlurmReader::read_switch() {
  std::string name;
  std::vector<std::string> nodes, below;
  std::optional<double> speed;
  for (std::string_view rest = trim(text_); !rest.empty(); rest = trim(rest)) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    const auto equals = std::min(word.find('='), word.size());
    const std::string key = lower(word.substr(0, equals));
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    try {
      if (key == "switchname" && is_hostlist_name(value))
        name = std::string(value);
      else if (key == "nodes" && !value.empty())
        expand_hostlist(value, raw_.nodes.size(), nodes);
      else if (key == "switches" && !value.empty())
        expand_hostlist(value, raw_.nodes.size(), below);
      else if (key == "linkspeed")
        speed = raw_.capacity(value, line_);
      else
        throw InputError(
            fmt::format("found {}, expected SwitchName=, Nodes=, Switches= or LinkSpeed=", shown(word)));
    } catch (const InputError& error) {
      if (std::string_view(error.what()).starts_with(raw_.file)) throw;
      raw_.fail(line_, error.what());
    }
  }
  if (name.empty()) raw_.fail(line_, "found no SwitchName=, expected one on every line");
  if (nodes.empty() == below.empty()) raw_.fail(line_, "expected either Nodes= or Switches= of a switch");
  Switch here{raw_.define(name, line_), {}, speed, line_};
  if (raw_.nodes[here.node].kind == RawNode::Kind::nic)
    raw_.fail(line_,
              fmt::format("found {} as a node and as a switch, expected names to differ", shown(name)));
  raw_.nodes[here.node].kind = RawNode::Kind::switch_;
  for (const std::string& child : nodes) here.below.push_back(read_child(child, false, here.node));
  for (const std::string& child : below) here.below.push_back(read_child(child, true, here.node));
  switches_.push_back(std::move(here));
}

// Refuses switches that stand below each other in a circle.
void SlurmReader::check_tree() const {
  std::vector<u8> good(parent_.size());
  for (u32 v = 0; v < parent_.size(); ++v) {
    std::vector<u32> path;
    u32 at = v;
    for (; !good[at] && parent_[at] != at && path.size() <= parent_.size(); at = parent_[at])
      path.push_back(at);
    if (path.size() > parent_.size())
      raw_.fail(raw_.nodes[v].line,
                fmt::format("found {} below itself, expected a tree", shown(raw_.nodes[v].key)));
    good[at] = 1;
    for (u32 passed : path) good[passed] = 1;
  }
}

void SlurmReader::connect() {
  check_tree();
  std::vector<u32> up_port(raw_.nodes.size(), 1);
  for (const Switch& s : switches_) up_port[s.node] = static_cast<u32>(s.below.size()) + 1;
  for (const Switch& s : switches_)
    for (u32 i = 0; i < s.below.size(); ++i)
      raw_.cables.push_back({{s.node, i + 1}, {s.below[i], up_port[s.below[i]]}, s.capacity, 1, s.line});
}

// --- writing
// -------------------------------------------------------------------------------------------------

void write_slurm(const FabricFile& file, std::ostream& out) {
  const auto& classes = file.topology.fabric.link_classes();
  bool speeds = false;
  if (file.topology.fabric.nodes().size() > max_written)
    throw InputError(fmt::format("more than {} hosts and switches are too many for Slurm", max_written));
  for (const LinkClass& link : classes) speeds = speeds || link.capacity != 1;
  for (const LogicalSwitch& s : logical_tree(file.topology)) {
    for (const auto* names : {&s.hosts, &s.switches})
      for (const std::string& name : *names)
        if (!is_hostlist_name(name))
          throw InputError(fmt::format("Slurm does not allow a node or switch named '{}'", name));
    fmt::print(out, "SwitchName={} {}={}", s.name, s.hosts.empty() ? "Switches" : "Nodes",
               compress_hostlist(s.hosts.empty() ? s.switches : s.hosts));
    if (speeds && s.capacity > 0) fmt::print(out, " LinkSpeed={}", s.capacity);
    out << '\n';
  }
}

}  // namespace

Format slurm_format() {
  return {"slurm",
          {".conf"},
          "Slurm's topology.conf",
          [](std::string_view head) {
            const std::string line = lower(first_line(head));
            return line.starts_with("switchname=") || line.find(" switchname=") != line.npos;
          },
          [](std::istream& in, const std::string& file) { return SlurmReader(in, file).run(); },
          write_slurm};
}

}  // namespace banyan::formats
