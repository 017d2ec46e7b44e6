#include "topology/tree_levels.hpp"

#include <algorithm>

namespace banyan {
namespace {

u32 cables_to(const Fabric& raw, const TreeLevels& levels, Node node, u32 level) {
  u32 count = 0;
  for (Channel c : raw.channels(node))
    if (raw.cabled(c) && levels.of[raw.to(c)] == level) ++count;
  return count;
}

// Switches without a level yet, by whether one or more cables lead from `level` to them.
struct Reached {
  std::vector<Node> firmly, barely;
};

Reached reach(const Fabric& raw, const TreeLevels& levels, u32 level) {
  Reached out;
  for (Node v : raw.switch_nodes()) {
    if (levels.of[v] != TreeLevels::unknown) continue;
    const u32 cables = cables_to(raw, levels, v, level);
    if (cables >= 2) out.firmly.push_back(v);
    if (cables == 1) out.barely.push_back(v);
  }
  return out;
}

// A switch that waited belongs to its level after all if it looks upwards like the others there.
void admit(const Fabric& raw, TreeLevels& levels, const std::vector<Node>& waiting, u32 level) {
  u32 most = 0;
  for (Node v : raw.switch_nodes())
    if (levels.of[v] == level) most = std::max(most, cables_to(raw, levels, v, level + 1));
  for (Node v : waiting) {
    if (levels.of[v] != TreeLevels::unknown) continue;
    const u32 up = cables_to(raw, levels, v, level + 1);
    if (up > 0 && up <= most && up + 1 == raw.cabled_ports(v)) levels.of[v] = level;
  }
}

}  // namespace

TreeLevels find_levels(const Fabric& raw) {
  TreeLevels levels{IdVector<Node, u32>(raw.nodes().size(), TreeLevels::unknown)};
  for (Node v : raw.nic_nodes()) levels.of[v] = 0;
  std::vector<Node> waiting;
  for (u32 level = 1;; ++level) {
    Reached reached = reach(raw, levels, level - 1);
    const bool firm = reached.firmly.size() >= reached.barely.size();
    for (Node v : reached.firmly) levels.of[v] = level;
    for (Node v : reached.barely)
      if (!firm) levels.of[v] = level;
    if (level > 1) admit(raw, levels, waiting, level - 1);
    if (reached.firmly.empty() && (firm || reached.barely.empty())) return levels;
    waiting = firm ? std::move(reached.barely) : std::vector<Node>{};
    levels.top = level;
  }
}

}  // namespace banyan
