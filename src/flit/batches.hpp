// Means of a simulation's output: where its warm-up ends, and how sure a mean is although values that follow
// each other depend on each other.
#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "base/statistics.hpp"

namespace banyan::flit {

// How many values at the start to leave out: the number that gives the rest the least squared standard error
// (marginal standard error rule, White 1997), at most half.
std::size_t warm_up(std::span<const double> values);

// The same by the rule of BookSim2: up to and with the first value that differs by less than 5 % of itself
// from the one before, in every series at once; at most half. The series are equally long.
std::size_t warm_up_by_change(std::initializer_list<std::span<const double>> series);

// Batch means, with the 95 % interval: the values are put together to sixteen groups of neighbours, taken as
// independent. Values that fill no group are left out at the start. Fewer than sixteen values give no
// interval: infinity.
Interval batch_estimate(std::span<const double> values);

// Mean of values that are independent, with the 95 % interval by Student's t. One value gives no interval:
// infinity.
Interval independent_estimate(std::span<const double> values);

}  // namespace banyan::flit
