// Means of a simulation's output: where its warm-up ends, and how sure a mean is although values that follow
// each other depend on each other.
#pragma once
#include <span>
#include <vector>

#include "base/statistics.hpp"

namespace banyan::flit {

// How many values at the start to leave out: the number that gives the rest the least squared standard error
// (marginal standard error rule, White 1997), at most half.
std::size_t warm_up(std::span<const double> values);

// Batch means, with the 95 % interval: the values are put together to sixteen groups of neighbours, taken as
// independent. Values that fill no group are left out at the start. Fewer than sixteen values give no
// interval: infinity.
Interval batch_estimate(std::span<const double> values);

}  // namespace banyan::flit
