// The judge: follows every way and every hop that a routing offers, for all pairs of NICs on a rail, and
// decides whether all arrive, none loops, and the channel dependency graph over (channel, lane) is acyclic
// (Dally and Seitz 1987). It includes no engine. This is the plain version, pair by pair.
#pragma once
#include <string>
#include <vector>

#include "routing/routing.hpp"

namespace banyan {

struct Verdict {
  bool reachable = true, loop_free = true, deadlock_free = true;
  u32 lanes = 0;               // the highest lane used, plus one
  u32 longest_path = 0;        // in channels
  std::string counterexample;  // for a person; empty when all is well
  bool yes() const { return reachable && loop_free && deadlock_free; }
};

Verdict judge(const Fabric& fabric, const Routing& routing);

}  // namespace banyan
