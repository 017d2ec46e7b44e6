// topograph's model of a cluster, in YAML: `switches` by name with the switches below each, and `blocks` of
// nodes with their switch. Labels, annotations and NVLink domains are not part of the fabric.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/slurm_tree.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

FabricFile read_topograph(std::istream& in, const std::string& file) {
  const auto documents = read_trees(in, file);
  if (documents.size() != 1)
    throw InputError(Place{file}, fmt::format("found {} documents, expected one", documents.size()));
  const TreeReader ask(file);
  SlurmTree tree(file);
  const auto expand = [&](const Tree& list, std::vector<std::string>& out) {
    for (const Tree& item : ask.list(list, "a list of names").items)
      tree.expand(ask.text(item, "names such as node[01-18]"), out, item.line);
  };
  std::vector<SlurmSwitch> all;
  const Tree& switches =
      ask.map(ask.at(ask.map(documents[0], "switches and blocks"), "switches"), "switches");
  for (std::size_t i = 0; i < switches.keys.size(); ++i) {
    SlurmSwitch here;
    here.name = switches.keys[i];
    here.line = switches.items[i].line;
    if (switches.items[i].is_map())
      if (const Tree* below = switches.items[i].find("switches")) expand(*below, here.below);
    all.push_back(std::move(here));
  }
  for (const Tree& block : ask.list(ask.at(documents[0], "blocks"), "a list of blocks").items) {
    const std::string& name = ask.text(ask.at(ask.map(block, "a block"), "switch"), "the name of a switch");
    const auto is_same = [&](const SlurmSwitch& s) { return s.name == name; };
    auto at = std::find_if(all.begin(), all.end(), is_same);
    if (at == all.end()) {
      all.emplace_back();
      at = all.end() - 1;
      at->name = name, at->line = block.line;
    }
    if (const Tree* nodes = block.find("nodes"); nodes && nodes->is_list()) expand(*nodes, at->nodes);
  }
  std::set<std::string> known;
  for (const SlurmSwitch& here : all) known.insert(here.name);
  for (const SlurmSwitch& here : std::vector(all))
    for (const std::string& name : here.below)
      if (known.insert(name).second) {  // a switch of which no more is said
        all.emplace_back();
        all.back().name = name, all.back().line = here.line;
      }
  for (const SlurmSwitch& here : all) tree.add(here);
  return std::move(tree).build();
}

}  // namespace

Format topograph_format() {
  return {"topograph",
          {},
          "topograph's model of a cluster",
          [](std::string_view head) {
            return (head.starts_with("switches:") || head.find("\nswitches:") != head.npos) &&
                   head.find("\ntopology:") == head.npos && !head.starts_with("topology:");
          },
          read_topograph,
          nullptr};
}

}  // namespace banyan::formats
