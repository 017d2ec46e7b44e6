// What is kept of one round of one sample.
#pragma once
#include "base/types.hpp"

namespace banyan::flow {

struct RoundLoads {
  double max_load = 0;
  double bound = 0;                    // ML(TM) on fat-trees; 0: none is known, or nothing is sent
  double mean_rate = 0, min_rate = 0;  // 1/contention, where asked for
  u64 flows = 0, undelivered = 0;      // all, those of hosts to themselves too; those that do not arrive
  bool operator==(const RoundLoads&) const = default;
};

}  // namespace banyan::flow
