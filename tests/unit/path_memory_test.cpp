// NICs that remember paths: what they choose, and what it is worth beside a cable that has become slow.
#include "flit/path_memory.hpp"

#include <gtest/gtest.h>

#include "ask/simulate_modes.hpp"
#include "engines/engine.hpp"
#include "flit/simulation.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

using flit::PathMemory;

constexpr u32 path_to_try = 99;

class RememberedPaths : public testing::Test {
 protected:
  u32 choose(u64 packet, u64 now) { return memory_.choose(options_, packet, path_to_try, now); }
  void acknowledge(u64 packet, u32 path, bool is_marked = false) {
    memory_.acknowledge(
        options_,
        {.due = 0, .packet = packet, .source = Nic{0}, .to = Nic{1}, .path = path, .is_marked = is_marked});
  }

  NetworkOptions options_{.path_choice = PathChoice::recycled, .path_memory = 3, .path_timeout = 100};

 private:
  PathMemory memory_;
};

TEST_F(RememberedPaths, AreTakenOnceInTheOrderOfTheirAcknowledgements) {
  EXPECT_EQ(choose(0, 0), path_to_try);
  EXPECT_EQ(choose(1, 1), path_to_try);
  acknowledge(1, 7);
  acknowledge(0, 5);
  EXPECT_EQ(choose(2, 2), 7u);
  EXPECT_EQ(choose(3, 3), 5u);
  EXPECT_EQ(choose(4, 4), path_to_try);
}

TEST_F(RememberedPaths, WithMarksAreForgotten) {
  acknowledge(0, 5, true);
  EXPECT_EQ(choose(1, 1), path_to_try);
}

TEST_F(RememberedPaths, AreSoManyAtMost) {
  for (u32 path = 0; path < 5; ++path) acknowledge(path, path);
  EXPECT_EQ(choose(9, 1), 2u);
  EXPECT_EQ(choose(10, 1), 3u);
  EXPECT_EQ(choose(11, 1), 4u);
  EXPECT_EQ(choose(12, 1), path_to_try);
}

TEST_F(RememberedPaths, AreTakenAgainWhileAnAcknowledgementIsLate) {
  EXPECT_EQ(choose(0, 0), path_to_try);
  acknowledge(8, 5);
  acknowledge(9, 6);
  EXPECT_EQ(choose(1, 10), 5u);
  EXPECT_EQ(choose(2, 20), 6u);
  EXPECT_EQ(choose(3, 100), path_to_try);  // not late yet
  EXPECT_EQ(choose(4, 101), 5u);
  EXPECT_EQ(choose(5, 150), 6u);
  for (u64 packet = 0; packet < 6; ++packet) acknowledge(packet, 0, true);
  EXPECT_EQ(choose(6, 200), 5u);  // frozen for as long as the time-out
  EXPECT_EQ(choose(7, 201), path_to_try);
}

// 4 leaves of 4 hosts and 4 spines; the cable between the first two has a tenth of the others' speed.
Fabric with_a_slow_cable() {
  FabricBuilder builder(16);
  for (u32 i = 0; i < 4; ++i) builder.add_switch(8);
  for (u32 i = 0; i < 4; ++i) builder.add_switch(4);
  const u8 fast = builder.add_class({.capacity = 1, .latency = 2});
  const u8 slow = builder.add_class({.capacity = 0.1, .latency = 2});
  for (u32 leaf = 0; leaf < 4; ++leaf)
    for (u32 i = 0; i < 4; ++i) {
      builder.connect(Node{4 * leaf + i}, Port{0}, Node{16 + leaf}, Port{i}, fast);
      builder.connect(Node{16 + leaf}, Port{4 + i}, Node{20 + i}, Port{leaf}, leaf + i == 0 ? slow : fast);
    }
  return std::move(builder).build();
}

// Flits that arrive in so many cycles with every host sending to the next leaf, at a load of 0.4.
u64 flits_with(PathChoice choice) {
  const Topology t{with_a_slow_cable(), Irregular{}};
  const Routing routing = std::get<Routing>(route(t, "ecmp:paths=32"));
  const MessageOptions messages{.load = 0.4};
  const NetworkOptions network{.buffer_flits = 200, .queueing = Queueing::voq, .path_choice = choice};
  const SimulationSetup setup{t.fabric, routing, network, messages};
  const u32 hosts = t.fabric.hosts();
  Simulation simulation(setup, Workload::open(t.fabric, make_traffic({t, hosts}, "shift:4"),
                                              place_linearly(hosts), messages, 1));
  simulation.advance(3000);
  simulation.take_tally();
  simulation.advance(6000);
  return simulation.take_tally().flits;
}

TEST(RecycledPaths, AvoidASlowCable) {
  const u64 offered = 6000 * 16 * 4 / 10;
  const u64 recycled = flits_with(PathChoice::recycled), sprayed = flits_with(PathChoice::random);
  EXPECT_GT(recycled, offered * 95 / 100);
  EXPECT_LT(sprayed, offered * 75 / 100);  // the hosts of the first leaf are held up by one cable of four
}

TEST(RecycledPaths, AreRefusedWhereSwitchesChooseAndTheirOptionsElsewhere) {
  const Topology t = make_topology("XGFT(2; 2,2; 1,2)");
  const Routing ways = std::get<Routing>(route(t, "ecmp:paths=4")),
                open = std::get<Routing>(route(t, "spray"));
  const auto check = [&](const Routing& routing, const NetworkOptions& network) {
    check_setup({t.fabric, routing, network, {}});
  };
  EXPECT_NO_THROW(check(ways, {.path_choice = PathChoice::recycled}));
  EXPECT_THROW(check(open, {.path_choice = PathChoice::recycled}), InputError);
  EXPECT_THROW(check(ways, {.path_choice = PathChoice::recycled, .path_memory = 0}), InputError);
  EXPECT_THROW(check(ways, {.mark_flits = 5}), InputError);
  EXPECT_THROW(check(ways, {.path_memory = 5}), InputError);
  EXPECT_THROW(check(ways, {.path_timeout = 5}), InputError);
}

// The same ways, but one only from the first host.
struct OneWayFromTheFirst {
  Source all;
  u32 count(Nic from, Nic to, u64 bytes) const { return index(from) == 0 ? 1 : all.count(from, to, bytes); }
  Header way(Nic from, Nic to, u64 bytes, u32 i) const { return all.way(from, to, bytes, i); }
};

TEST(RecycledPaths, AreRefusedWhereNoHostHasSeveral) {
  const Topology t = make_topology("XGFT(2; 2,2; 1,2)");
  const ask::SimulateOptions options{.network = {.path_choice = PathChoice::recycled}};
  const auto given = [](std::string_view key) { return key == "path-choice"; };
  const auto ask_for = [&](const Routing& routing) { ask::refuse_unused(options, t, routing, given); };
  Routing ways = std::get<Routing>(route(t, "ecmp:paths=4"));
  EXPECT_NO_THROW(ask_for(ways));
  EXPECT_THROW(ask_for(std::get<Routing>(route(t, "dmodk"))), InputError);
  ways.source = Source(OneWayFromTheFirst{ways.source});
  EXPECT_NO_THROW(ask_for(ways));
}

}  // namespace
}  // namespace banyan::tests
