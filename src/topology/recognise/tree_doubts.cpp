#include "topology/recognise/tree_doubts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "topology/recognise/tree_evidence.hpp"

namespace banyan::topology {

void doubt_moved_hosts(const Fabric& raw, TreeFit& fit) {
  Pgft& shape = fit.shape;
  if (fit.top() == 1 || fit.planes * shape.nic_ports() != 1) return;
  const TreeEvidence evidence(raw, fit);
  std::set<u32> doubtful;  // leaves
  const auto doubt_leaves_without = [&](Node parent, Node but) {
    for (Node leaf : raw.switch_nodes())
      if (fit.levels.of[leaf] == 1 && leaf != but && evidence.lacks(fit, leaf, parent))
        doubtful.insert(fit.subtree[leaf]);
  };
  for (const LevelPair& wrong : evidence.wrong) {
    const bool unclear = fit.levels.of[wrong.high] == TreeLevels::unknown;  // may be a leaf, too
    if (unclear)
      doubt_leaves_without(wrong.low, wrong.high);
    else if (fit.levels.of[wrong.low] == 1 && !evidence.has_partner(fit, wrong))
      doubt_leaves_without(wrong.high, wrong.low);
  }
  std::vector<u32>& leaf_of = fit.above_subtree[0];
  std::map<u32, u32> hosts;
  for (u32 leaf : leaf_of)
    if (leaf != TreeFit::none) ++hosts[leaf];
  const auto full =
      std::count_if(hosts.begin(), hosts.end(), [&](auto& at) { return at.second == shape.m[0]; });
  const u64 spare = shape.hosts() - raw.hosts(), leaves = shape.M(shape.h()) / shape.m[0];
  for (const auto& [leaf, count] : hosts)
    if (full == 1 && count == shape.m[0] && spare >= leaves && doubtful.contains(leaf)) {
      shape.host_slots = --shape.m[0];
      break;
    }
  for (u32& leaf : leaf_of)
    if (doubtful.contains(leaf)) leaf = TreeFit::none;
}

}  // namespace banyan::topology
