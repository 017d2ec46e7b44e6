#include "fabric/levels.hpp"

#include <algorithm>
#include <utility>

namespace banyan::fabric {
namespace {

// Both directions of the cables that were taken away, by the node they leave.
std::vector<std::pair<Node, Node>> taken_arcs(const Fabric& fabric) {
  std::vector<std::pair<Node, Node>> out;
  for (const Link& link : fabric.taken()) {
    out.emplace_back(fabric.from(link.a), fabric.from(link.b));
    out.emplace_back(fabric.from(link.b), fabric.from(link.a));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

IdVector<Node, u32> levels_from_hosts(const Fabric& fabric, CountedCables counted) {
  std::vector<std::pair<Node, Node>> taken;
  if (counted == CountedCables::also_taken) taken = taken_arcs(fabric);
  IdVector<Node, u32> level(fabric.nodes().size(), no_level);
  std::vector<Node> reached(fabric.nic_nodes().begin(), fabric.nic_nodes().end());
  for (const Node nic : reached) level[nic] = 0;
  const auto reach = [&](Node node, u32 at) {
    if (level[node] != no_level) return;
    level[node] = at;
    reached.push_back(node);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Node node = reached[i];
    for (const Channel c : fabric.channels(node))
      if (fabric.cabled(c)) reach(fabric.to(c), level[node] + 1);
    auto arc = std::lower_bound(taken.begin(), taken.end(), std::pair(node, Node{0}));
    for (; arc != taken.end() && arc->first == node; ++arc) reach(arc->second, level[node] + 1);
  }
  return level;
}

u32 top_level(const IdVector<Node, u32>& level) {
  u32 top = 0;
  for (const u32 l : level)
    if (l != no_level) top = std::max(top, l);
  return top;
}

}  // namespace banyan::fabric
