#include "flow/bandwidth.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "engines/engine.hpp"
#include "support/routed.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

TEST(Bandwidth, AShiftOnAnRlftHasTheWholeLink) {
  const Topology tree = make_topology("4-ary 3-tree");
  const Traffic shift = make_traffic({tree, 64}, "shift:5");
  const Bandwidth found = bandwidth(tree.fabric, routed(tree, "dmodk"), shift, place_linearly(64));
  EXPECT_EQ(found.mean_rate, 1);
  EXPECT_EQ(found.min_rate, 1);
  EXPECT_EQ(found.samples, 1u);  // it is not random
}

// Two rails carry half of a flow each, and so twice as much.
TEST(Bandwidth, OfSeveralRailsIsTheSumOverThem) {
  const Topology one = make_topology("XGFT(2; 4,4; 1,2)"), two = make_topology("2 x XGFT(2; 4,4; 1,2)");
  const RailSplit halves = [](const RankPair&, u32&) { return std::vector<RailShare>{{0, 0.5}, {1, 0.5}}; };
  const BandwidthOptions alone{.samples = 20};
  BandwidthOptions split = alone;
  split.split = halves;
  const Routing on_one = routed(one, "dmodk"), on_two = routed(two, "dmodk");
  const Placement hosts = place_linearly(16);
  EXPECT_DOUBLE_EQ(bisection_bandwidth(two, on_two, hosts, split).mean_rate,
                   2 * bisection_bandwidth(one, on_one, hosts, alone).mean_rate);
  EXPECT_DOUBLE_EQ(mpigraph(two.fabric, on_two, hosts, {}, 1, halves).mean,
                   2 * mpigraph(one.fabric, on_one, hosts).mean);
}

TEST(Bandwidth, IsTheMeanOverSamplesWhateverTheThreads) {
  const Topology tree = make_topology("XGFT(3; 4,4,4; 1,4,2)");
  const Routing routing = routed(tree, "dmodk");
  for (const RateModel model : {RateModel::max_min, RateModel::contention}) {
    BandwidthOptions options{.rates = {.model = model, .link = 8}, .samples = 50, .seed = 7};
    const Bandwidth one = bisection_bandwidth(tree, routing, place_linearly(64), options);
    options.threads = 3;
    const Bandwidth three = bisection_bandwidth(tree, routing, place_linearly(64), options);
    EXPECT_EQ(one.mean_rate, three.mean_rate);
    EXPECT_EQ(one.half_width_99, three.half_width_99);

    const Traffic halves = make_traffic({tree, 64}, "bisection");
    double mean = 0, least = 8;
    for (u64 sample = 0; sample < 50; ++sample) {
      std::vector<Demand> demands;
      std::vector<Flow> flows;
      halves.list(7, sample, 0, demands);
      append_flows(demands, place_linearly(64), flows);
      for (const double rate : rates(tree.fabric, routing, flows, options.rates)) {
        mean += rate / 32 / 50;
        least = std::min(least, rate);
      }
    }
    EXPECT_NEAR(one.mean_rate, mean, 1e-12);
    EXPECT_NEAR(one.mean_share, mean / 8, 1e-12);
    EXPECT_EQ(one.min_rate, least);
  }
}

TEST(Bandwidth, HostsThatSendToThemselvesAreLeftOut) {
  const Topology tree = make_topology("4-ary 2-tree");
  const auto list = [](u64, u64, u64, std::vector<Demand>& out) {
    out = {{Rank{0}, Rank{0}}, {Rank{1}, Rank{2}}};
  };
  const Traffic some{.ranks = 3, .list = list};
  EXPECT_EQ(bandwidth(tree.fabric, routed(tree, "dmodk"), some, place_linearly(3)).mean_rate, 1);
  const auto nobody = [](u64, u64, u64, std::vector<Demand>& out) { out = {{Rank{0}, Rank{0}}}; };
  const Traffic none{.ranks = 1, .list = nobody};
  EXPECT_EQ(bandwidth(tree.fabric, routed(tree, "dmodk"), none, place_linearly(1)).samples, 0u);
  EXPECT_THROW(bandwidth(tree.fabric, routed(tree, "dmodk"), some, place_linearly(2)), InputError);
}

// Two switches with two hosts each and one cable between them.
TEST(MpiGraph, RoundsThatCrossOneCableShareIt) {
  const Topology pair = make_topology("HyperX(2; hosts=2)");
  const Placement hosts = place_linearly(4);
  const BandwidthMatrix found = mpigraph(pair.fabric, routed(pair, "minhop"), hosts);
  // Round 1: 0>1, 1>2, 2>3, 3>0: one flow each way. Round 2: two each way. Round 3: as round 1.
  const std::vector<double> expected = {0, 1, .5, 1, 1, 0, 1, .5, .5, 1, 0, 1, 1, .5, 1, 0};
  EXPECT_EQ(found.rates, expected);
  EXPECT_NEAR(found.mean, 10.0 / 12, 1e-15);
  EXPECT_EQ(found.least, 0.5);
}

// domke19, figure 1: 28 hosts, 2.26 GiB/s on the fat-tree, 0.84 on the HyperX with minimal routes, 0.37 of
// it.
TEST(MpiGraph, ARackOnTheHyperXSeesUnderHalfOfTheFatTree) {
  const Topology tree = make_topology("XGFT(3; 18,18,18; 1,18,18; hosts=14)");
  const Topology grid = make_topology("HyperX(12x8; hosts=7)");
  const Placement rack = place_linearly(28);
  EXPECT_EQ(mpigraph(tree.fabric, routed(tree, "dmodk"), rack).mean, 1);
  const double ratio = mpigraph(grid.fabric, routed(grid, "dfsssp"), rack).mean;
  EXPECT_NEAR(ratio, 0.43, 0.02);
}

}  // namespace
}  // namespace banyan::tests
