#include "ask/time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flit/rails/policy.hpp"
#include "flow/carrier.hpp"
#include "traffic/collectives/collectives.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct Machine {
  Topology topology;
  Routing routing;

  explicit Machine(const std::string& notation)
      : topology(make_topology(notation)), routing(std::get<Routing>(route(topology, "dmodk"))) {}

  ask::Situation at(std::string traffic) const {
    return {.topology = topology, .routing = &routing, .traffic = std::move(traffic)};
  }
  ask::TimingAnswer time(std::string traffic, const ask::TimingOptions& options) const {
    return ask::time(at(std::move(traffic)), options);
  }
};

ask::TimingOptions hosts_of(u32 accelerators, double inside) {
  ask::TimingOptions out;
  out.link = {100};
  out.accelerators = accelerators;
  out.inside = {inside};
  return out;
}

// Every rank sends 2 (n - 1) / n of the vector, each NIC carries the ring of its rail, and a tree without
// contention gives each its whole link.
TEST(Time, RailRingsUseEveryRailInFull) {
  const Machine machine("4 x XGFT(2; 2,2; 1,2)");  // 4 hosts, 4 rails
  const double vector = 16 * 4 * 1000, n = 16;
  const auto found = machine.time("allreduce:algorithm=rail-rings,bytes=64000",
                                  hosts_of(4, std::numeric_limits<double>::infinity()));
  EXPECT_DOUBLE_EQ(found.seconds, 2 * (n - 1) / n * vector / 4 / 100);
  EXPECT_DOUBLE_EQ(*found.bus_bandwidth, 4 * 100);
  EXPECT_EQ(*found.rails_policy, "rail-local");
}

// Inside a host each accelerator passes all rings but its own on: three of four parts.
TEST(Time, WhatPassesThroughAHostTakesItsTime) {
  const Machine machine("4 x XGFT(2; 2,2; 1,2)");
  const double fast = machine.time("allreduce:algorithm=rail-rings,bytes=64000", hosts_of(4, 300)).seconds;
  const double slow = machine.time("allreduce:algorithm=rail-rings,bytes=64000", hosts_of(4, 150)).seconds;
  EXPECT_DOUBLE_EQ(fast,
                   machine.time("allreduce:algorithm=rail-rings,bytes=64000", hosts_of(4, 1e9)).seconds);
  EXPECT_DOUBLE_EQ(slow, 2 * fast);
}

// Two steps: everything crosses the host once, then the rails carry what is for other hosts.
TEST(Time, AHierarchicalExchangeIsTheSumOfItsSteps) {
  const Machine machine("4 x XGFT(2; 2,2; 1,2)");
  const auto found = machine.time("alltoall:algorithm=hierarchical,bytes=1000", hosts_of(4, 300));
  EXPECT_DOUBLE_EQ(found.seconds, 3 * 4 * 1000 / 300.0 + 3 * 4 * 1000 / 100.0);
  EXPECT_DOUBLE_EQ(*found.size, 16 * 1000);
}

// By a NIC that is next to another accelerator.
TEST(Time, AMessageByAnotherRailCrossesBothHosts) {
  const Machine machine("2 x XGFT(2; 2,2; 1,2)");
  const Placement ranks = [] {
    Placement out;
    for (u32 i = 0; i < 8; ++i) out.push_back(Host{i / 2});
    return out;
  }();
  const RailSplit second = [](const RankPair&, u32&) { return std::vector<RailShare>{{1, 1.0}}; };
  const Carrier carrier(machine.topology.fabric, machine.routing, ranks, second, {2, 10});
  Carried carried;
  RailTurns turns = carrier.turns();
  const std::vector<Demand> messages = {{Rank{0}, Rank{6}, 1}, {Rank{1}, Rank{7}, 1}, {Rank{0}, Rank{1}, 1}};
  carrier.carry(messages, turns, carried);
  ASSERT_EQ(carried.flows.size(), 3u);
  const auto inside = [&](std::size_t flow) {
    std::size_t count = 0;
    for (const Channel c : carried.listed.channels_of(flow))
      count += index(c) >= machine.topology.fabric.channels().size();
    return count;
  };
  EXPECT_EQ(inside(0), 4u);
  EXPECT_EQ(inside(1), 0u);
  EXPECT_EQ(inside(2), 2u);
  EXPECT_EQ(carried.listed.hops[2], 0u);
}

