// Several runs with different seeds.
#include "flit/replicas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ask/any_hash.hpp"
#include "ask/simulate.hpp"
#include "engines/engine.hpp"
#include "flit/device_replicas.hpp"

namespace banyan::tests {
namespace {

TEST(Replicas, StudentsIntervalOfIndependentValues) {
  const std::vector<double> values = {3, 5};  // standard error 1, one degree of freedom
  EXPECT_DOUBLE_EQ(independent_estimate(values).mean, 4);
  EXPECT_NEAR(independent_estimate(values).half_width, 12.706, 0.001);
  EXPECT_TRUE(std::isinf(independent_estimate(std::vector<double>{3}).half_width));
  std::vector<double> many;
  for (int i = 0; i < 41; ++i) many.push_back(i % 2 == 0 ? 1 : -1);  // 40 degrees of freedom: 2.0211
  const double deviation = std::sqrt((41 - 1.0 / 41) / 40 / 41);
  EXPECT_NEAR(independent_estimate(many).half_width / deviation, 2.0211, 1e-4);
}

struct ReplicatedTree {
  Topology topology = make_topology("4-ary 2-tree");
  Routing routing = std::get<Routing>(route(topology, "dmodk"));
  ask::Situation at{topology, &routing, "permutation"};
};

ask::SimulateOptions replica_options(u32 replicas) {
  ask::SimulateOptions out;
  out.messages.load = 0.4;
  out.measure.cycles = 2000;
  out.measure.replicas = replicas;
  return out;
}

ask::SimulateAnswer replicas_simulated(const ReplicatedTree& tree, const ask::SimulateOptions& by) {
  return std::get<ask::SimulateAnswer>(ask::simulate(tree.at, by));
}

TEST(Replicas, AGpuSaysWhatItDoesNotSimulate) {
  const ReplicatedTree tree;
  const auto refusal = [&](const MessageOptions& messages) {
    const auto why = ReplicaArrays::refusal({tree.topology.fabric, tree.routing, {}, messages}, 1000);
    return why ? why->why : std::string();
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.burst = "100:300"}), "a GPU simulates messages without bursts");
  EXPECT_EQ(refusal({.message_packets = 2}), "a GPU simulates messages of one packet, all of the same size");
}

// Each is the run that the engine makes with the same seed.
TEST(Replicas, HaveHashesOfTheirOwn) {
  const Topology tree = make_topology("4-ary 2-tree");
  const auto simulated = [&](u64 seed, bool ends, u32 replicas) {
    const Routing routing = std::get<Routing>(route(tree, fmt::format("ecmp:hash=crc32,seed={}", seed)));
    ask::Situation at{tree, &routing, "shift:4"};
    at.seed = seed;
    ask::SimulateOptions by = replica_options(replicas);
    by.complete = ends;
    if (ends) by.measure.cycles = 0;
    return std::get<ask::SimulateAnswer>(ask::simulate(at, by));
  };
  for (const bool ends : {false, true}) {
    const ask::SimulateAnswer all = simulated(5, ends, 3);
    std::vector<double> network;
    u64 hops = 0;
    for (const u64 seed : {5, 6, 7}) {
      const ask::SimulateAnswer one = simulated(seed, ends, 1);
      network.push_back(one.network_latency);
      hops += one.flit_hops;
    }
    EXPECT_EQ(all.flit_hops, hops);
    EXPECT_TRUE(ends || network[0] != network[1]) << "another hash, another run";
    EXPECT_DOUBLE_EQ(all.over_replicas->network_latency, independent_estimate(network).half_width);
  }
}

// The engine may have the seed of one of the further runs. No two runs share a hash all the same.
TEST(Replicas, HaveHashesOfTheirOwnWhateverTheSeedOfTheEngine) {
  const Topology tree = make_topology("4-ary 2-tree");
  for (const char* hash : {"mix", "crc32", "crc16", "xor16"}) {
    const Routing first = std::get<Routing>(route(tree, fmt::format("ecmp:hash={},seed=3", hash)));
    std::set<u64> seeds = {3};
    for (u32 number = 1; number < 6; ++number) seeds.insert(ask::other_seed(first, 1, number));
    EXPECT_EQ(seeds.size(), 6u) << hash;
  }
  const Routing third = std::get<Routing>(route(tree, "ecmp:hash=crc32,seed=3"));
  const auto simulated = [&](const Routing& routing, u64 seed, u32 replicas) {
    ask::Situation at{tree, &routing, "shift:4"};
    at.seed = seed;
    return std::get<ask::SimulateAnswer>(ask::simulate(at, replica_options(replicas)));
  };
  std::vector<double> network = {simulated(third, 1, 1).network_latency};
  for (const u64 number : {1, 2}) {
    const Routing other =
        std::get<Routing>(route(tree, fmt::format("ecmp:hash=crc32,seed={}", 2 * number)));  // not 2 and 3
    network.push_back(simulated(other, 1 + number, 1).network_latency);
  }
  EXPECT_DOUBLE_EQ(simulated(third, 1, 3).over_replicas->network_latency,
                   independent_estimate(network).half_width);
}

