// Permutations that are drawn quickly are uniform; loads, sampling and their summaries.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/permutation.hpp"
#include "engines/engine.hpp"
#include "flow/load_study.hpp"
#include "flow/load_summary.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

std::vector<u32> shuffled(u32 n, u64 seed, u64 stream) {
  std::vector<u32> out(n);
  std::iota(out.begin(), out.end(), 0);
  shuffle(std::span(out), seed, stream);
  return out;
}

// Distance from equal counts, in standard deviations of its distribution.
double excess(const std::vector<u64>& counts) {
  const double cells = static_cast<double>(counts.size());
  const double expected = static_cast<double>(std::accumulate(counts.begin(), counts.end(), u64{0})) / cells;
  double chi_square = 0;
  for (const u64 count : counts) {
    const double off = static_cast<double>(count) - expected;
    chi_square += off * off / expected;
  }
  return (chi_square - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

TEST(Shuffle, AllPermutationsOfFiveAreEquallyLikely) {
  std::vector<u64> counts(120);
  for (u64 sample = 0; sample < 120'000; ++sample) {
    const auto p = shuffled(5, 1, sample);
    u32 number = 0;
    for (u32 i = 0; i < 5; ++i) {
      u32 smaller = 0;
      for (u32 j = i + 1; j < 5; ++j) smaller += p[j] < p[i];
      number = number * (5 - i) + smaller;
    }
    ++counts[number];
  }
  EXPECT_LT(std::abs(excess(counts)), 4);
}

TEST(Shuffle, ImagesAndNeighboursAreEquallyLikely) {
  constexpr u32 n = 30;
  std::vector<u64> images(n * n), steps(n);
  for (u64 sample = 0; sample < 30'000; ++sample) {
    const auto p = shuffled(n, 2, sample);
    for (u32 i = 0; i < n; ++i) {
      ++images[i * n + p[i]];
      ++steps[(p[(i + 1) % n] + n - p[i]) % n];
    }
  }
  EXPECT_EQ(steps[0], 0u);
  steps.erase(steps.begin());
  EXPECT_LT(std::abs(excess(images)), 5);
  EXPECT_LT(std::abs(excess(steps)), 5);
}

TEST(Shuffle, OfManyIsAPermutationToo) {
  auto p = shuffled(70'001, 3, 4);
  EXPECT_NE(p[0], 0u);
  std::sort(p.begin(), p.end());
  for (u32 i = 0; i < p.size(); ++i) ASSERT_EQ(p[i], i);
}

TEST(Shuffle, TheFirstDrawnDoNotDependOnHowMany) {
  for (const u64 n : {1, 3, 4, 5, 7, 144, 1024, 1025, 5000}) {
    std::vector<u64> all, some;
    draw_some(n, n, 5, 6, [&](u64 value) { all.push_back(value); });
    draw_some(n, (n + 1) / 2, 5, 6, [&](u64 value) { some.push_back(value); });
    EXPECT_EQ(some.size(), (n + 1) / 2);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    std::sort(all.begin(), all.end());
    for (u64 i = 0; i < n; ++i) ASSERT_EQ(all[i], i);
  }
}

TEST(Shuffle, OneOfEachStreamIsTheFirstThatIsDrawnOfIt) {
  std::vector<u64> streams, values(75);
  for (u64 i = 0; i < values.size(); ++i) streams.push_back(i * 0x100000003 + i % 7);
  for (const u64 n : {1, 4, 5, 7, 144, 324, 1024, 1025, 5000}) {
    draw_one_each(n, 0x123456789abc, streams, values.data());
    for (std::size_t i = 0; i < values.size(); ++i)
      draw_some(n, 1, 0x123456789abc, streams[i], [&](u64 value) { ASSERT_EQ(values[i], value); });
  }
}

LoadStudy study(const Topology& t, std::string_view engine, std::string_view pattern, u64 samples,
                bool rates = false) {
  const Routing r = std::get<Routing>(route(t, engine));
  const u32 hosts = t.fabric.hosts();
  const LoadSampler sampler(t, r, make_traffic({t, hosts}, pattern), place_linearly(hosts), rates);
  return study_loads(sampler, {.samples = samples, .screen = {}});
}

// Against permutations drawn by another generator, number by number.
TEST(Shuffle, MeanMaximumLoadIsThatOfOtherGenerators) {
  const Topology t = make_topology("XGFT(3; 6,6,6; 1,6,6)");
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  const WayLister lister(t.fabric, r);
  LoadMeter meter(lister);
  std::vector<double> loads;
  for (u64 sample = 0; sample < 2000; ++sample) {
    std::vector<u32> to(t.fabric.hosts());
    std::iota(to.begin(), to.end(), 0);
    Random(9, sample).shuffle(std::span(to));
    std::vector<Flow> flows;
    for (u32 i = 0; i < to.size(); ++i) flows.push_back({Nic{i}, Nic{to[i]}});
    meter.measure(flows);
    loads.push_back(meter.max());
  }
  const Estimate theirs = estimate(loads), ours = study(t, "dmodk", "permutation", 20'000).max_load;
  EXPECT_LT(std::abs(theirs.mean - ours.mean), theirs.half_width_99 + ours.half_width_99);
}

TEST(Loads, UmultiMeetsTheBoundExactly) {
  for (const char* fabric : {"XGFT(3; 4,4,8; 1,4,4)", "PGFT(2; 5,3; 1,2; 1,3)", "XGFT(2; 7,3; 2,3)"})
    for (const char* pattern : {"permutation", "bisection", "shift:3"}) {
      const LoadStudy s = study(make_topology(fabric), "umulti", pattern, 50);
      EXPECT_TRUE(s.has_bound);
      EXPECT_EQ(s.ratio_mean, 1) << fabric << ' ' << pattern;
      EXPECT_EQ(s.ratio_worst, 1) << fabric << ' ' << pattern;
    }
}

TEST(Loads, AreSampledUntilTheMeanIsKnown) {
  const LoadStudy s = study(make_topology("XGFT(2; 4,4; 1,4)"), "dmodk", "permutation", 0);
  EXPECT_EQ(s.max_load.samples % 1000, 0u);
  EXPECT_LT(s.max_load.half_width_99, 0.01 * s.max_load.mean);
  EXPECT_EQ(study(make_topology("XGFT(2; 4,4; 1,4)"), "dmodk", "shift:1", 0).max_load.samples, 1u);
}

TEST(Loads, RatesAreOneOverTheContention) {
  // All four hosts of a leaf send over its only cable.
  const LoadStudy s = study(make_topology("XGFT(2; 4,2; 1,1)"), "dmodk", "shift:4", 1, true);
  EXPECT_EQ(s.worst, 4);
  EXPECT_EQ(s.mean_rate, 0.25);
  EXPECT_EQ(s.min_rate, 0.25);
}

TEST(Loads, HottestChannelsNameTheirFlows) {
  const Topology t = make_topology("XGFT(2; 4,2; 1,1)");
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  const WayLister lister(t.fabric, r);
  LoadMeter meter(lister);
  const std::vector<Flow> flows = {{Nic{0}, Nic{4}}, {Nic{1}, Nic{5}, 2}, {Nic{2}, Nic{3}}};
  meter.measure(flows);
  auto hot = hottest(meter.loads(), 2);
  add_flows(hot, meter, flows);
  ASSERT_EQ(hot.size(), 2u);
  EXPECT_EQ(hot[0].load, 3);
  ASSERT_EQ(hot[0].flows.size(), 2u);
  EXPECT_EQ(hot[0].flows[1].from, Nic{1});
  EXPECT_EQ(hot[0].flows[1].load, 2);
  const auto kinds = by_kind(t, meter.loads());
  ASSERT_EQ(kinds.size(), 4u);
  EXPECT_EQ(kinds[0].max_load, 2);  // up from hosts
  EXPECT_EQ(kinds[1].max_load, 3);
  EXPECT_EQ(kinds[1].channels, 2u);
  EXPECT_EQ(kinds[3].loaded, 3u);
}

TEST(Loads, PerCapacityAreSharesOfWhatAChannelCarries) {
  const Topology t = make_topology("XGFT(2; 4,2; 1,1; capacity=1/4)");
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  for (const char* pattern : {"shift:4", "uniform"}) {
    const Traffic traffic = make_traffic({t, 8}, pattern);
    const LoadSampler sampler(t, r, traffic, place_linearly(8), false, Measure::per_capacity);
    const LoadStudy s = study_loads(sampler, {.screen = {}});
    EXPECT_EQ(s.worst, 1) << pattern;  // four flows on a cable of 4, or one on one of 1
    EXPECT_EQ(s.ratio_worst, 1) << pattern;
  }
}

// 11,664 hosts: each leaf's up channels share what its hosts send to others.
TEST(Loads, OfUniformTrafficAreQuickOnLargeTrees) {
  const LoadStudy s = study(make_topology("PGFT(3; 18,18,36; 1,18,18; 1,1,1)"), "dmodk", "uniform", 0);
  EXPECT_EQ(s.max_load.mean, 1);
  EXPECT_EQ(s.ratio_worst, 1);
  EXPECT_EQ(s.flows, 11'664u * 11'663u);
}

}  // namespace
}  // namespace banyan::tests