// Accelerator 0 of one host sends to accelerator 1 of another: by its own NIC to the other's own, through the
// sending host, or through the receiving one.
TEST(Time, PoliciesPassThroughTheHostTheyName) {
  const Machine machine("XGFT(2; 2,4; 1,2; rails=2)");  // 4 hosts, one plane
  Placement ranks;
  for (u32 i = 0; i < 8; ++i) ranks.push_back(Host{i / 2});
  const Fabric& fabric = machine.topology.fabric;
  const auto carried = [&](const char* policy) {
    const RailSplit split = message_split(prepare_policy(policy, rail_rules(fabric, 0, 2)));
    const Carrier carrier(fabric, machine.routing, ranks, split, {2, 10});
    Carried out;
    RailTurns turns = carrier.turns();
    carrier.carry(std::vector<Demand>{{Rank{0}, Rank{7}, 1}}, turns, out);
    std::vector<u32> hosts;  // of the channels inside them
    for (const Channel c : out.listed.channels_of(0))
      if (index(c) >= fabric.channels().size()) hosts.push_back((index(c) - fabric.channels().size()) / 4);
    EXPECT_EQ(fabric.column(out.flows[0].from), policy == std::string("rail-local") ? 1u : 0u);
    EXPECT_EQ(fabric.column(out.flows[0].to), policy == std::string("same-slot") ? 0u : 1u);
    return hosts;
  };
  EXPECT_EQ(carried("own"), (std::vector<u32>{}));
  EXPECT_EQ(carried("rail-local"), (std::vector<u32>{0, 0}));
  EXPECT_EQ(carried("same-slot"), (std::vector<u32>{3, 3}));
}

// Ranks 0 to 7 on four hosts with two NICs: each sends 1000 bytes to all others.
TEST(Time, CountsWhatCrossesRails) {
  const Machine machine("XGFT(2; 2,4; 1,2; rails=2)");
  ask::TimingOptions options = hosts_of(2, 1e9);
  options.cross_rail = ask::CrossRail::forbid;
  const auto local = machine.time("alltoall:algorithm=linear,bytes=1000", options);
  EXPECT_EQ(local.rails->bytes, (std::vector<std::vector<double>>{{24000, 0}, {0, 24000}}));
  EXPECT_EQ(local.rails->forbidden, 0u);
  EXPECT_FALSE(local.rails->breaks_rule());
  options.rails_policy = "own";
  const auto own = machine.time("alltoall:algorithm=linear,bytes=1000", options);
  EXPECT_EQ(own.rails->bytes, (std::vector<std::vector<double>>{{12000, 12000}, {12000, 12000}}));
  EXPECT_EQ(own.rails->crossing_share, 0.5);
  EXPECT_EQ(own.rails->forbidden, 24u);
  ASSERT_EQ(own.rails->crossings->size(), 16u);
  EXPECT_EQ((*own.rails->crossings)[0].source_nic, "h0.r0");
  EXPECT_EQ((*own.rails->crossings)[0].destination, 3u);
  EXPECT_EQ((*own.rails->crossings)[0].destination_nic, "h1.r1");
}

// Half of a message over each of two rails takes half the time.
TEST(Time, AStripedMessageHasArrivedWhenAllItsPartsHave) {
  const Machine one("XGFT(2; 2,2; 1,2)"), two("2 x XGFT(2; 2,2; 1,2)");
  ask::TimingOptions options;
  options.link = {100};
  const double alone = one.time("allreduce:algorithm=ring,bytes=4000", options).seconds;
  for (const Rounds rounds : {Rounds::barrier, Rounds::exchange}) {
    options.rounds = rounds;
    options.stripe = 1;
    EXPECT_DOUBLE_EQ(two.time("allreduce:algorithm=ring,bytes=4000", options).seconds, alone / 2);
    options.stripe = 0;
    EXPECT_DOUBLE_EQ(two.time("allreduce:algorithm=ring,bytes=4000", options).seconds, alone);
  }
}

