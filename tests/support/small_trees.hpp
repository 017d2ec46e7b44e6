// All trees of small switches, by brute force, for tests of sizing.
#pragma once
#include <array>
#include <vector>

#include "size/bounds.hpp"
#include "topology/outline.hpp"

namespace banyan::tests {

struct SmallTrees {
  u32 ports, levels, max_hosts;
  u32 taper = 1;  // cables down for each cable up, at most; up: fewer than twice as many as down
};

// f(tree) for every PGFT whose hosts have one cable, with two subtrees or more at each level above the
// leaves.
template <class F>
void each_tree(const SmallTrees& all, Pgft tree, u32 cables, F& f) {
  const u32 level = tree.h() + 1;
  for (u32 p = 1; p <= cables; ++p) {
    if (cables % p != 0) continue;
    for (u32 m = level == 1 ? 1 : 2; m * p <= all.ports; ++m) {
      Pgft next = tree;
      next.m.push_back(m), next.w.push_back(cables / p), next.p.push_back(p);
      if (next.M(level) > all.max_hosts) break;
      if (level == all.levels) {
        next.host_slots = next.m[0];
        next.links.resize(all.levels);
        f(next);
        continue;
      }
      const u32 down = m * p;
      for (u32 up = 1; up < 2 * down && down + up <= all.ports; ++up)
        if (down <= all.taper * up) each_tree(all, next, up, f);
    }
  }
}
template <class F>
void each_tree(const SmallTrees& all, F&& f) {
  each_tree(all, Pgft{}, 1, f);
}

inline bool is_untapered(const Pgft& tree) {
  for (u32 l = 1; l < tree.h(); ++l)
    if (tree.up_ports(l) < tree.down_ports(l)) return false;
  return true;
}

// What size compares of trees with the same leaves; less is better.
inline std::array<double, 7> tree_keys(const Pgft& tree) {
  const Outline o = topology::outline(tree, 1, 64);
  double leanest = 1, parts = tree.m[0];
  for (const HostCut& cut : o.cuts) {
    const double cables = static_cast<double>(cut.cables);
    leanest = std::min(leanest, cables / static_cast<double>(cut.hosts));
    parts = std::min(parts, cables);
  }
  return {static_cast<double>(o.hosts),
          static_cast<double>(o.switches),
          static_cast<double>(o.links),
          -leanest,
          -std::min(1.0, 2.0 * static_cast<double>(o.bisection.links) / o.hosts),
          -parts,
          o.distances.average};
}

}  // namespace banyan::tests
