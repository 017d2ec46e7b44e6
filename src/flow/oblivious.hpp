// PERF(r), the oblivious ratio (Applegate and Cohen 2003; mahapatra, section 3): the maximum over all traffic
// of the ratio of the load of a routing to the minimum possible one. For each channel, this is the maximum
// load of all traffic that can be routed with load 1.
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
  std::vector<Flow> matrix;         // traffic with optimum at most 1, which puts this load on the channel
  bool is_exact = true;             // no share of a path was rounded; the solver's tolerance remains
  u64 channels_solved = 0;          // channels for which a linear program was needed
};

struct ObliviousOptions {
  u32 rail = 0;  // the traffic runs between its NICs
  Measure measure = Measure::demand;
  unsigned threads = default_threads();
  u64 max_columns = 8'000;  // of a linear program, if the fabric is not a complete tree
};

// On a complete fat-tree traffic can be routed with load 1 if no subtree's cables must carry more: a few rows
// for each channel. Elsewhere the rows are those of flows in the whole graph, which works for small fabrics
// only.
std::variant<ObliviousRatio, NotApplicable> oblivious_ratio(const Topology& topology, const Routing& routing,
                                                            const ObliviousOptions& options = {});
// By flows in the graph, for any shape.
std::variant<ObliviousRatio, NotApplicable> oblivious_ratio_by_program(const Fabric& fabric,
                                                                       const Routing& routing,
                                                                       const ObliviousOptions& options = {});

}  // namespace banyan::flow