// Without striping a message has one NIC, and those of a host take its NICs in turn.
TEST(Time, AMessageTakesOneRailAndTheNextTakesTheNext) {
  const Machine machine("4 x XGFT(2; 4,4; 1,4)");
  ask::TimingOptions options;
  options.link = {100};
  const auto linear = [&](u32 ranks) {
    ask::Situation at = machine.at("broadcast:algorithm=linear,bytes=1000");
    at.ranks = ranks;
    return ask::time(at, options).seconds;
  };
  EXPECT_DOUBLE_EQ(linear(2), 10);  // one message at the speed of one link
  EXPECT_DOUBLE_EQ(linear(5), 10);  // four messages, a rail each
  EXPECT_DOUBLE_EQ(linear(6), 20);  // the fifth shares the first rail
  options.stripe = 0.5;
  EXPECT_DOUBLE_EQ(linear(2), 5);
  EXPECT_DOUBLE_EQ(linear(3), 5);
}

// Rails are taken in turn from round to round too: those of a ring that has lost cables on one rail.
TEST(Time, RoundsGoOnWhereTheLastOneLeftTheRails) {
  const Machine whole("2 x XGFT(2; 4,4; 1,4)");
  Topology less = whole.topology;
  less.fabric = fabric::without(less.fabric, {"switch=r1s2-1", "switch=r1s2-2", "switch=r1s2-3"});
  const Routing routing = std::get<Routing>(route(less, "dmodc"));
  ask::TimingOptions options;
  options.link = {100};
  const auto ends = [&](const Topology& topology, const Routing& by) {
    const ask::Situation at{
        .topology = topology, .routing = &by, .traffic = "allreduce:algorithm=ring,bytes=1600"};
    std::vector<double> out;
    const ask::TimingAnswer found = ask::time(at, options);
    for (const auto& round : *found.each_round) out.push_back(round.ends);
    return out;
  };
  const std::vector<double> good = ends(whole.topology, whole.routing), bad = ends(less, routing);
  const double one = good[0];
  ASSERT_EQ(bad.size(), 30u);
  EXPECT_DOUBLE_EQ(bad[0], one);  // by the rail that is whole
  for (std::size_t round = 2; round < bad.size(); round += 2) {
    EXPECT_DOUBLE_EQ(bad[round] - bad[round - 1], one);
    EXPECT_DOUBLE_EQ(bad[round + 1] - bad[round], bad[1] - bad[0]);
  }
}

// A message alone takes as long by packets as by flows, but for the time of its first packet.
TEST(Time, FlowsAndFlitsUseTheSameRails) {
  const Machine machine("4 x XGFT(2; 4,4; 1,4)");
  for (const double stripe : {0.0, 0.5, 1.0}) {
    ask::TimingOptions options;
    options.stripe = stripe;
    ask::Situation at = machine.at("broadcast:algorithm=linear,bytes=1MiB");
    at.ranks = 3;
    const double flow = ask::time(at, options).seconds;
    options.level = ask::TimeLevel::flit;
    EXPECT_NEAR(ask::time(at, options).seconds / flow, 1, 0.05) << stripe;
  }
}

TEST(Time, LatencyIsThatOfCablesAndSwitches) {
  const Machine machine("XGFT(2; 2,2; 1,2)");
  ask::TimingOptions options;
  options.link = {100};
  options.cable = {20};
  options.switch_delay = {1e-6};
  const double none = machine.time("broadcast:algorithm=linear,bytes=1", {.link = {100}}).seconds;
  EXPECT_NEAR(machine.time("broadcast:algorithm=linear,bytes=1", options).seconds - none, 4 * 100e-9 + 3e-6,
              1e-12);
}

// Every rank sends to the next of its ring just once in a round, and to the same in every round.
TEST(Collectives, RailRingsAreRings) {
  for (const u32 local : {1u, 2u, 3u, 8u})
    for (const u32 hosts : {2u, 3u, 4u}) {
      const Topology any = make_topology("Mesh(2)");
      const Traffic traffic =
          make_traffic({any, hosts * local, local}, "allreduce:algorithm=rail-rings,bytes=4096");
      EXPECT_EQ(traffic.rounds, 2 * (hosts * local - 1));
      std::vector<Demand> messages;
      traffic.list(1, 0, 0, messages);
      ASSERT_EQ(messages.size(), hosts * local * local);
      const u32 n = hosts * local;
      for (u32 ring = 0; ring < local; ++ring) {
        std::vector<u32> next(n);
        u32 crossings = 0, off_rail = 0;
        for (u32 i = 0; i < n; ++i) {
          const Demand& m = messages[ring * n + i];
          next[index(m.from)] = index(m.to);
          const bool crosses = index(m.from) / local != index(m.to) / local;
          crossings += crosses;
          off_rail += crosses && index(m.from) % local != index(m.to) % local;
        }
        u32 at = 0, steps = 0;
        do at = next[at], ++steps;
        while (at != 0 && steps <= n);
        EXPECT_EQ(steps, n);
        EXPECT_EQ(crossings, hosts);
        EXPECT_EQ(off_rail, hosts % 2 == 1 && local > 1 ? 1u : 0u) << hosts << " hosts of " << local;
      }
    }
}

