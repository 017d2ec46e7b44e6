#include "routing/flow_hash.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ask/any_hash.hpp"
#include "ask/hash_forecast.hpp"
#include "flow/load.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

TEST(FlowHash, CrcsHaveTheirCheckValues) {
  const std::array<u8, 9> digits = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc32(digits, ~u32{0}), 0xCBF43926u);  // CRC-32/ISO-HDLC
  EXPECT_EQ(crc16(digits, 0), 0xBB3Du);            // CRC-16/ARC
}

TEST(FlowHash, SourcePortsAreThoseOfRoce) {
  const FlowHash hash{.kind = HashKind::crc32};
  std::set<u16> ports;
  for (u32 i = 0; i < 100; ++i) {
    const u16 port = hash.source_port(Nic{3}, Nic{4}, i);
    EXPECT_GE(port, 49152);
    EXPECT_EQ(hash.header(Nic{3}, Nic{4}, i), hash.with_port(Nic{3}, Nic{4}, port));
    ports.insert(port);
  }
  EXPECT_GT(ports.size(), 90u);
}

// Loads of eight flows from a leaf with eight ways up, twice.
double mean_load(const std::string& engine) {
  const Topology tree = make_topology("8-ary 3-tree");
  const Routing routing = std::get<Routing>(route(tree, engine));
  std::vector<std::vector<Flow>> rounds(1);
  for (u32 i = 0; i < 512; ++i) rounds[0].push_back({Nic{i}, Nic{(i + 64) % 512}});
  double sum = 0;
  const auto loads = ask::max_loads(ask::hash_loads({tree, routing, rounds, Measure::demand, 50, 1, 2}, 1));
  for (const double load : loads) sum += load;
  return sum / static_cast<double>(loads.size());
}

TEST(FlowHash, TheSameSeedEverywherePolarises) {
  // The second switch takes what the first took: seven of its eight ways up stay empty.
  EXPECT_GT(mean_load("ecmp:seeds=same"), 1.5 * mean_load("ecmp"));
  // A CRC is linear: flows that one leaf sent to a switch stay together there; only those of other leaves
  // part.
  EXPECT_GT(mean_load("ecmp:hash=crc32"), 1.2 * mean_load("ecmp"));
  EXPECT_GT(mean_load("ecmp:hash=crc32,seeds=same"), 1.1 * mean_load("ecmp:hash=crc32"));
  EXPECT_GT(mean_load("ecmp:hash=crc32,seeds=same"), 1.5 * mean_load("ecmp"));
}

TEST(FlowHash, FlowletsAreDrawnWhateverSwitchesHash) {
  const Topology tree = make_topology("4-ary 3-tree");
  const auto loads_of = [&](const std::string& engine) {
    const Routing routing = std::get<Routing>(route(tree, engine));
    std::vector<Flow> flows;
    for (u32 i = 0; i < 64; ++i) flows.push_back({Nic{i}, Nic{(i + 16) % 64}});
    const auto found = loads(tree.fabric, routing, flows);
    return std::vector<double>(found.begin(), found.end());
  };
  EXPECT_EQ(loads_of("ecmp:hash=crc32,seeds=same,flowlets=8"), loads_of("ecmp:paths=8"));
  EXPECT_EQ(loads_of("ecmp:paths=2,flowlets=4"), loads_of("ecmp:paths=8"));
  EXPECT_NE(loads_of("ecmp:hash=crc32,seeds=same,flowlets=1"), loads_of("ecmp:hash=crc32,seeds=same"));
  EXPECT_THROW(route(tree, "ecmp:paths=4096,flowlets=4096"), InputError);
}

TEST(FlowHash, QuantilesAreValuesThatWereSeen) {
  std::vector<double> values;
  for (int i = 100; i > 0; --i) values.push_back(i);
  EXPECT_EQ(ask::quantile(values, 0.99), 99);
  EXPECT_EQ(ask::quantile(values, 1), 100);
  EXPECT_EQ(ask::quantile({3}, 0.99), 3);
}

