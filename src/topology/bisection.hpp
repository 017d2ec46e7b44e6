// Searches for the best cut of any fabric into two halves. `describe` uses it where there is no formula.
#pragma once
#include "base/parallel.hpp"
#include "fabric/fabric.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

struct BisectionOptions {
  u64 seed = 1;                          // of the random initial cuts
  unsigned threads = default_threads();  // does not change the result
  u32 max_tries = 100;                   // of cuts to start from, of each kind; more never find a larger cut
};

Bisection search_bisection(const Fabric& fabric, const BisectionOptions& options = {});

}  // namespace banyan::topology