// What a rank is sent and sends in an allreduce: each part is reduced once and handed out once.
TEST(Collectives, HierarchicalAllreduceMovesEachPartOnce) {
  const Topology any = make_topology("Mesh(2)");
  const Traffic traffic = make_traffic({any, 8, 4}, "allreduce:algorithm=hierarchical,bytes=8000");
  double inside = 0, between = 0;
  std::vector<Demand> messages;
  for (u64 round = 0; round < traffic.rounds; ++round) traffic.list(1, 0, round, messages);
  for (const Demand& m : messages) (index(m.from) / 4 == index(m.to) / 4 ? inside : between) += m.amount;
  EXPECT_EQ(inside, 2 * 2 * 4 * 3 * 2000);  // two hosts, two steps, four ranks to three others
  EXPECT_EQ(between, 8 * 2000);             // an allreduce of two ranks on each of four rails: 2 * 1000 each
}

TEST(TrainingStep, CountsWhatMegatronCounts) {
  const TrainingOptions gpt{.tensor = 8,
                            .pipeline = 12,
                            .layers = 96,
                            .hidden = 12288,
                            .sequence = 2048,
                            .vocabulary = 51200,
                            .batch = 1536,
                            .flops = 140e12};
  const TrainingStep found = training_step(8 * 12 * 16, gpt);
  EXPECT_NEAR(found.parameters, 174.6e9, 0.5e9);  // GPT-3: Narayanan et al. 2021, table 1
  EXPECT_EQ(found.data, 16u);
  EXPECT_EQ(found.micro_batches, 96);
  // Eq. 3 without recomputation: 72 B s L h^2 (1 + s / 6h + V / 12 L h).
  const double h = 12288, s = 2048, L = 96, V = 51200;
  const double operations = 72 * 1536 * s * L * h * h * (1 + s / (6 * h) + V / (12 * L * h));
  EXPECT_NEAR(found.computing, operations / (1536 * 140e12), 1e-6 * found.computing);
  std::vector<std::string> names;
  for (const TrainingPhase& phase : found.phases) names.push_back(phase.name);
  EXPECT_EQ(names, (std::vector<std::string>{"tensor", "pipeline", "data"}));
  // Of a micro-batch b s h activations of 2 bytes, 4 times a layer; the gradients of a rank's 12 h^2 a layer.
  EXPECT_EQ(found.phases[0].bytes, 2 * s * h);
  EXPECT_EQ(found.phases[0].times, 4 * 8 * 96);
  EXPECT_EQ(found.phases[1].bytes, 2 * s * h / 8);
  EXPECT_EQ(found.phases[1].times, 96 + 12 - 1);
  EXPECT_EQ(found.phases[2].bytes, 2 * 8 * 12 * h * h / 8);
  EXPECT_EQ(found.phases[2].times, 1);
}

// The gradients of all ranks are summed as an allreduce along rails is, not around one flat ring.
TEST(TrainingStep, GroupsKnowWhichRanksShareAHost) {
  const Machine machine("4 x XGFT(2; 4,2; 1,4)");
  const TrainingOptions model{.layers = 4, .hidden = 1024, .sequence = 1024};
  const ask::TimingOptions options = hosts_of(4, 1600);
  const ask::StepAnswer step = ask::step(machine.at(""), options, model);
  ASSERT_EQ(step.phases.size(), 1u);
  EXPECT_EQ(step.phases[0].algorithm, "rail-rings");
  const auto alone = machine.time("allreduce:algorithm=rail-rings,bytes=100663296", options);
  EXPECT_EQ(step.phases[0].bytes, 100663296);
  EXPECT_NEAR(step.phases[0].seconds, alone.seconds, 1e-9 * alone.seconds);
  EXPECT_EQ(training_step(32, {.tensor = 4, .layers = 4}, 4).phases[1].traffic.algorithm, "ring");
  EXPECT_THROW(training_step(32, model, 3), InputError);
}

