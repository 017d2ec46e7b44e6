#include "formats/slurm_tree.hpp"

#include <fmt/format.h>

#include "formats/hostlist.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

constexpr std::size_t max_written = 1 << 16;  // hosts and switches

}  // namespace

void SlurmTree::expand(std::string_view hostlist, std::vector<std::string>& out, u64 line) const {
  try {
    expand_hostlist(hostlist, raw_.nodes.size(), out);
  } catch (const InputError& error) {
    raw_.fail(line, error.what());
  }
}

u32 SlurmTree::read_child(const std::string& name, bool is_switch, u32 parent) {
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

void SlurmTree::add(const SlurmSwitch& said) {
  line_ = said.line;
  Switch here{raw_.define(said.name, line_), {}, said.speed, line_};
  if (raw_.nodes[here.node].kind == RawNode::Kind::nic)
    raw_.fail(line_,
              fmt::format("found {} as a node and as a switch, expected names to differ", shown(said.name)));
  raw_.nodes[here.node].kind = RawNode::Kind::switch_;
  for (const std::string& child : said.nodes) here.below.push_back(read_child(child, false, here.node));
  for (const std::string& child : said.below) here.below.push_back(read_child(child, true, here.node));
  switches_.push_back(std::move(here));
}

// Refuses switches that stand below each other in a circle.
void SlurmTree::check_tree() const {
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

void SlurmTree::connect() {
  check_tree();
  std::vector<u32> up_port(raw_.nodes.size(), 1);
  for (const Switch& s : switches_) up_port[s.node] = static_cast<u32>(s.below.size()) + 1;
  for (const Switch& s : switches_)
    for (u32 i = 0; i < s.below.size(); ++i)
      raw_.cables.push_back({{s.node, i + 1}, {s.below[i], up_port[s.below[i]]}, s.capacity, 1, s.line});
}

FabricFile SlurmTree::build() && {
  connect();
  return to_fabric(std::move(raw_));
}

std::vector<LogicalSwitch> slurm_switches(const Topology& topology) {
  if (topology.fabric.nodes().size() > max_written)
    throw InputError(fmt::format("more than {} hosts and switches are too many for Slurm", max_written));
  std::vector<LogicalSwitch> out = logical_tree(topology);
  for (const LogicalSwitch& s : out)
    for (const auto* names : {&s.hosts, &s.switches})
      for (const std::string& name : *names)
        if (!is_hostlist_name(name))
          throw InputError(fmt::format("Slurm does not allow a node or switch named '{}'", name));
  return out;
}

}  // namespace banyan::formats
