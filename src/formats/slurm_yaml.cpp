// Slurm's topology.yaml: a list of topologies, each a tree of switches, blocks of nodes, or flat. The one
// that is the cluster's default is read, or else the first; of blocks, each is a switch below one root. A
// fabric is written as a tree, or as blocks of the hosts of each leaf.
#include <fmt/format.h>

#include <algorithm>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/hostlist.hpp"
#include "formats/lines.hpp"
#include "formats/slurm_tree.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

class SlurmYamlReader {
 public:
  SlurmYamlReader(std::istream& in, const std::string& file)
      : in_(in), file_(file), ask_(file), tree_(file) {}

  FabricFile run() && {
    const auto documents = read_trees(in_, file_);
    if (documents.size() != 1)
      throw InputError(Place{file_}, fmt::format("found {} documents, expected one", documents.size()));
    const Tree& list = ask_.list(documents[0], "a list of topologies");
    const Tree* chosen = nullptr;
    for (const Tree& topology : list.items) {
      ask_.text(ask_.at(ask_.map(topology, "a topology"), "topology"), "the name of a topology");
      const Tree* is_default = topology.find("cluster_default");
      const bool is_first_default = is_default && is_default->text == "true" && !has_default_;
      has_default_ = has_default_ || is_first_default;
      if (!chosen || is_first_default) chosen = &topology;
    }
    if (!chosen) ask_.fail(list, "found no topology, expected one");
    read_topology(*chosen);
    return std::move(tree_).build();
  }

 private:
  void read_topology(const Tree& topology);
  void read_switch(const Tree& tree);
  void read_blocks(const Tree& block);
  std::vector<std::string> names(const Tree& tree) const;
  std::string name_of(const Tree& map, std::string_view key) const;

  std::istream& in_;
  std::string file_;
  TreeReader ask_;
  SlurmTree tree_;
  bool has_default_ = false;
};

// A hostlist, or a list of them.
std::vector<std::string> SlurmYamlReader::names(const Tree& tree) const {
  std::vector<std::string> out;
  if (!tree.is_list()) {
    tree_.expand(ask_.text(tree, "a list of nodes such as h[0-3]"), out, tree.line);
    return out;
  }
  for (const Tree& item : tree.items)
    tree_.expand(ask_.text(item, "a list of nodes such as h[0-3]"), out, item.line);
  return out;
}

std::string SlurmYamlReader::name_of(const Tree& map, std::string_view key) const {
  const std::string& name = ask_.text(ask_.at(map, key), fmt::format("the name of a {}", key));
  if (!is_hostlist_name(name))
    ask_.fail(map, fmt::format("found {}, expected a name that Slurm allows", shown(name)));
  return name;
}

void SlurmYamlReader::read_topology(const Tree& topology) {
  if (const Tree* tree = topology.find("tree")) {
    const Tree& switches = ask_.at(ask_.map(*tree, "a tree with switches"), "switches");
    for (const Tree& s : ask_.list(switches, "a list of switches").items) read_switch(s);
  } else if (const Tree* block = topology.find("block")) {
    read_blocks(ask_.map(*block, "blocks"));
  } else {
    ask_.fail(topology, "found neither tree nor block, expected one: a flat topology has no switches");
  }
}

void SlurmYamlReader::read_switch(const Tree& tree) {
  ask_.map(tree, "a switch");
  SlurmSwitch here;
  here.line = tree.line;
  here.name = name_of(tree, "switch");
  if (const Tree* nodes = tree.find("nodes")) here.nodes = names(*nodes);
  if (const Tree* children = tree.find("children")) here.below = names(*children);
  if (here.nodes.empty() == here.below.empty())
    ask_.fail(tree, "expected either nodes or children of a switch");
  tree_.add(here);
}

void SlurmYamlReader::read_blocks(const Tree& block) {
  const Tree& list = ask_.list(ask_.at(block, "blocks"), "a list of blocks");
  std::vector<SlurmSwitch> blocks;
  for (const Tree& tree : list.items) {
    SlurmSwitch here;
    here.line = ask_.map(tree, "a block").line;
    here.name = name_of(tree, "block");
    here.nodes = names(ask_.at(tree, "nodes"));
    blocks.push_back(std::move(here));
  }
  tree_.add_blocks(blocks);
}

// --- writing
// -------------------------------------------------------------------------------------------------

// Quoted where YAML would read something else: a list, or nothing.
std::string yaml_word(const std::string& text) {
  const char first = text.empty() ? ' ' : text.front();
  const bool is_plain =
      (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9');
  return is_plain && lower(text) != "null" ? text : '"' + text + '"';
}

void write_slurm_tree(const FabricFile& file, std::ostream& out) {
  out << "- topology: tree\n  cluster_default: true\n  tree:\n    switches:\n";
  for (const LogicalSwitch& s : slurm_switches(file.topology))
    base::print(out, "      - switch: {}\n        {}: {}\n", yaml_word(s.name),
                s.hosts.empty() ? "children" : "nodes",
                yaml_word(compress_hostlist(s.hosts.empty() ? s.switches : s.hosts)));
}

// The base size is that of the smallest block, so that every block holds one.
void write_slurm_blocks(const FabricFile& file, std::ostream& out) {
  std::vector<LogicalSwitch> leaves = slurm_switches(file.topology);
  std::erase_if(leaves, [](const LogicalSwitch& s) { return s.hosts.empty(); });
  std::size_t smallest = leaves.empty() ? 1 : leaves[0].hosts.size();
  for (const LogicalSwitch& s : leaves) smallest = std::min(smallest, s.hosts.size());
  base::print(
      out,
      "- topology: block\n  cluster_default: true\n  block:\n    block_sizes:\n      - {}\n    blocks:\n",
      smallest);
  for (const LogicalSwitch& s : leaves)
    base::print(out, "      - block: {}\n        nodes: {}\n", yaml_word(s.name),
                yaml_word(compress_hostlist(s.hosts)));
}

bool is_slurm_yaml(std::string_view head) {
  std::string_view line = first_line(head);
  if (line == "---") line = first_line(head.substr(head.find("---") + 3));
  return line.starts_with("- topology:");
}

FabricFile read_slurm_yaml(std::istream& in, const std::string& file) {
  return SlurmYamlReader(in, file).run();
}

}  // namespace

Format slurm_yaml_format() {
  return {"slurm-yaml",
          {"topology.yaml", "topology.yml"},
          "Slurm's topology.yaml, written as a tree",
          is_slurm_yaml,
          read_slurm_yaml,
          write_slurm_tree};
}

Format slurm_block_format() {
  return {"slurm-block",     {}, "Slurm's topology.yaml, written as blocks", is_slurm_yaml, read_slurm_yaml,
          write_slurm_blocks};
}

}  // namespace banyan::formats
