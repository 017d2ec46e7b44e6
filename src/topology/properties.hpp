// What `describe` says of a fabric beyond its counts. Shapes answer from formulas, everything else by search;
// tests hold the two against each other.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/saturating.hpp"

namespace banyan {

struct Distances {
  u32 diameter = 0;            // in channels, host to host; 0 when no two hosts can reach each other
  double average = 0;          // over pairs of distinct hosts that can reach each other
  u64 shortest_paths_max = 0;  // sequences of channels, so parallel cables count; stops at 2^64 - 1
  u64 unreachable_pairs = 0;   // unordered
  bool operator==(const Distances&) const = default;
};

// The fewest cables to cut so that the hosts fall into two halves (of floor and ceil N/2). Hosts go with
// their switch; only where switches do not divide evenly, as with a single one, host cables are cut.
struct Bisection {
  u64 links = 0;
  bool exact = false;  // from a formula; otherwise the best cut that was found
  bool operator==(const Bisection&) const = default;
};

}  // namespace banyan
