#include "flit/batches.hpp"

#include <algorithm>
#include <array>
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

std::size_t warm_up_by_change(std::initializer_list<std::span<const double>> series) {
  constexpr double greatest_change = 0.05;
  const std::size_t half = series.begin()->size() / 2;
  for (std::size_t i = 1; i < half; ++i) {
    const auto is_steady = [i](std::span<const double> values) {
      return std::abs(values[i] - values[i - 1]) < greatest_change * values[i];
    };
    if (std::all_of(series.begin(), series.end(), is_steady)) return i + 1;
  }
  return half;
}

namespace {

// 97.5 % of Student's distribution are below it.
double student_t_of(std::size_t degrees) {
  constexpr std::array<double, 30> table = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                            2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199,
                                            2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639,
                                            2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
  if (degrees <= table.size()) return table[degrees - 1];
  constexpr double z = 1.959964;  // of the normal distribution; Cornish and Fisher's expansion around it
  const double n = static_cast<double>(degrees);
  return z + (z * z * z + z) / (4 * n) + (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * n * n);
}

}  // namespace

Interval independent_estimate(std::span<const double> values) {
  if (values.empty()) return {0, std::numeric_limits<double>::infinity()};
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() == 1) return {mean, std::numeric_limits<double>::infinity()};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, student_t_of(values.size() - 1) * std::sqrt(squares / (n - 1) / n)};
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
