// Runs of one simulation that differ in their seeds, and what they say together.
#pragma once
#include <functional>
#include <vector>

#include "flit/measure.hpp"

namespace banyan::flit {

// The runs 0 to count - 1, on up to `threads` threads; `run` gets the number of a run and the threads that
// it may use itself. The result does not depend on `threads`.
//
// What was counted is added up (Measurement::counted). Every figure (RunFigures, and those with an interval)
// is the mean of the runs' figures, percentiles and starved_hosts too; intervals are Student's, over the
// runs. It is saturated where more than half of the runs are, and undecided where the interval of the growth
// of the backlog leaves it open. A single run is passed on as it is.
Measurement combined_replicas(std::vector<Measurement> runs);
Measurement measure_replicas(u32 count, unsigned threads,
                             const std::function<Measurement(u32 run, unsigned threads)>& run);

}  // namespace banyan::flit
