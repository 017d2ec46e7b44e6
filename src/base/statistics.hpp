// Mean, extremes and confidence interval of samples.
#pragma once
#include <span>

#include "base/types.hpp"

namespace banyan::base {

// A mean and how well it is known. Whoever gives one says of which confidence.
struct Interval {
  double mean = 0;
  double half_width = 0;  // infinite: nothing is known about the spread
};

struct Estimate {
  u64 samples = 0;
  double mean = 0, least = 0, greatest = 0;
  double half_width_99 = 0;  // of the 99 % confidence interval of the mean, by the normal distribution

  Interval interval() const { return {mean, half_width_99}; }
  bool is_within(double share) const { return half_width_99 == 0 || half_width_99 < share * mean; }
};

// With one value the spread is unknown: the half-width is infinite.
Estimate estimate(std::span<const double> values);

}  // namespace banyan::base
