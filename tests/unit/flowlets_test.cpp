// Flowlets of NICs: which packets stay together, and what pauses are worth where paths are few.
#include "flit/flowlets.hpp"

#include <gtest/gtest.h>

#include "flit/simulation.hpp"
#include "support/routed.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

using flit::Flowlets;

TEST(Flowlets, KeepTheirPathUntilAPause) {
  Flowlets flowlets(10);
  const auto choose = [&](u32 from, u32 to, u32 drawn, u64 now) {
    return flowlets.choose(Nic{from}, Nic{to}, drawn, 16, now);
  };
  EXPECT_EQ(choose(0, 1, 5, 100), 5u);
  EXPECT_EQ(choose(0, 1, 6, 110), 5u);  // from the packet before it,
  EXPECT_EQ(choose(0, 1, 7, 120), 5u);  // not from the first
  EXPECT_EQ(choose(0, 1, 8, 131), 8u);
  EXPECT_EQ(choose(0, 1, 9, 131), 8u);
}

TEST(Flowlets, AreOfOnePairEach) {
  Flowlets flowlets(10);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{1}, 5, 16, 0), 5u);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{2}, 6, 16, 1), 6u);
  EXPECT_EQ(flowlets.choose(Nic{1}, Nic{0}, 7, 16, 2), 7u);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{1}, 8, 16, 3), 5u);
}

// One host sends to one other by two paths, a packet of 4 flits every 20 cycles on average.
class TwoPaths : public testing::Test {
 protected:
  // Flits on each channel between switches that was used.
  std::vector<u64> loads(PathChoice choice, u32 gap) const {
    const Topology topology = make_topology("XGFT(2; 2,2; 1,2)");
    const Routing routing = routed(topology, "umulti");
    const MessageOptions messages{.load = 0.2, .packet_flits = 4, .message_packets = 1};
    NetworkOptions network{.path_choice = choice};
    if (choice == PathChoice::flowlet) network.flowlet_gap = gap;
    const Traffic traffic{.ranks = 4, .list = [](u64, u64, u64, std::vector<Demand>& out) {
                            out.push_back({Rank{0}, Rank{3}});
                          }};
    Simulation simulation({topology.fabric, routing, network, messages},
                          Workload::open(topology.fabric, traffic, place_linearly(4), messages, 1));
    simulation.advance(20000);
    const Tally tally = simulation.take_tally();
    std::vector<u64> out;
    for (const Channel c : topology.fabric.channels())
      if (topology.fabric.cabled(c) && topology.fabric.is_switch(topology.fabric.from(c)) &&
          topology.fabric.is_switch(topology.fabric.to(c)) && tally.channel_flits[c] > 0)
        out.push_back(tally.channel_flits[c]);
    return out;
  }
};

TEST_F(TwoPaths, AreBothTakenWherePausesAreLongerThanTheGap) {
  EXPECT_EQ(loads(PathChoice::flowlet, 0).size(), 4u);
  EXPECT_EQ(loads(PathChoice::flowlet, 40).size(), 4u);
  EXPECT_EQ(loads(PathChoice::flowlet, 1u << 20).size(), 2u);  // one flowlet, whatever it drew
}

// A gap of 0 cycles keeps nothing together: packets of one pair are never taken up in the same cycle.
TEST_F(TwoPaths, WithoutAGapAreDrawnForEachPacket) {
  EXPECT_EQ(loads(PathChoice::flowlet, 0), loads(PathChoice::random, 0));
}

TEST(Flowlets, GoOnWhereAPacketHasFewerWays) {  // as a small message may have
  Flowlets flowlets(10);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{1}, 3, 4, 0), 3u);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{1}, 0, 1, 10), 0u);
  EXPECT_EQ(flowlets.choose(Nic{0}, Nic{1}, 2, 4, 20), 0u);  // as the packet before it
}

TEST(FlowletOptions, AreRefusedElsewhere) {
  const Topology t = make_topology("XGFT(2; 2,2; 1,2)");
  const Routing routing = routed(t, "ecmp:paths=4");
  const auto check = [&](const NetworkOptions& network) { check_setup({t.fabric, routing, network, {}}); };
  EXPECT_NO_THROW(check({.path_choice = PathChoice::flowlet}));
  EXPECT_NO_THROW(check({.path_choice = PathChoice::flowlet, .flowlet_gap = 5}));
  EXPECT_THROW(check({.flowlet_gap = 5}), InputError);
  SimulationSetup rails{t.fabric, routing, {.path_choice = PathChoice::flowlet}, {}};
  rails.rails.emplace();
  EXPECT_THROW(check_setup(rails), InputError);
}

}  // namespace
}  // namespace banyan::tests