TEST(Hashes, ForecastStandsBetweenTheOptimumAndOneQueuePair) {
  const Topology tree = make_topology("XGFT(2; 8,8; 1,8)");
  const Routing routing = std::get<Routing>(route(tree, "ecmp:paths=8"));
  std::vector<std::vector<Flow>> rounds(1);
  for (u32 i = 0; i < 64; ++i) rounds[0].push_back({Nic{i}, Nic{(i + 8) % 64}});
  const auto result = ask::forecast_hashes({tree, routing, rounds, Measure::demand, 200, 1, 2});
  const auto& found = std::get<ask::HashAnswer>(result);
  EXPECT_EQ(found.optimum, 1);
  EXPECT_EQ(found.spray_max_load, 1);
  ASSERT_EQ(found.by_queue_pairs.size(), 4u);  // 1, 2, 4, 8
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_LT(found.by_queue_pairs[i].max_load_mean, found.by_queue_pairs[i - 1].max_load_mean);
  EXPECT_EQ(found.by_queue_pairs.back().max_load_mean, found.max_load_mean.mean);
  EXPECT_LE(found.max_load_mean.mean, found.max_load_p99);
  EXPECT_GE(found.max_load_mean.mean, found.optimum);
  u64 all = 0;
  for (const auto& range : found.hash_distribution) all += range.hashes;
  EXPECT_EQ(all, 200u);
  const Routing other = std::get<Routing>(route(tree, "dmodk"));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(ask::forecast_hashes({tree, other, rounds})));
}

// Whoever repeats with another seed must not see the same hashes again.
TEST(FlowHash, HashesOfTwoSeedsHaveNothingInCommon) {
  std::set<u64> all;
  for (u64 seed = 1; seed <= 20; ++seed)
    for (u64 i = 0; i < 100; ++i) all.insert(ask::hash_seed(seed, i));
  EXPECT_EQ(all.size(), 2000u);
}

// 5-tuples with other addresses are other flows; with those of the default they are the same.
TEST(FlowHash, ReadsTheAddressesOfTheNics) {
  const Topology tree = make_topology("8-ary 2-tree");
  const PortSets sets = shortest_port_sets(tree.fabric);
  std::vector<u32> usual, others;
  for (u32 nic = 0; nic < tree.fabric.nics(); ++nic) {
    usual.push_back(u32{10} << 24 | nic);
    others.push_back(0xC0A80000u + 7 * nic);
  }
  const HashedNextHops plain(sets), same(sets, usual), moved(sets, others);
  u32 differ = 0;
  for (u32 to = 8; to < tree.fabric.nics(); ++to) {
    const Header header = FlowHash{HashKind::crc32}.header(Nic{0}, Nic{to}, 0);
    const Node leaf = tree.fabric.to(tree.fabric.channel(tree.fabric.node(Nic{0}), Port{0}));
    EXPECT_EQ(plain.next(leaf, header), same.next(leaf, header));
    differ += plain.next(leaf, header).port != moved.next(leaf, header).port;
  }
  EXPECT_GT(differ, 20u);
}

// Three ports with weights 1, 2 and 1: hashes take the second half of the time, and spraying gives it half.
TEST(FlowHash, NextHopsAreTakenByTheirWeights) {
  const Topology tree = make_topology("XGFT(2; 3,2; 1,3)");
  const Fabric& fabric = tree.fabric;
  PortSets sets = shortest_port_sets(fabric);
  const Node leaf = fabric.to(fabric.channel(fabric.node(Nic{0}), Port{0}));
  const std::vector<u32> weights = {10, 20, 10};
  sets.weigh(sets.group(Nic{3}), index(leaf) - sets.first_node(), weights);
  const HashedNextHops hashed(sets);
  std::map<Port, u32> taken;
  for (u64 seed = 0; seed < 4000; ++seed)
    ++taken[hashed.next(leaf, FlowHash{HashKind::mix, HashSeeds::of_switch, seed}.header(Nic{0}, Nic{3}, 0))
                .port];
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_NEAR(taken[Port{4}], 2000, 160);  // five deviations; the seeds are fixed
  EXPECT_NEAR(taken[Port{3}], 1000, 140);
  const Routing routing{hashed, std::get<Routing>(route(tree, "ecmp")).source};
  const auto open = ask::any_hash(fabric, routing, ask::NextHopWeights::kept);
  const auto load = loads(fabric, std::get<Routing>(*open), std::vector<Flow>{{Nic{0}, Nic{3}}});
  EXPECT_DOUBLE_EQ(load[fabric.channel(leaf, Port{3})], 0.25);
  EXPECT_DOUBLE_EQ(load[fabric.channel(leaf, Port{4})], 0.5);
}

}  // namespace
}  // namespace banyan::tests
