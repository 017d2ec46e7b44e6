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
date = "2026-01-31"
source = "an offer"
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
kind = "transceivers"
up_to = 100
money = 3
watts = 0
[[cables]]
kind = "copper"
up_to = 2
money = 3
watts = 0
[transceiver]
money = 2
watts = 0.5
date = "2026-02-01"
source = "another"
)";

TEST(Cost, AddsUpByHand) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Cost c =
      cost(tree.fabric, {.hosts_per_rack = 8, .switches_per_rack = 4}, read_prices(prices, "p.toml"));
  EXPECT_EQ(c.switches, 8u);
  EXPECT_EQ(c.switch_ports, 64u);
  EXPECT_EQ(c.ports_used, 16u + 16 + 16);           // the spines have no cables upwards
  EXPECT_EQ(c.cables, (std::vector<u64>{16, 16}));  // hosts in their rack; leaves to the spines' rack
  EXPECT_EQ(c.cables_of(CableKind::copper), 16u);
  EXPECT_EQ(c.cables_of(CableKind::active_optical), 0u);
  EXPECT_EQ(c.cables_of(CableKind::transceivers), 16u);
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

// `prices` with a text in place of another.
std::string changed(std::string_view from, std::string_view to) {
  std::string out = prices;
  const std::size_t at = out.find(from);
  EXPECT_NE(at, out.npos) << from;
  return out.replace(at, from.size(), to);
}

void expect_refused(const std::string& text, std::string_view where, std::string_view why) {
  try {
    read_prices(text, "p.toml");
    FAIL() << "not refused: " << why;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(where), what.npos) << what;
    EXPECT_NE(what.find(why), what.npos) << what;
  }
}

TEST(Prices, EveryLineHasADateAndASource) {
  const PriceList list = read_prices(prices, "p.toml");
  EXPECT_EQ(list.nics[0].date, "2026-01-31");
  EXPECT_EQ(list.nics[0].source, "an offer");
  EXPECT_EQ(list.transceivers[0].date, "2026-02-01");
  EXPECT_EQ(list.transceivers[0].source, "another");
  u32 lines = 0;
  each_offer(list, [&](const std::string&, const Offer& offer) {
    EXPECT_FALSE(offer.date.empty() || offer.source.empty());
    ++lines;
  });
  EXPECT_EQ(lines, 6u);
  expect_refused(changed("date = \"2026-01-31\"\n", ""), "p.toml:4", "expected the day");
  expect_refused(changed("2026-02-01", "2026-13-01"), "p.toml:", "expected the day");
  expect_refused(changed("source = \"an offer\"\n", ""), "p.toml:4", "without a source");
}

TEST(Prices, WithoutAUnitOrOfUnknownCablesAreRefused) {
  expect_refused(changed("currency = \"CHF\"\n", ""), "p.toml", "prices without a unit");
  expect_refused(changed("kind = \"copper\"", "kind = \"cooper\""), "p.toml:21", "unknown kind 'cooper'");
  expect_refused(changed("money = 100\n", ""), "p.toml:8", "'money' is missing");
  expect_refused(changed("money = 100", "money = \"100\""), "p.toml:10", "money must be a number");
  expect_refused(changed("[transceiver]", "[transceivers]"), "p.toml:16", "expected their price");
  expect_refused(changed("watts = 10", "watts = 10\nspeed = \"fast\""), "p.toml:12", "such as \"400G\"");
}

TEST(Prices, AreOfWhatIsFastEnough) {
  const std::string text = changed("watts = 10\n", "watts = 10\nspeed = \"400G\"\n") +
                           "[[switches]]\nports = 36\nmoney = 300\nwatts = 20\nspeed = \"800G\"\n";
  const PriceList list = read_prices(text, "p.toml");
  EXPECT_EQ(list.switch_with(36).price.money, 100);
  EXPECT_EQ(list.at_speed({50e9}).switch_with(36).price.money, 100);
  EXPECT_EQ(list.at_speed({100e9}).switch_with(36).price.money, 300);
  EXPECT_EQ(list.at_speed({100e9}).switch_with(8).price.money, 30);  // of any speed
  const std::string slow = changed("[nic]\n", "[nic]\nspeed = \"400G\"\n");
  EXPECT_THROW(read_prices(slow, "p.toml").at_speed({100e9}), InputError);
}

TEST(Cost, TheListWithinTheProgramSaysThatItIsNobodys) { EXPECT_TRUE(open_prices("").placeholder); }

}  // namespace
}  // namespace banyan::tests
