// What `size --deep` and `--step` find is what the questions that they ask find.
#include "ask/size_deep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ask/cycles.hpp"
#include "ask/fabric_router.hpp"
#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "base/error.hpp"

namespace banyan::tests {
namespace {

constexpr const char* small_tree = "XGFT(2; 4,4; 1,4)";

TEST(SizeDeep, IsWhatLoadAndSimulateSay) {
  const ask::DeepOptions options{.traffic = "shift:4", .broken = 0.1, .cycles = 500};
  const auto states = ask::look_deep(small_tree, 16, options, {}, 1);
  ASSERT_EQ(states.size(), 4U);  // static and adaptive, intact and broken
  EXPECT_EQ(states[0].engine, "dmodk");
  EXPECT_EQ(states[1].engine, "dmodc");
  EXPECT_EQ(states[2].engine, "adaptive");
  EXPECT_EQ(states[1].draws, 5U);
  const ask::RoutedFabric made = ask::open_routed(small_tree, {}, {});
  const ask::Situation at{
      .topology = made.loaded.topology, .routing = &std::get<Routing>(made.result), .traffic = "shift:4"};
  EXPECT_EQ(states[0].max_load.mean, std::get<ask::LoadAnswer>(ask::load(at, {})).max_load.mean);
  ask::SimulateOptions how;
  how.messages.load = 1, how.measure.cycles = 500;
  EXPECT_EQ(states[0].accepted.mean, std::get<ask::SimulateAnswer>(ask::simulate(at, how)).accepted->mean);
}

TEST(SizeDeep, BrokenIsTheMeanOfFiveDraws) {
  const ask::DeepOptions options{.traffic = "shift:4", .broken = 0.25, .cycles = 300, .seed = 7};
  const auto states = ask::look_deep(small_tree, 16, options, {}, 1);
  double sum = 0, squares = 0;
  std::vector<double> loads;
  for (u64 seed = 7; seed < 12; ++seed) {
    const ask::RoutedFabric made =
        ask::open_routed(small_tree, {"share=0.25,seed=" + std::to_string(seed)}, {.seed = 7});
    const ask::Situation at{.topology = made.loaded.topology,
                            .routing = &std::get<Routing>(made.result),
                            .traffic = "shift:4",
                            .seed = 7};
    loads.push_back(std::get<ask::LoadAnswer>(ask::load(at, {})).max_load.mean);
    sum += loads.back();
  }
  for (const double load : loads) squares += (load - sum / 5) * (load - sum / 5);
  EXPECT_DOUBLE_EQ(states[1].max_load.mean, sum / 5);
  EXPECT_DOUBLE_EQ(states[1].max_load.half_width, 2.776 * std::sqrt(squares / 4 / 5));
}

TEST(SizeDeep, LatencyPastSaturationIsNotKnown) {
  const auto states =
      ask::look_deep("XGFT(2; 4,4; 1,1)", 16, {.traffic = "shift:4", .broken = 0, .cycles = 500}, {}, 1);
  EXPECT_FALSE(std::isfinite(states[0].packet_latency.mean));
  const auto calm =
      ask::look_deep(small_tree, 16, {.traffic = "shift:4", .broken = 0, .load = 0.1, .cycles = 500}, {}, 1);
  EXPECT_TRUE(std::isfinite(calm[0].packet_latency.mean));
}

TEST(SizeDeep, LatencyIsInSecondsWhereASpeedIsGiven) {
  const Speed link{400e9 / 8};
  const ask::DeepOptions options{.traffic = "shift:4", .broken = 0.1, .load = 0.1, .cycles = 500};
  const auto states = ask::look_deep(small_tree, 16, options, link, 1);
  const auto in_cycles = ask::look_deep(small_tree, 16, options, {}, 1);
  ASSERT_EQ(states.size(), in_cycles.size());
  const double cycle =
      ask::cycle_seconds(make_topology(small_tree).fabric, link, MessageOptions{}.flit_bytes);
  for (std::size_t i = 0; i < states.size(); ++i) {
    ASSERT_TRUE(states[i].packet_latency_seconds.has_value());
    EXPECT_FALSE(in_cycles[i].packet_latency_seconds.has_value());
    EXPECT_NEAR(states[i].packet_latency_seconds->mean, cycle * in_cycles[i].packet_latency.mean, 1e-15);
  }
  ask::DeepOptions slow = options;
  slow.load = 0.01, slow.switch_delay = Duration{30e-9};
  EXPECT_GT(ask::look_deep(small_tree, 16, slow, link, 1)[0].packet_latency_seconds->mean, 3 * 30e-9 - 1e-9);
  EXPECT_LT(states[0].packet_latency_seconds->mean, 30e-9);
  EXPECT_THROW(ask::look_deep(small_tree, 16, slow, {}, 1), InputError);
}

TEST(SizeDeep, AStepIsWhatTimeSays) {
  ask::TimingOptions timing;
  timing.accelerators = 2;
  const TrainingOptions model{.tensor = 2, .layers = 4, .hidden = 256, .sequence = 128};
  const auto steps = ask::step_deep(small_tree, 32, {.broken = 0}, timing, model, 1);
  ASSERT_EQ(steps.size(), 1U);
  const ask::RoutedFabric made = ask::open_routed(small_tree, {}, {});
  const ask::StepAnswer direct =
      ask::step({.topology = made.loaded.topology, .routing = &std::get<Routing>(made.result), .ranks = 32},
                timing, model);
  EXPECT_EQ(steps[0].seconds.mean, direct.seconds);
  EXPECT_EQ(steps[0].exposed_seconds.mean, direct.exposed_seconds);
}

TEST(SizeDeep, RefusesWhatIsNoShare) {
  EXPECT_THROW(ask::look_deep(small_tree, 16, {.broken = 1}, {}, 1), InputError);
  EXPECT_THROW(ask::look_deep(small_tree, 16, {.broken = -0.1}, {}, 1), InputError);
}

}  // namespace
}  // namespace banyan::tests
