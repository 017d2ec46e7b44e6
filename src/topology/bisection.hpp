// Where to cut any fabric in two halves: the best cut that a search finds.
#pragma once
#include "base/parallel.hpp"
#include "fabric/fabric.hpp"
#include "topology/properties.hpp"

namespace banyan::topology {

struct BisectionOptions {
  u64 seed = 1;                          // of the random cuts it starts from
  unsigned threads = default_threads();  // does not change the result
};

Bisection search_bisection(const Fabric& fabric, const BisectionOptions& options = {});

}  // namespace banyan::topology
