// Where a warm-up ends: both rules against what docs/simulate.md says of them, looked at batch by batch.
#include "flit/batches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

using Batches = std::vector<u32>;

// They begin anywhere, often with nothing, and change less and less, more or less.
Batches settling_batches(std::size_t count) {
  Batches out;
  u32 value = draw(0, 1) == 0 ? 0 : draw(1, 2000);
  for (std::size_t i = 0; i < count; ++i) {
    const u32 width = draw(0, 2000 / static_cast<u32>(i + 1));
    const u32 up = draw(0, 2 * width);
    if (i > 0 && draw(0, 5) > 0) value = std::max(value + up, width) - width;
    if (value % 20 == 0 && value > 0) ++value;  // no change is exactly 5 %, which doubles do not know
    out.push_back(value);
  }
  return out;
}

std::vector<double> in_doubles(const Batches& batches) { return {batches.begin(), batches.end()}; }

bool is_steady(u32 before, u32 value) {
  const u32 change = std::max(before, value) - std::min(before, value);
  return 20 * change < value;
}

// The first batch that is steady in every series ends it; at most half of them are left out.
std::size_t plain_warm_up_by_change(const std::vector<Batches>& series) {
  const std::size_t count = series[0].size();
  std::vector<std::size_t> ends = {count / 2};
  for (std::size_t last = 1; last < count; ++last)
    if (std::all_of(series.begin(), series.end(),
                    [&](const Batches& s) { return is_steady(s[last - 1], s[last]); }))
      ends.push_back(last + 1);
  return *std::min_element(ends.begin(), ends.end());
}

RC_GTEST_PROP(Batches, WarmUpByChangeIsThatOfTheReference, ()) {
  const std::size_t count = draw(0, 60);
  const Batches first = settling_batches(count), second = settling_batches(count);
  RC_ASSERT(warm_up_by_change({in_doubles(first)}) == plain_warm_up_by_change({first}));
  RC_ASSERT(warm_up_by_change({in_doubles(first), in_doubles(second)}) ==
            plain_warm_up_by_change({first, second}));
}

// The squared standard error of what is left, as if its values were independent, times a constant.
double squared_error(const std::vector<double>& values, std::size_t first) {
  const double kept = static_cast<double>(values.size() - first);
  double mean = 0, squares = 0;
  for (std::size_t i = first; i < values.size(); ++i) mean += values[i] / kept;
  for (std::size_t i = first; i < values.size(); ++i) squares += (values[i] - mean) * (values[i] - mean);
  return squares / (kept * kept);
}

RC_GTEST_PROP(Batches, WarmUpByErrorLeavesTheLeast, ()) {
  const std::vector<double> values = in_doubles(settling_batches(draw(1, 60)));
  const std::size_t found = warm_up(values);
  RC_ASSERT(found <= values.size() / 2);
  for (std::size_t first = 0; first <= values.size() / 2; ++first)
    RC_ASSERT(squared_error(values, found) <= squared_error(values, first) + 1e-6);
}

}  // namespace
}  // namespace banyan::tests