TEST(Time, NamesTheAlgorithmThatWasMade) {
  EXPECT_EQ(allreduce(1024, {.bytes = 512, .algorithm = "ring"}).algorithm, "recursive-doubling");
  EXPECT_EQ(allreduce(1024, {.bytes = 4096, .algorithm = "ring"}).algorithm, "ring");
  EXPECT_EQ(allreduce(1024, {.bytes = 512, .algorithm = "segmented-ring"}).algorithm, "recursive-doubling");
  EXPECT_EQ(allreduce(64, {.bytes = 4, .algorithm = "rabenseifner"}).algorithm, "linear");
  EXPECT_THROW(allreduce(8, {.algorithm = "hierarchical"}), InputError);  // of unknown hosts
}

TEST(Time, AllreduceKnowsHostsByDefault) {
  const Machine machine("4 x XGFT(2; 2,2; 1,2)");
  EXPECT_EQ(machine.time("allreduce:bytes=1MiB", hosts_of(4, 1600)).algorithm, "rail-rings");
  EXPECT_NE(machine.time("allreduce:bytes=1MiB", hosts_of(1, 0)).algorithm, "rail-rings");
  EXPECT_EQ(machine.time("allreduce:bytes=1MiB,algorithm=ring", hosts_of(4, 1600)).algorithm, "ring");
}

// Every rank is in one group of each kind.
TEST(TrainingStep, GroupsDivideTheRanks) {
  const TrainingStep found =
      training_step(48, {.tensor = 2, .pipeline = 3, .expert = 4, .layers = 6, .hidden = 64, .experts = 8});
  ASSERT_EQ(found.phases.size(), 5u);
  for (const TrainingPhase& phase : found.phases) {
    EXPECT_EQ(phase.groups * phase.ranks, 48u) << phase.name;
    std::vector<u32> sends(48);
    std::vector<Demand> messages;
    for (u64 round = 0; round < phase.traffic.rounds; ++round) phase.traffic.list(1, 0, round, messages);
    for (const Demand& m : messages) {
      ++sends[index(m.from)];
      const u32 distance =
          index(m.from) > index(m.to) ? index(m.from) - index(m.to) : index(m.to) - index(m.from);
      EXPECT_TRUE(phase.name != "tensor" || index(m.from) / 2 == index(m.to) / 2);
      EXPECT_TRUE(phase.name != "pipeline" || distance == 16u);
      EXPECT_TRUE(phase.name != "data" || distance % 2 == 0u);
      EXPECT_TRUE(phase.name != "expert" || index(m.from) / 8 == index(m.to) / 8);
      EXPECT_TRUE(phase.name != "expert-data" || distance == 8u);
    }
    for (const u32 count : sends) EXPECT_GT(count, 0u) << phase.name;
  }
}

TEST(Units, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_speed("400G")->value, 50e9);
  EXPECT_EQ(parse_speed("400Gbit/s")->value, 50e9);
  EXPECT_EQ(parse_speed("50 GB/s")->value, 50e9);
  EXPECT_EQ(parse_speed("1B/s")->value, 1);
  EXPECT_DOUBLE_EQ(parse_duration("300ns")->value, 300e-9);
  EXPECT_DOUBLE_EQ(parse_duration("1.5us")->value, 1.5e-6);
  EXPECT_EQ(parse_duration("2s")->value, 2);
  EXPECT_EQ(parse_length("5m")->value, 5);
  for (const char* text : {"", "400", "G", "-1G", "1e999G", "nanG", "4 0G"})
    EXPECT_FALSE(parse_speed(text)) << text;
  for (const char* text : {"", "5", "us", "-1us", "1min"}) EXPECT_FALSE(parse_duration(text)) << text;
  EXPECT_EQ(quantity_text(Speed{50e9}), "400G");
  EXPECT_EQ(quantity_text(Duration{1.5e-6}), "1.5us");
  EXPECT_EQ(quantity_text(Duration{}), "0");
}

}  // namespace
}  // namespace banyan::tests
