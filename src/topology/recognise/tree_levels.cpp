#include "topology/recognise/tree_levels.hpp"

#include <algorithm>

namespace banyan::topology {
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

struct Waiting {
  Node node;
  u32 level;  // where one cable puts it
};

// A switch that waited belongs to its level after all if it looks upwards like the others there, and no cable
// says otherwise.
bool fits(const Fabric& raw, const TreeLevels& levels, const Waiting& one, const std::vector<u32>& max_up) {
  u32 up = 0;
  for (Channel c : raw.channels(one.node)) {
    if (!raw.cabled(c)) continue;
    const u32 level = levels.of[raw.to(c)];
    if (level == one.level + 1)
      ++up;
    else if (level + 1 != one.level && level != TreeLevels::unknown)
      return false;
  }
  return up > 0 && up <= max_up[one.level];
}

void admit(const Fabric& raw, TreeLevels& levels, std::vector<Waiting>& waiting) {
  if (waiting.empty()) return;
  std::vector<u32> max_up(levels.top + 2, 0);
  for (Node v : raw.switch_nodes())
    if (const u32 level = levels.of[v]; level != TreeLevels::unknown)
      max_up[level] = std::max(max_up[level], cables_to(raw, levels, v, level + 1));
  for (bool again = true; again;) {
    again = false;
    for (const Waiting& one : waiting)
      if (levels.of[one.node] == TreeLevels::unknown && fits(raw, levels, one, max_up))
        levels.of[one.node] = one.level, again = true;
  }
  std::erase_if(waiting, [&](const Waiting& one) { return levels.of[one.node] != TreeLevels::unknown; });
}

}  // namespace

TreeLevels find_levels(const Fabric& raw) {
  TreeLevels levels{IdVector<Node, u32>(raw.nodes().size(), TreeLevels::unknown)};
  for (Node v : raw.nic_nodes()) levels.of[v] = 0;
  std::vector<Waiting> waiting;
  for (u32 level = 1;; ++level) {
    const Reached reached = reach(raw, levels, level - 1);
    const bool firm = reached.firmly.size() >= reached.barely.size();
    if (reached.firmly.empty() && reached.barely.empty()) return levels;
    levels.top = level;
    for (Node v : reached.firmly) levels.of[v] = level;
    for (Node v : reached.barely) {
      if (firm)
        waiting.push_back({v, level});
      else
        levels.of[v] = level;
    }
    admit(raw, levels, waiting);
  }
}

}  // namespace banyan::topology
