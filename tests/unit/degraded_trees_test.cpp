// Trees as they are: what OpenSM's users expect of ftree, what limits tables, what hashing spreads.
#include <gtest/gtest.h>

#include <set>

#include "engines/dmodc.hpp"
#include "fabric/faults.hpp"
#include "routing/table_form.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

const Tables& tables(const RouteResult& result) {
  return std::get<Tables>(std::get<Routing>(result).forward);
}

Topology degraded(const char* notation, const char* fault) {
  Topology t = make_topology(notation);
  t.fabric = without(t.fabric, std::vector<std::string>{fault});
  return t;
}

// 36-port switches with six parallel cables to each root: 1,944 hosts.
constexpr const char* tree_b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";

TEST(Ftree, ChoosesAsDmodkAtTheLeaves) {
  const Topology t = make_topology(tree_b);
  const RouteResult ftree = route(t, "ftree"), dmodk = tables_of(t, std::get<Routing>(route(t, "dmodk")));
  const u32 leaves = std::get<Pgft>(t.shape).switches(1);
  for (u32 to = 0; to < t.fabric.nics(); ++to)
    for (u32 leaf = 0; leaf < leaves; ++leaf) {
      const Node v{t.fabric.nics() + leaf};
      ASSERT_EQ(tables(ftree)(v, Address{to}), tables(dmodk)(v, Address{to})) << leaf << " to " << to;
    }
}

TEST(Ftree, LeavesOneDestinationOnEachChannelDown) {
  const Topology t = make_topology(tree_b);
  EXPECT_EQ(judge(t.fabric, std::get<Routing>(route(t, "ftree"))).max_destinations_per_down_channel, 1u);
}

TEST(Dmodc, SpreadsWhatALostCableCarried) {
  const Topology whole = make_topology(tree_b), t = degraded(tree_b, "link=s1-5:20");
  const Verdict before = judge(whole.fabric, std::get<Routing>(route(whole, "dmodc")));
  const Verdict after = judge(t.fabric, std::get<Routing>(route(t, "dmodc")));
  EXPECT_TRUE(after.yes() && after.minimal);
  EXPECT_EQ(after.pairs, before.pairs);
  // 107 destinations over the 17 cables that the leaf has left, and they carry 107 or less each.
  EXPECT_EQ(before.max_destinations_per_channel, 107u);
  EXPECT_LE(after.max_destinations_per_channel, 107u + 107 / 17 + 1);
  EXPECT_LE(after.max_destinations_per_down_channel, 2u);
}

TEST(Dmodc, PuttingACableBackRestoresTheTables) {
  const Topology whole = make_topology("4-ary 3-tree"), less = degraded("4-ary 3-tree", "links=9,seed=3");
  const RouteResult first = route(whole, "dmodc"), second = route(less, "dmodc");
  EXPECT_NE(tables(first), tables(second));
  EXPECT_EQ(tables(reroute_dmodc(tables(second), less, whole, {})), tables(first));
}

TEST(Dmodc, SaysWhichPairHasNoWayUpAndDown) {
  // Two leaves that are left with one parent each, and not the same.
  Topology t = make_topology("XGFT(2; 1,3; 1,2)");
  t.fabric = without(t.fabric, std::vector<std::string>{"link=s1-0:2", "link=s1-1:3"});
  const auto why = std::get<NotApplicable>(route(t, "dmodc")).why;
  EXPECT_NE(why.find("h1 and h0 are connected"), std::string::npos) << why;
  EXPECT_EQ(std::get<NotApplicable>(route(t, "ftree")).why, why);
}

TEST(TableForm, SaysHowManyPathsFit) {
  const auto why = [](const char* fabric, const char* engine) {
    const Topology t = make_topology(fabric);
    return std::get<NotApplicable>(tables_of(t, std::get<Routing>(route(t, engine)))).why;
  };
  EXPECT_NE(why("PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "disjoint:8").find("up to 4 paths fit"),
            std::string::npos);
  EXPECT_NE(why("XGFT(2; 2,2; 1,200)", "umulti").find("up to 128 paths fit"), std::string::npos);
  EXPECT_NE(why("XGFT(3; 48,48,48; 1,1,1)", "dmodk").find("only 49151 addresses"), std::string::npos);
}

TEST(TableForm, SaysHowFarItIsFromWhatDependsOnTheSource) {
  const Topology t = make_topology("4-ary 2-tree");
  for (const char* engine : {"smodk", "random:2"}) {
    const Routing closed = std::get<Routing>(route(t, engine));
    const Routing tabled = std::get<Routing>(tables_of(t, closed));
    EXPECT_TRUE(judge(t.fabric, tabled).yes());
    const OtherPaths other = share_of_other_paths(t.fabric, closed, tabled);
    EXPECT_GT(other.share(), 0.3) << engine;
    EXPECT_LT(other.share(), 0.9) << engine;
  }
}

// Both paths of pairs that meet at the top come down by the first of two cables, so does every address.
TEST(TableForm, SharesNoAddressAmongCablesOfOneSwitch) {
  const Topology t = make_topology("PGFT(3; 2,2,2; 1,1,1; 1,2,2)");
  const Routing closed = std::get<Routing>(route(t, "shift1:2"));
  const auto tabled = [&](u32 lmc) { return std::get<Routing>(tables_of(t, closed, {49'151, lmc})); };
  EXPECT_EQ(tabled(1).lmc, 1u);
  EXPECT_GT(share_of_other_paths(t.fabric, closed, tabled(1)).different, 0u);
  EXPECT_EQ(tabled(7).lmc, 2u);
  EXPECT_EQ(share_of_other_paths(t.fabric, closed, tabled(7)).different, 0u);
  for (const char* engine : {"disjoint:2", "umulti"}) {
    const Routing other = std::get<Routing>(route(t, engine));
    EXPECT_EQ(share_of_other_paths(t.fabric, other, std::get<Routing>(tables_of(t, other))).different, 0u);
  }
}

TEST(TableForm, HoldsDimensionOrderOnAHyperX) {
  const Topology t = make_topology("2 x HyperX(3x4; hosts=2, trunk=2)");
  const Routing closed = std::get<Routing>(route(t, "dor"));
  const Routing tabled = std::get<Routing>(tables_of(t, closed));
  EXPECT_EQ(share_of_other_paths(t.fabric, closed, tabled).different, 0u);
  const Topology torus = make_topology("Torus(4x4)");
  EXPECT_TRUE(
      std::holds_alternative<NotApplicable>(tables_of(torus, std::get<Routing>(route(torus, "dor")))));
}

TEST(Ecmp, SpreadsFlowsOverAllPaths) {
  const Topology t = make_topology("4-ary 2-tree");
  const Routing r = std::get<Routing>(route(t, "ecmp:paths=64"));
  const auto& forward = std::get<HashedNextHops>(r.forward);
  const Nic from{0}, to{15};
  std::set<u32> ports;
  for (u32 i = 0; i < r.source.count(from, to, 0); ++i)
    ports.insert(index(forward.next(Node{16}, r.source.way(from, to, 0, i)).port));
  EXPECT_EQ(ports, (std::set<u32>{4, 5, 6, 7}));
}

}  // namespace
}  // namespace banyan::tests
