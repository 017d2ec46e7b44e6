#include "formats/slurm_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

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

u32 SlurmTree::read_child(const std::string& name, bool is_switch) {
  const u32 child = raw_.mention(name, line_);
  const auto kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  RawNode& node = raw_.nodes[child];
  if (node.kind != RawNode::Kind::unknown && node.kind != kind)
    raw_.fail(line_,
              fmt::format("found {} as a node and as a switch, expected names to differ", shown(name)));
  node.kind = kind;
  above_.resize(raw_.nodes.size());
  ++above_[child];
  if (is_switch) return child;
  node.defined = true;
  node.ports = 1;
  return above_[child] == 1 ? child : further_nic(child, above_[child] - 1);
}

// Of a node that is below several switches.
u32 SlurmTree::further_nic(u32 node, u32 slot) {
  raw_.nodes[node].slot = 0;
  RawNode nic = raw_.nodes[node];
  const std::string name = nic.key;
  const u32 out = raw_.define(fmt::format("{} NIC {}", name, slot + 1), line_);
  nic.key = raw_.nodes[out].key;
  nic.name = name;
  nic.slot = slot;
  raw_.nodes[node].name = name;
  raw_.nodes[out] = std::move(nic);
  return out;
}

void SlurmTree::add(const SlurmSwitch& said) {
  line_ = said.line;
  Switch here{raw_.define(said.name, line_), {}, said.speed, line_};
  if (raw_.nodes[here.node].kind == RawNode::Kind::nic)
    raw_.fail(line_,
              fmt::format("found {} as a node and as a switch, expected names to differ", shown(said.name)));
  raw_.nodes[here.node].kind = RawNode::Kind::switch_;
  for (const std::string& child : said.nodes) here.below.push_back(read_child(child, false));
  for (const std::string& child : said.below) here.below.push_back(read_child(child, true));
  switches_.push_back(std::move(here));
}

void SlurmTree::add_blocks(const std::vector<SlurmSwitch>& blocks) {
  SlurmSwitch root;
  for (const SlurmSwitch& block : blocks) {
    add(block);
    root.below.push_back(block.name);
  }
  if (blocks.size() < 2) return;
  root.line = blocks.front().line;
  root.name = "root";
  while (std::find(root.below.begin(), root.below.end(), root.name) != root.below.end()) root.name += "_";
  add(root);
}

// Two switches that each name the other share one cable, and count as the first line has it.
void SlurmTree::drop_repeated() {
  std::set<std::pair<u32, u32>> seen;  // above, below
  for (Switch& s : switches_)
    std::erase_if(s.below, [&](u32 child) {
      const bool is_repeated = seen.contains({child, s.node});
      if (is_repeated) --above_[child];
      seen.insert({s.node, child});
      return is_repeated;
    });
}

// Refuses switches that stand below each other in a circle.
void SlurmTree::check_order() const {
  std::vector<u32> left = above_, open;
  left.resize(raw_.nodes.size());
  std::vector<const Switch*> by_node(raw_.nodes.size());
  for (const Switch& s : switches_) by_node[s.node] = &s;
  for (u32 v = 0; v < left.size(); ++v)
    if (left[v] == 0 && by_node[v]) open.push_back(v);
  while (!open.empty()) {
    const Switch& s = *by_node[open.back()];
    open.pop_back();
    for (const u32 child : s.below)
      if (by_node[child] && --left[child] == 0) open.push_back(child);
  }
  for (u32 v = 0; v < left.size(); ++v)
    if (left[v] > 0 && by_node[v])
      raw_.fail(raw_.nodes[v].line,
                fmt::format("found {} below itself, expected a tree", shown(raw_.nodes[v].key)));
}

void SlurmTree::connect() {
  drop_repeated();
  check_order();
  std::vector<u32> up_port(raw_.nodes.size(), 1);
  for (const Switch& s : switches_) up_port[s.node] = static_cast<u32>(s.below.size()) + 1;
  for (const Switch& s : switches_)
    for (u32 i = 0; i < s.below.size(); ++i)
      raw_.cables.push_back({{s.node, i + 1}, {s.below[i], up_port[s.below[i]]++}, s.capacity, 1, s.line});
}

std::string SlurmTree::remark() const {
  std::vector<std::string> nodes, switches;
  for (u32 v = 0; v < above_.size(); ++v)
    if (above_[v] > 1)
      (raw_.nodes[v].kind == RawNode::Kind::nic ? nodes : switches).push_back(raw_.nodes[v].key);
  std::string out;
  if (!nodes.empty())
    out = fmt::format("below several switches, so with a NIC on each: {}", fmt::join(nodes, " "));
  if (!switches.empty())
    out += fmt::format("{}below several switches, so with a cable to each: {}", out.empty() ? "" : "; ",
                       fmt::join(switches, " "));
  return out;
}

FabricFile SlurmTree::build() && {
  connect();
  std::string said = remark();
  FabricFile out = to_fabric(std::move(raw_));
  out.topology.remark = std::move(said);
  return out;
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
