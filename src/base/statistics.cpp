#include "base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"

namespace banyan::base {

Estimate estimate(std::span<const double> values) {
  BANYAN_ASSERT(!values.empty(), "there are values");
  const double n = static_cast<double>(values.size());
  Estimate out{.samples = values.size(), .least = values[0], .greatest = values[0]};
  double sum = 0;
  for (const double x : values) {
    sum += x;
    out.least = std::min(out.least, x);
    out.greatest = std::max(out.greatest, x);
  }
  out.mean = sum / n;
  double squares = 0;
  for (const double x : values) squares += (x - out.mean) * (x - out.mean);
  constexpr double quantile = 2.5758293035489004;  // 99 % of a normal distribution are this near
  out.half_width_99 = values.size() == 1 ? std::numeric_limits<double>::infinity()
                                         : quantile * std::sqrt(squares / (n - 1) / n);
  return out;
}

}  // namespace banyan::base
