// Cost: where things stand in the hall, how long cables are, what a price list says.
#include "size/cost.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "study/prices.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

// 16 hosts, 4 leaves of 4 hosts, 4 spines: two racks of hosts with one of spines between them.
TEST(Hall, HostsFillRacksAndSpinesStandInTheMiddle) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Hall hall = furnish(tree.fabric, {.hosts_per_rack = 8, .switches_per_rack = 4});
  EXPECT_EQ(hall.racks, 3u);
  for (u32 h = 0; h < 16; ++h) EXPECT_EQ(hall.rack_of[h], h < 8 ? 0u : 2u);
  for (u32 s = 0; s < 8; ++s) EXPECT_EQ(hall.rack_of[16 + s], s >= 4 ? 1u : s < 2 ? 0u : 2u);
}

TEST(Hall, CablesRunAlongAndAcrossRows) {
  const HallOptions options{.racks_per_row = 4, .rack_pitch = 1, .row_pitch = 10, .inside = 2, .outside = 5};
  EXPECT_EQ(metres(options, 3, 3), 2);
  EXPECT_EQ(metres(options, 0, 3), 5 + 3);
  EXPECT_EQ(metres(options, 0, 4), 5 + 10);
  EXPECT_EQ(metres(options, 9, 3), 5 + 2 * 10 + 2);
}

constexpr const char* prices = R"(
currency = "CHF"
[nic]
money = 1
watts = 2
[[switches]]
ports = 36
money = 100
watts = 10
[[switches]]
ports = 8
money = 30
watts = 5
[[cables]]
class = "long"
up_to = 100
money = 7
watts = 1
[[cables]]
class = "short"
up_to = 2
money = 3
)";

TEST(Cost, AddsUpByHand) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Cost c =
      cost(tree.fabric, {.hosts_per_rack = 8, .switches_per_rack = 4}, read_prices(prices, "p.toml"));
  EXPECT_EQ(c.switches, 8u);
  EXPECT_EQ(c.switch_ports, 64u);
  EXPECT_EQ(c.ports_used, 16u + 16 + 16);           // the spines have no cables upwards
  EXPECT_EQ(c.cables, (std::vector<u64>{16, 16}));  // hosts in their rack; leaves to the spines' rack
  EXPECT_DOUBLE_EQ(c.cable_metres, 16 * 2 + 16 * (4 + 0.6));
  EXPECT_DOUBLE_EQ(c.money(), 8 * 30 + 16 * 3 + 16 * 7 + 16 * 1);
  EXPECT_DOUBLE_EQ(c.watts(), 8 * 5 + 16 * 1 + 16 * 2);
}

TEST(Cost, TellsWhatTheListDoesNotHave) {
  const PriceList list = read_prices(prices, "p.toml");
  EXPECT_EQ(list.switch_with(8).ports, 8u);
  EXPECT_EQ(list.switch_with(9).ports, 36u);
  EXPECT_THROW(list.switch_with(37), InputError);
  EXPECT_THROW(list.cable_class(100.5), InputError);
  EXPECT_THROW(furnish(make_topology("4-ary 2-tree").fabric, {.hosts_per_rack = 0}), InputError);
  EXPECT_THROW(read_prices("[nik]\nmoney = 1\n", "p.toml"), InputError);
}

TEST(Cost, TheListWithinTheProgramSaysThatItIsNobodys) { EXPECT_TRUE(open_prices("").placeholder); }

}  // namespace
}  // namespace banyan::tests
