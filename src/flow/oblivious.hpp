// PERF(r), the oblivious ratio (Applegate and Cohen 2003; mahapatra, section 3): how much more load than the
// least possible a routing can have, over all traffic. Per channel, the heaviest load of all traffic that can
// be routed with load 1.
#pragma once
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "flow/measure.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

struct ObliviousRatio {
  double ratio = 1;
  Channel channel = none<Channel>;  // none: no host reaches another
  std::vector<Flow> matrix;         // least maximum load 1 at most, and this much on that channel
  bool is_exact = true;             // no share of a path was rounded; the solver's tolerance remains
  u64 channels_solved = 0;          // for how many a linear program was needed
};

struct ObliviousOptions {
  u32 rail = 0;  // the traffic is among its NICs
  Measure measure = Measure::demand;
  unsigned threads = default_threads();
  u64 max_columns = 8'000;  // of a linear program where there is no complete tree
};

// On a complete fat-tree traffic can be routed with load 1 when no subtree's cables must carry more: a few
// rows for each channel. Elsewhere the rows are those of flows in the whole graph: for small fabrics only.
std::variant<ObliviousRatio, NotApplicable> oblivious_ratio(const Topology& topology, const Routing& routing,
                                                            const ObliviousOptions& options = {});
// By flows in the graph, whatever the shape.
std::variant<ObliviousRatio, NotApplicable> oblivious_ratio_by_program(const Fabric& fabric,
                                                                       const Routing& routing,
                                                                       const ObliviousOptions& options = {});

}  // namespace banyan::flow
