// Mean, extremes and confidence interval of samples.
#pragma once
#include <span>

#include "base/types.hpp"

namespace banyan::base {

struct Estimate {
  u64 samples = 0;
  double mean = 0, least = 0, greatest = 0;
  double half_width_99 = 0;  // of the 99 % confidence interval of the mean, by the normal distribution

  bool is_within(double share) const { return half_width_99 == 0 || half_width_99 < share * mean; }
};

// With one value the spread is unknown: the half-width is infinite.
Estimate estimate(std::span<const double> values);

}  // namespace banyan::base
