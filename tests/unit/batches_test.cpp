// Warm-up and confidence intervals of simulated means.
#include "flit/batches.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "flit/measure.hpp"
#include "flit/tally.hpp"

namespace banyan::tests {
namespace {

std::vector<double> noise(std::size_t count, u64 seed) {
  Random random(seed);
  std::vector<double> out(count);
  for (double& x : out) x = random.unit() - 0.5;
  return out;
}

TEST(Batches, WarmUpEndsWhereTheSlopeEnds) {
  std::vector<double> values = noise(64, 1);
  for (std::size_t i = 0; i < 12; ++i) values[i] += static_cast<double>(12 - i);
  EXPECT_GE(warm_up(values), 10u);
  EXPECT_LE(warm_up(values), 16u);
}

TEST(Batches, WarmUpIsShortWhereNothingChanges) {
  EXPECT_EQ(warm_up(std::vector<double>(40, 3.0)), 0u);
  EXPECT_EQ(warm_up({}), 0u);
}

TEST(Batches, WarmUpByChangeEndsWithTheFirstSteadyValueOfAllSeries) {
  const std::vector<double> falls = {100, 50, 40, 39, 39, 39, 39, 39, 39, 39, 39, 39};
  const std::vector<double> rises = {1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5};
  EXPECT_EQ(warm_up_by_change({falls}), 4u);
  EXPECT_EQ(warm_up_by_change({falls, rises}), 6u);
  EXPECT_EQ(warm_up_by_change({std::vector<double>{1, 2, 4, 8, 16, 32}}), 3u);  // it never ends
  EXPECT_EQ(warm_up_by_change({std::vector<double>{}}), 0u);
}

// The interval holds the true mean about 95 times of 100, also when neighbours resemble each other.
TEST(Batches, IntervalsCoverTheMean) {
  int covered = 0;
  for (u64 seed = 0; seed < 400; ++seed) {
    std::vector<double> values = noise(320, seed);
    for (std::size_t i = 1; i < values.size(); ++i) values[i] += 0.6 * values[i - 1];
    const Interval found = batch_estimate(values);
    covered += std::abs(found.mean) <= found.half_width;
  }
  EXPECT_GE(covered, 365);  // of 400: 380 expected, 4.4 standard deviation
  EXPECT_LE(covered, 395);
}

TEST(Batches, TooFewValuesGiveNoInterval) {
  EXPECT_TRUE(std::isinf(batch_estimate(std::vector<double>{1, 2, 3}).half_width));
  EXPECT_DOUBLE_EQ(batch_estimate(std::vector<double>{1, 2, 3}).mean, 2);
}

TEST(Tally, PercentilesAreExactBelow2048AndCloseAbove) {
  Histogram histogram;
  for (u64 i = 1; i <= 1000; ++i) histogram.add(i);
  EXPECT_EQ(histogram.percentile(0.5), 500u);
  EXPECT_EQ(histogram.percentile(0.99), 990u);
  EXPECT_EQ(histogram.percentile(1), 1000u);
  Histogram large;
  for (const u64 value : {2047ull, 2048ull, 123456789ull, 1ull << 60}) {
    Histogram one;
    one.add(value);
    EXPECT_GE(one.percentile(0.5), value);
    EXPECT_LE(one.percentile(0.5) - value, value / 1000);
    large.add(one);
  }
  EXPECT_EQ(large.count(), 4u);
}

// A made-up network that accepts up to 0.6.
TEST(Saturation, IsFoundByBisection) {
  const Saturation found = find_saturation([](double load) {
    Measurement m;
    m.offered = load;
    m.accepted.mean = std::min(load, 0.6);
    m.saturated = load > 0.6;
    return m;
  });
  EXPECT_NEAR(found.load, 0.6, 0.01);
  EXPECT_DOUBLE_EQ(found.throughput, 0.6);
}

}  // namespace
}  // namespace banyan::tests
