// All cables of an outlined shape, several at once: what is counted for millions of cables is counted by run.
#pragma once
#include "topology/outline.hpp"

namespace banyan::topology {

// Cables of a plane from one end to each of the switches `to`, `to` + 1, ...: to `switches` of them, with
// `parallel` cables to each. The ends are numbered as in CableEnds.
struct CableRun {
  u32 from, to, switches, parallel;
};

// f(CableRun) until each cable of the class was in one run.
template <Outlined S, class F>
void each_cable_run(const S& shape, u32 link_class, F&& f) {
  for (u64 i = 0, count = shape.cables(link_class); i < count; ++i)
    if (const auto ends = shape.cable(link_class, i)) f(CableRun{ends->from, ends->to, 1, 1});
}

// The switches above a switch of a tree have numbers in a row.
template <class F>
void each_cable_run(const Pgft& tree, u32 level, F&& f) {
  const u32 below = static_cast<u32>(tree.W(level)), above = static_cast<u32>(tree.W(level + 1));
  const u32 subtrees = static_cast<u32>(tree.M(tree.h()) / tree.M(level));
  const u32 first = level == 0 ? 0 : tree.first_switch(level), first_above = tree.first_switch(level + 1);
  const u32 w = tree.w[level], p = tree.p[level], m = tree.m[level];
  for (u32 t = 0; t < subtrees; ++t)
    for (u32 x = 0; x < below; ++x)
      f(CableRun{level == 0 ? index(tree.nic_of_endpoint(t)) : first + t * below + x,
                 first_above + t / m * above + x * w, w, p});
}

}  // namespace banyan::topology
