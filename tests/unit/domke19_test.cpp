// The simulated part of domke19: how long rounds take, what lasts, and that addresses are chosen by size.
#include <gtest/gtest.h>

#include <set>

#include "engines/engine.hpp"
#include "flit/measure.hpp"
#include "routing/paths.hpp"
#include "study/domke19_simulated.hpp"

namespace banyan::study::domke19 {
namespace {

std::vector<Demand> one_message(u32 to, double bytes) { return {{Rank{0}, Rank{to}, bytes}}; }

// The channels that packets take on their way from one host to another.
std::set<Channel> taken(const Topology& t, const Routing& routing, u32 to, u64 bytes) {
  const MessageOptions messages{.packet_flits = 2, .flit_bytes = 128};
  const SimulationSetup setup{
      t.fabric,
      routing,
      {.lanes = routing.lanes, .buffer_flits = 8, .path_choice = PathChoice::in_message},
      messages};
  const Traffic traffic{
      .ranks = t.fabric.hosts(),
      .list = [=](u64, u64, u64,
                  std::vector<Demand>& out) { out = one_message(to, static_cast<double>(bytes)); },
      .in_bytes = true};
  const Measurement m =
      measure(setup, Workload::closed(t.fabric, traffic, place_linearly(t.fabric.hosts()), messages, 1), {});
  std::set<Channel> out;
  for (Channel c : t.fabric.channels())
    if (m.counted.channel_flits[c] > 0) out.insert(c);
  return out;
}

// As Tables 1a and 1b say; 511 bytes are small although they fill four flits of 128 as 512 do.
TEST(Domke19, TheSimulatorTakesTheAddressesOfPARXByTheSizeOfAMessage) {
  const Topology t = make_topology("HyperX(4x4; hosts=1)");
  const Routing routing = routed(t, "parx");
  u32 differ = 0;
  for (u32 to = 1; to < t.fabric.hosts(); ++to)
    for (u64 bytes : {u64{8}, u64{511}, u64{512}, u64{4096}}) {
      std::set<Channel> all;
      for (const RoutedPath& path : paths(t.fabric, routing, Nic{0}, Nic{to}, bytes))
        all.insert(path.channels.begin(), path.channels.end());
      const std::set<Channel> found = taken(t, routing, to, bytes);
      if (bytes >= 511)
        EXPECT_EQ(found, all) << to << ' ' << bytes;  // two packets or more: every address of the cell
      else
        EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end())) << to;
      if (bytes == 511) differ += found != taken(t, routing, to, 512);
    }
  EXPECT_GE(differ, 6u);  // all but those in the diagonal quadrant might
}

TEST(Domke19, ARoundTakesAsLongAsItsLastMessage) {
  const Topology t = make_topology("HyperX(2x2; hosts=2)");
  const Routing routing = routed(t, "dor");
  const Placement hosts = place_linearly(8);
  const auto cycles = [&](double bytes) {
    return (simulated_round(t.fabric, routing, one_message(2, bytes), hosts, 1e-6, 32, 1) - 1e-6) / cycle;
  };
  // Three channels of a cycle, two switches of two, and the flits behind the first.
  EXPECT_NEAR(cycles(8), 7, 1e-6);
  EXPECT_NEAR(cycles(packet_bytes), 7 + 15, 1e-6);
  EXPECT_NEAR(cycles(8 * packet_bytes), 7 + 8 * 16 - 1, 1e-6);
  // Longer than what is simulated: prolonged, which is exact where nothing is in the way.
  EXPECT_NEAR(cycles(1024 * packet_bytes), 7 + 1024 * 16 - 1, 1e-3);
}

TEST(Domke19, SevenStreamsOnACableGetASeventhEach) {
  const Topology t = make_topology("HyperX(4; hosts=7)");
  const Traffic next{.ranks = 28, .list = [](u64, u64, u64, std::vector<Demand>& out) {
                       for (u32 i = 0; i < 7; ++i) out.push_back({Rank{i}, Rank{7 + i}});
                     }};
  const auto share = [&](std::string_view engine) {
    return lasting_share(t.fabric, routed(t, engine), next, place_linearly(28), {.cycles = 20000}, 1);
  };
  EXPECT_NEAR(share("dor"), 1.0 / 7, 0.002);
  EXPECT_GT(share("dal"), 0.38);  // three cables leave the switch: 3/7 at most
  EXPECT_LT(share("dal"), 0.43);
}

TEST(Domke19, OrdersAreComparedPairByPair) {
  Beside beside{"", {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}};
  EXPECT_EQ(pairs_in_order(beside), combination_pairs);
  beside.flow = {1, 2, 3, 5, 4};
  EXPECT_EQ(pairs_in_order(beside), combination_pairs - 1);
  beside.flow = {1, 1.005, 3, 4, 5};  // equal there: no contradiction
  EXPECT_EQ(pairs_in_order(beside), combination_pairs);
  beside.flow = {1, 2, 4, 4, 5};
  EXPECT_NEAR(largest_difference(beside), -0.25, 1e-9);
}

}  // namespace
}  // namespace banyan::study::domke19
