// What was found about pairs: sums, and for each kind of fault a pair that shows it. Findings can be merged
// in any order.
#pragma once
#include <utility>

#include "routing/header.hpp"

namespace banyan::verify {

// A pair and a header that show a fault; of several, the one with the lowest numbers.
struct Witness {
  Nic to = none<Nic>, from = none<Nic>;
  Header header;
  void take(const Witness& other) {
    if (std::pair(other.to, other.from) < std::pair(to, from)) *this = other;
  }
};

struct PairFindings {
  u64 pairs = 0, disconnected = 0, failing = 0, longer = 0;
  u32 longest = 0, excess = 0;
  double lengths = 0;          // summed over the pairs that arrive
  Witness lost, loop, detour;  // the detour is one with the largest excess
  void take_detour(u32 by, const Witness& witness);
  void merge(const PairFindings& other);
};

}  // namespace banyan::verify
