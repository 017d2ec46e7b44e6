// The permutation with the maximum load on a channel under a routing, exactly (Towles and Dally 2002): for
// each channel the heaviest matching of sources to destinations that use it.
#pragma once
#include <vector>

#include "base/parallel.hpp"
#include "flow/measure.hpp"
#include "routing/routing.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

struct WorstPermutation {
  Channel channel = none<Channel>;  // none: no host reaches another
  double load = 0;
  std::vector<Flow> on_channel;  // the flows that load it, by source; their demand is what they put on it
  std::vector<Host>
      to;  // by host: the complete permutation; a host that is not needed sends to itself if possible
  bool is_exact = true;      // no share of a path was rounded
  u64 channels_matched = 0;  // channels for which a matching was needed

  std::vector<Flow> flows(const Fabric& fabric, u32 rail = 0) const;
};

struct WorstPermutationOptions {
  u32 rail = 0;
  Measure measure = Measure::demand;
  unsigned threads = default_threads();
};
// Pairs that do not arrive load nothing, and neither does a host that sends to itself. The result does not
// depend on the number of threads.
WorstPermutation worst_permutation(const Fabric& fabric, const Routing& routing,
                                   const WorstPermutationOptions& options = {});

}  // namespace banyan::flow
