// What the simulator measures against what the flow level allows.
#include "flit/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engines/engine.hpp"
#include "flow/load.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct Setting {
  Topology topology;
  Routing routing;
  Traffic traffic;
  NetworkOptions network;

  Setting(const char* fabric, const char* engine, const char* pattern)
      : topology(make_topology(fabric)),
        routing(std::get<Routing>(route(topology, engine))),
        traffic(make_traffic({topology, topology.fabric.hosts()}, pattern)) {
    network.lanes = routing.lanes;
  }

  Measurement at(double load, u64 cycles = 8000, WarmUp warm_up = WarmUp::error) const {
    const MessageOptions messages{.load = load, .packet_flits = 4};
    const SimulationSetup setup{topology.fabric, routing, network, messages};
    return measure(setup,
                   Workload::open(topology.fabric, traffic, place_linearly(traffic.ranks), messages, 1),
                   {.cycles = cycles, .warm_up = warm_up});
  }

  double max_load() const {
    std::vector<Demand> demands;
    traffic.list(1, 0, 0, demands);
    std::vector<Flow> flows;
    append_flows(demands, place_linearly(traffic.ranks), flows);
    const auto found = loads(topology.fabric, routing, flows);
    return *std::max_element(found.begin(), found.end());
  }
};

// If every host sends x of its demand, the busiest channel carries x times its load: no more than 1. In these
// patterns many flows meet there; where few do, the others hide in the sum what they lose.
TEST(Measure, NothingSaturatesAboveTheBoundOfTheFlowLevel) {
  for (const auto& [fabric, engine, pattern] :
       {std::tuple("4-ary 2-tree", "dmodk", "uniform"),
        std::tuple("XGFT(2; 4,4; 1,2)", "disjoint:paths=2", "uniform"),
        std::tuple("HyperX(3x3; hosts=3)", "dor", "uniform"),
        std::tuple("HyperX(3x3; hosts=3)", "dor", "shift:3"), std::tuple("Torus(4x4)", "dor", "uniform")}) {
    const Setting setting(fabric, engine, pattern);
    const Saturation found = find_saturation([&](double load) { return setting.at(load); }, 0.03);
    EXPECT_LE(found.load, 1 / setting.max_load() + 0.02) << fabric << ' ' << engine << ' ' << pattern;
    EXPECT_GE(found.load, 0.3 / setting.max_load()) << fabric << ' ' << engine << ' ' << pattern;
  }
}

TEST(Measure, BelowSaturationWhatIsOfferedIsAccepted) {
  const Setting setting("4-ary 3-tree", "dmodk", "uniform");
  const Measurement m = setting.at(0.3, 20000);
  EXPECT_FALSE(m.saturated);
  EXPECT_NEAR(m.accepted.mean, 0.3, 3 * m.accepted.half_width);
  EXPECT_LT(m.accepted.half_width, 0.01);
}

// The first packets are still on their way: nothing is steady, and no interval says whether a backlog grows.
TEST(Measure, AShortRunEndsInItsWarmUpAndSaysNothingOfSaturation) {
  const Setting setting("4-ary 3-tree", "dmodk", "uniform");
  const Measurement brief = setting.at(0.3, 30);
  EXPECT_FALSE(brief.is_warm);
  EXPECT_TRUE(brief.undecided);
  EXPECT_FALSE(brief.saturated);
  const Measurement enough = setting.at(0.3, 20000);
  EXPECT_TRUE(enough.is_warm);
  EXPECT_FALSE(enough.undecided);
}

// On long cables the first packet arrives when most of the run is over; until then all batches are alike.
TEST(Measure, ARunInWhichTheFirstPacketIsLateEndsInItsWarmUp) {
  const Setting setting("Dragonfly(2,4,2; latency=100)", "dfsssp", "uniform");
  const Measurement brief = setting.at(0.6, 300);
  EXPECT_GT(brief.counted.packets, 0u);
  EXPECT_FALSE(brief.is_warm);
  EXPECT_FALSE(brief.saturated);
  EXPECT_TRUE(brief.undecided);
}

// Packets inside a group arrive soon, those to other groups when most of the run is over: until then the
// channels between groups fill, and no backlog grows.
TEST(Measure, ARunThatIsShortAgainstTheLatencyOfItsChannelsIsNotSaturated) {
  Setting setting("Dragonfly(2,4,2; latency=1/10/1000)", "minhop", "uniform");
  setting.network.buffer_flits = 4000;
  for (const u64 cycles : {1200u, 1500u, 2500u, 3800u}) {
    const Measurement brief = setting.at(0.1, cycles);
    EXPECT_FALSE(brief.is_warm) << cycles;
    EXPECT_FALSE(brief.saturated) << cycles;
    EXPECT_TRUE(brief.undecided) << cycles;
  }
  const Measurement enough = setting.at(0.1, 30000);
  EXPECT_TRUE(enough.is_warm);
  EXPECT_FALSE(enough.saturated);
}