TEST(Replicas, AreTheRunsWithTheSeedsThatFollow) {
  ReplicatedTree tree;
  const ask::SimulateAnswer all = replicas_simulated(tree, replica_options(4));
  std::vector<double> accepted, network, p99;
  u64 packets = 0, cycles = 0;
  for (const u64 seed : {1, 2, 3, 4}) {
    tree.at.seed = seed;
    const ask::SimulateAnswer one = replicas_simulated(tree, replica_options(1));
    EXPECT_EQ(one.replicas, 1u);
    EXPECT_FALSE(one.over_replicas.has_value());
    accepted.push_back(one.accepted->mean);
    network.push_back(one.network_latency);
    p99.push_back(one.packet_latency_p99);
    packets += one.packets;
    cycles += one.cycles;
  }
  EXPECT_EQ(all.replicas, 4u);
  EXPECT_EQ(all.packets, packets);
  EXPECT_EQ(all.cycles, cycles);
  EXPECT_DOUBLE_EQ(all.accepted->mean, independent_estimate(accepted).mean);
  EXPECT_DOUBLE_EQ(all.accepted->half_width, independent_estimate(accepted).half_width);
  EXPECT_DOUBLE_EQ(all.network_latency, independent_estimate(network).mean);
  EXPECT_DOUBLE_EQ(all.over_replicas->network_latency, independent_estimate(network).half_width);
  EXPECT_DOUBLE_EQ(all.packet_latency_p99, independent_estimate(p99).mean);
  EXPECT_DOUBLE_EQ(all.over_replicas->packet_latency_p99, independent_estimate(p99).half_width);
  EXPECT_GT(all.over_replicas->network_latency, 0);  // other permutations
}

TEST(Replicas, AreRefusedWhereAllRunsAreTheSame) {
  ReplicatedTree tree;
  ask::SimulateOptions once;
  once.complete = true;
  once.measure.replicas = 2;
  EXPECT_GT(replicas_simulated(tree, once).packets, 0u);  // permutations differ
  tree.at.traffic = "shift:1";
  EXPECT_THROW(replicas_simulated(tree, once), InputError);
  tree.at.placement = "random";
  EXPECT_GT(replicas_simulated(tree, once).packets, 0u);
}

TEST(Replicas, DoNotDependOnTheNumberOfThreads) {
  ReplicatedTree tree;
  const ask::SimulateAnswer alone = replicas_simulated(tree, replica_options(3));
  for (const unsigned threads : {2u, 7u}) {
    tree.at.threads = threads;
    const ask::SimulateAnswer found = replicas_simulated(tree, replica_options(3));
    EXPECT_EQ(found.accepted->mean, alone.accepted->mean);
    EXPECT_EQ(found.accepted->half_width, alone.accepted->half_width);
    EXPECT_EQ(found.packet_latency.mean, alone.packet_latency.mean);
    EXPECT_EQ(found.flit_hops, alone.flit_hops);
  }
}

Measurement replica_that(bool saturated, double growth) {
  Measurement out;
  out.offered = 0.5;
  out.saturated = saturated;
  out.growth.mean = growth;
  return out;
}

TEST(Replicas, AreSaturatedWhereMostAreAndUndecidedWhereTheyDiffer) {
  const auto together = [](std::vector<Measurement> runs) {
    return measure_replicas(static_cast<u32>(runs.size()), 1, [&](u32 i, unsigned) { return runs[i]; });
  };
  EXPECT_TRUE(together({replica_that(true, 0.1), replica_that(true, 0.1), replica_that(false, 0)}).saturated);
  Measurement starves = replica_that(true, 0.1), feeds = starves;
  starves.starved_hosts = 3;
  feeds.starved_hosts = 0;
  const Measurement both = together({feeds, starves});
  EXPECT_EQ(both.starved_hosts, 1.5);
  EXPECT_EQ(both.replicas->figures.starved_hosts->half_width,
            independent_estimate(std::vector<double>{0, 3}).half_width);
  const Measurement open =
      together({replica_that(true, 0.02), replica_that(false, 0), replica_that(false, 0)});
  EXPECT_FALSE(open.saturated);
  EXPECT_TRUE(open.undecided);
  const Measurement calm =
      together({replica_that(false, 1e-4), replica_that(false, -1e-4), replica_that(false, 0)});
  EXPECT_FALSE(calm.saturated);
  EXPECT_FALSE(calm.undecided);
}

}  // namespace
}  // namespace banyan::tests
