// Fabrics seen from afar: what is too small to see is put together, and nothing is lost.
#include "topology/map/overview.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "topology/family.hpp"

namespace banyan::tests {
namespace {

Overview seen_on_a_page(const Topology& t) { return overview(t, fabric_map(t), 1000, 800); }

std::vector<std::string> notations() {
  std::vector<std::string> out = {"PGFT(3; 18,18,6; 1,18,3; 1,1,6)",
                                  "PGFT(3; 18,18,36; 1,18,18; 1,1,1)",
                                  "XGFT(1; 4; 1)",
                                  "XGFT(2; 4,4; 2,4)",
                                  "2 x XGFT(2; 4,4; 1,4)",
                                  "HyperX(64x64)"};
  for (const Family& family : families()) out.emplace_back(family.example);
  return out;
}

TEST(Overview, EveryCableIsSeenAsOneThatJoinsTheSamePlaces) {
  for (const std::string& notation : notations()) {
    SCOPED_TRACE(notation);
    const Topology t = make_topology(notation);
    const Overview seen = seen_on_a_page(t);
    EXPECT_EQ(std::accumulate(seen.cables.begin(), seen.cables.end(), 0u), t.fabric.links());
    EXPECT_EQ(seen.cables.size(), seen.fabric.links());
    for (const Channel c : t.fabric.channels()) {
      ASSERT_EQ(seen.seen_as[c] != none<Channel>, t.fabric.cabled(c));
      if (!t.fabric.cabled(c)) continue;
      EXPECT_EQ(seen.fabric.reverse(seen.seen_as[c]), seen.seen_as[t.fabric.reverse(c)]);
    }
  }
}

TEST(Overview, WhatIsLargeEnoughIsSeenAsItIs) {
  const Topology t = make_topology("XGFT(2; 4,4; 1,4)");
  const Overview seen = seen_on_a_page(t);
  EXPECT_EQ(seen.fabric.hosts(), t.fabric.hosts());
  for (const Node node : t.fabric.nodes()) EXPECT_EQ(seen.fabric.name(node), t.fabric.name(node));
  for (const Channel c : t.fabric.channels())
    EXPECT_EQ(seen.fabric.port_label(seen.seen_as[c]), t.fabric.port_label(c));
}

TEST(Overview, ALargeFabricIsAFewThings) {
  const Topology t = make_topology("PGFT(3; 18,18,36; 1,18,18; 1,1,1)");
  const Overview seen = seen_on_a_page(t);
  EXPECT_EQ(seen.fabric.hosts(), 0u);
  EXPECT_LE(seen.fabric.nodes().size(), 500u);
  EXPECT_EQ(seen.map.levels[0].nodes, 11664u);
}

TEST(Overview, ALoadIsThatOfTheHeaviestChannel) {
  const Topology t = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  const Overview seen = seen_on_a_page(t);
  IdVector<Channel, double> load(t.fabric.channels().size());
  for (const Channel c : load.ids()) load[c] = index(c) % 7;
  const std::vector<double> most = heaviest(seen, load);
  for (const Channel c : load.ids())
    if (t.fabric.cabled(c)) {
      EXPECT_GE(most[index(seen.seen_as[c])], load[c]);
    }
}

TEST(Overview, MissingCablesAreCountedAndMoveNothing) {
  for (const char* notation : {"4-ary 3-tree", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "HyperX(4x3; hosts=2)"}) {
    Topology t = make_topology(notation);
    const Overview whole = seen_on_a_page(t);
    std::vector<Link> gone;
    t.fabric.each_link([&](const Link& link) {
      if (gone.size() < 5 && t.fabric.is_switch(t.fabric.from(link.a))) gone.push_back(link);
    });
    t.fabric = without(t.fabric, gone);
    const Overview seen = seen_on_a_page(t);
    EXPECT_EQ(seen.fabric, whole.fabric);
    EXPECT_EQ(seen.cables, whole.cables);
    const std::vector<u32> missing = missing_cables(seen, t.fabric);
    EXPECT_EQ(std::accumulate(missing.begin(), missing.end(), 0u), 5u);
  }
}

}  // namespace
}  // namespace banyan::tests