// The latency without waiting does not grow with the backlog.
TEST(Measure, ASaturatedNetworkIsSaturatedHoweverLongPacketsTake) {
  const Setting crowded("XGFT(2; 4,4; 1,1)", "dmodk", "shift:4");
  const Measurement m = crowded.at(1, 1000);
  EXPECT_GT(4 * m.packet_latency.mean, 1000);
  EXPECT_TRUE(m.saturated);
  EXPECT_TRUE(m.is_warm);
}

// A network that saturates at 0.62.
TEST(Measure, AnAdaptiveCurveIsDenseAtTheKnee) {
  u32 runs = 0;
  const auto found = adaptive_curve(
      [&](double load) {
        ++runs;
        Measurement m;
        m.saturated = load > 0.62;
        m.packet_latency.mean = m.saturated ? 5000 : 20 + 2 / (0.63 - load);
        return m;
      },
      20);
  ASSERT_EQ(found.size(), 20u);
  EXPECT_EQ(runs, 20u);
  EXPECT_EQ(found.front().first, 0.05);
  EXPECT_EQ(found.back().first, 1);
  u32 near = 0, last_open = 0;
  for (u32 i = 1; i < found.size(); ++i) {
    EXPECT_LT(found[i - 1].first, found[i].first);
    near += std::abs(found[i].first - 0.62) < 0.06;
    if (!found[i].second.saturated) last_open = i;
  }
  EXPECT_GE(near, 8u);
  EXPECT_LE(found[last_open + 1].first - found[last_open].first, 0.02);
}

TEST(Measure, BothRulesFindAWarmUpThatIsShortBelowSaturation) {
  const Setting setting("4-ary 3-tree", "dmodk", "uniform");
  const Measurement by_error = setting.at(0.3, 50000), by_change = setting.at(0.3, 50000, WarmUp::change);
  EXPECT_TRUE(by_change.is_warm);
  EXPECT_EQ(by_change.warm_up_cycles, 2000u);  // the second batch resembles the first, of a thousand cycles
  EXPECT_NEAR(by_change.packet_latency.mean, by_error.packet_latency.mean, 0.3);
}

// Rank 1 sends half of what rank 0 sends, the others nothing.
TEST(Measure, HostsAreComparedByWhatTheyPutIntoTheNetwork) {
  Setting setting("4-ary 2-tree", "dmodk", "shift:4");
  setting.traffic.list = [](u64, u64, u64, std::vector<Demand>& out) {
    out.push_back({Rank{0}, Rank{4}, 1});
    out.push_back({Rank{1}, Rank{5}, 0.5});
  };
  const Measurement m = setting.at(0.4, 40000);
  EXPECT_NEAR(*m.min_host_throughput, 0.2, 0.01);
  EXPECT_NEAR(*m.max_host_throughput, 0.4, 0.01);
  EXPECT_NEAR(m.accepted.mean, 0.3, 0.01);
}

// Two hosts send to a third over its one channel: what they have to wait for is at the source.
TEST(Measure, TheWaitAtTheSourceIsNoTimeInTheNetwork) {
  Setting setting("4-ary 2-tree", "dmodk", "shift:4");
  setting.traffic.list = [](u64, u64, u64, std::vector<Demand>& out) {
    out.push_back({Rank{0}, Rank{4}, 1});
    out.push_back({Rank{1}, Rank{4}, 1});
  };
  const Measurement m = setting.at(0.9, 20000);
  EXPECT_TRUE(m.saturated);
  const double in_network =
      static_cast<double>(m.counted.network_cycles) / static_cast<double>(m.counted.packets);
  EXPECT_GT(m.packet_latency.mean, 1000);
  EXPECT_LT(in_network, 200);  // buffers of 40 flits on three channels, half of the rate each
}

// Packets are counted as they enter and leave, apart from their latencies: in a long run they are throughput
// times latency, past saturation too, and where the network is empty before and after, exactly.
TEST(Measure, PacketsInTheNetworkAreThroughputTimesLatency) {
  const auto by_law = [](const Tally& of) {
    return static_cast<double>(of.network_cycles) / static_cast<double>(of.cycles);
  };
  for (const FlowControl flow_control : {FlowControl::vct, FlowControl::wormhole})
    for (const double load : {0.1, 0.5, 1.0}) {
      Setting setting("4-ary 2-tree", "dmodk", "uniform");
      setting.network.flow_control = flow_control;
      const Measurement m = setting.at(load, 40000);
      EXPECT_NEAR(figures_of(m).packets_in_network, by_law(m.counted), 0.01 * by_law(m.counted)) << load;
      EXPECT_NE(m.counted.packet_cycles, m.counted.network_cycles);  // some are inside at both ends
    }
  const Setting setting("4-ary 2-tree", "dmodk", "all-shifts");
  const MessageOptions messages{.packet_flits = 4};
  const SimulationSetup setup{setting.topology.fabric, setting.routing, setting.network, messages};
  const Measurement m = measure(
      setup, Workload::closed(setting.topology.fabric, setting.traffic, place_linearly(16), messages, 1), {});
  EXPECT_EQ(m.counted.packet_cycles, m.counted.network_cycles);
  EXPECT_DOUBLE_EQ(figures_of(m).packets_in_network, by_law(m.counted));
}

