#include "flit/batches.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace banyan::flit {

std::size_t warm_up(std::span<const double> values) {
  // From the back: sums over the values that are kept.
  double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t first = values.size(); first-- > 0;) {
    sum += values[first];
    squares += values[first] * values[first];
    const double kept = static_cast<double>(values.size() - first);
    if (first > values.size() / 2) continue;
    const double error = (squares - sum * sum / kept) / (kept * kept);
    if (error <= least) {
      least = error;
      best = first;
    }
  }
  return best;
}

Interval batch_estimate(std::span<const double> values) {
  constexpr std::size_t groups = 16;
  constexpr double student_t = 2.131;  // 97.5 %, 15 degrees of freedom
  if (values.empty()) return {0, std::numeric_limits<double>::infinity()};
  const std::size_t size = values.size() / groups;
  if (size == 0)
    return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
            std::numeric_limits<double>::infinity()};
  values = values.last(size * groups);
  double sum = 0, squares = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const auto group = values.subspan(g * size, size);
    const double mean = std::accumulate(group.begin(), group.end(), 0.0) / static_cast<double>(size);
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / groups;
  const double variance = std::max(0.0, (squares - sum * mean) / (groups - 1));
  return {mean, student_t * std::sqrt(variance / groups)};
}

}  // namespace banyan::flit
