// RoundLoads: the results of one round of one sample.
#pragma once
#include "base/types.hpp"

namespace banyan::flow {

struct RoundLoads {
  double max_load = 0;
  double bound = 0;                    // ML(TM) on fat-trees; 0: unknown, or nothing is sent
  double mean_rate = 0, min_rate = 0;  // 1/contention, if requested
  u64 flows = 0,
      undelivered = 0;  // all flows, including those of hosts to themselves; those that do not arrive
  bool operator==(const RoundLoads&) const = default;
};

}  // namespace banyan::flow