// Neighbours: all hosts of a switch send to the next one, over one channel that minimal routing has for them.
TEST(Measure, UgalBeatsMinimalRoutingWhereItIsWorstAndEqualsItElsewhere) {
  const auto accepted = [](const char* engine, const char* pattern, double load) {
    Setting setting("HyperX(4x4; hosts=4)", engine, pattern);
    setting.network.lanes = 4;
    return setting.at(load, 20000).accepted.mean;
  };
  EXPECT_GT(accepted("ugal", "shift:4", 0.5), 1.2 * accepted("dor", "shift:4", 0.5));
  const double minimal = accepted("dor", "uniform", 0.5);
  EXPECT_NEAR(accepted("ugal", "uniform", 0.5), minimal, 0.02 * minimal);
}

TEST(Measure, ACollectiveEndsWhenItsLastMessageArrives) {
  const Setting setting("4-ary 2-tree", "dmodk", "all-shifts");
  const MessageOptions messages{.packet_flits = 4};
  const SimulationSetup setup{setting.topology.fabric, setting.routing, setting.network, messages};
  const Measurement m = measure(
      setup, Workload::closed(setting.topology.fabric, setting.traffic, place_linearly(16), messages, 1), {});
  ASSERT_TRUE(m.completion_cycles.has_value());
  EXPECT_EQ(m.counted.messages, 16u * 15u);
  // D-mod-k has no contention under shifts: fifteen rounds, each a path of at most four channels.
  EXPECT_LE(*m.completion_cycles, 15u * (4 + 3 + 3 + 1));
  EXPECT_GE(*m.completion_cycles, 15u * 4u);
}

// A host sends 4 flits in each round; the time after the end is not counted.
TEST(Measure, WhatIsSentOnceIsMeasuredUntilItsCompletion) {
  const Setting setting("4-ary 2-tree", "dmodk", "all-shifts");
  for (const Rounds rounds : {Rounds::exchange, Rounds::barrier}) {
    const MessageOptions messages{.packet_flits = 4, .rounds = rounds};
    const SimulationSetup setup{setting.topology.fabric, setting.routing, setting.network, messages};
    const Measurement m = measure_rounds(setup, setting.traffic, place_linearly(16), {});
    EXPECT_EQ(m.counted.cycles, m.completion_cycles);
    EXPECT_DOUBLE_EQ(m.max_channel_utilisation, 15 * 4.0 / static_cast<double>(*m.completion_cycles));
  }
}

// Two rounds of one message each, between hosts of one leaf.
TEST(Measure, RoundsBeginByWhatRanksAwait) {
  const Setting setting("4-ary 2-tree", "dmodk", "shift:1");
  const auto cycles = [&](Rounds rounds, Demand first, Demand second) {
    const MessageOptions messages{.packet_flits = 4, .reaction_cycles = 5, .rounds = rounds};
    const SimulationSetup setup{setting.topology.fabric, setting.routing, setting.network, messages};
    const auto list = [=](u64, u64, u64 round, std::vector<Demand>& out) {
      out.push_back(round == 0 ? first : second);
    };
    const Traffic traffic{.ranks = 16, .list = list, .rounds = 2};
    return measure_rounds(setup, traffic, place_linearly(16), {}).completion_cycles.value();
  };
  const u64 once = 2 + 1 + 3, twice = once + 5 + once;  // channels, a switch, further flits; the reaction
  const Demand from_0_to_1{Rank{0}, Rank{1}}, from_1_to_2{Rank{1}, Rank{2}}, from_2_to_3{Rank{2}, Rank{3}};
  EXPECT_EQ(cycles(Rounds::independent, from_0_to_1, from_1_to_2), once);
  EXPECT_EQ(cycles(Rounds::exchange, from_0_to_1, from_1_to_2), twice);
  EXPECT_EQ(cycles(Rounds::exchange, from_0_to_1, from_2_to_3), once);
  EXPECT_EQ(cycles(Rounds::barrier, from_0_to_1, from_2_to_3), twice);
}

TEST(Measure, ABarrierTakesTheTimeOfEachRoundAndOfTheReaction) {
  const Setting setting("4-ary 2-tree", "dmodk", "all-shifts");
  const MessageOptions messages{.packet_flits = 4, .reaction_cycles = 7, .rounds = Rounds::barrier};
  const SimulationSetup setup{setting.topology.fabric, setting.routing, setting.network, messages};
  const u64 together =
      measure_rounds(setup, setting.traffic, place_linearly(16), {}).completion_cycles.value();
  EXPECT_THROW(Workload::closed(setup.fabric, setting.traffic, place_linearly(16), messages, 1), InputError);
  // Four channels, three switches and three further flits in every round: each has a pair of distant leaves.
  EXPECT_EQ(together, 15 * (4 + 3 + 3) + 14 * 7u);
}

}  // namespace
}  // namespace banyan::tests
