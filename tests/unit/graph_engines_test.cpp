// The engines for any graph on fabrics with known answers.
#include <gtest/gtest.h>

#include "engines/destination_order.hpp"
#include "engines/engine.hpp"
#include "engines/port_graph.hpp"
#include "engines/roots.hpp"
#include "fabric/faults.hpp"
#include "routing/walk.hpp"
#include "support/routed.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

TEST(Dfsssp, NeedsNoMoreLanesThanOpenSm) {
  EXPECT_EQ(routed("PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "dfsssp").lanes, 1u);
  EXPECT_EQ(routed("HyperX(12x8; hosts=7)", "dfsssp").lanes, 2u);
}

// Each destination as far as can be from those before it, and among equals upwards.
TEST(Sssp, TakesDestinationsOfATorusInVanDerCorputsOrder) {
  const Topology ring = make_topology("Torus(8)"), tree = make_topology("2-ary 2-tree");
  std::vector<u32> groups;
  for (const Turn& turn : destination_order(ring, spread_graph(ring))) groups.push_back(turn.group);
  EXPECT_EQ(groups, (std::vector<u32>{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destination_order(tree, spread_graph(tree)), (std::vector<Turn>{{0, 0, 2}, {1, 0, 2}}));
  const PortGraph graph = spread_graph(ring);
  for (const Switch s : graph.switches())
    EXPECT_EQ(index(graph.ways(s).front().to), (index(s) + 1) % 8) << index(s);
}

// On a torus every switch has one host in turn, elsewhere all of them.
TEST(Sssp, TakesOneHostOfEachSwitchOfATorusAfterTheOther) {
  const auto order = [](const char* fabric) {
    const Topology t = make_topology(fabric);
    return destination_order(t, spread_graph(t));
  };
  EXPECT_EQ(order("Torus(4; hosts=2)"),
            (std::vector<Turn>{
                {0, 0, 1}, {2, 0, 1}, {1, 0, 1}, {3, 0, 1}, {0, 1, 2}, {2, 1, 2}, {1, 1, 2}, {3, 1, 2}}));
  EXPECT_EQ(order("Torus(3; hosts=2)"),
            (std::vector<Turn>{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {0, 1, 2}, {1, 1, 2}, {2, 1, 2}}));
  EXPECT_EQ(order("Mesh(4; hosts=1)"), (std::vector<Turn>{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}));
}

// All pairs: paths of half a ring go up as often as down, so no channel carries more than it must.
TEST(Sssp, SpreadsTheTiesOfTori) {
  const auto heaviest = [](const char* fabric, const char* engine) {
    const Topology t = make_topology(fabric);
    const Routing routing = routed(t, engine);
    std::vector<u32> paths(t.fabric.channels().size());
    for (const Node from : t.fabric.nic_nodes())
      for (const Node to : t.fabric.nic_nodes()) {
        if (from == to) continue;
        const Header header = routing.source.way(t.fabric.nic(from), t.fabric.nic(to), 0, 0);
        walk(t.fabric, std::get<Tables>(routing.forward), from, header, to, [&](Channel c) {
          paths[index(c)] += t.fabric.is_switch(t.fabric.from(c)) && t.fabric.is_switch(t.fabric.to(c));
        });
      }
    return *std::max_element(paths.begin(), paths.end());
  };
  for (const char* engine : {"sssp", "dfsssp"}) {
    EXPECT_EQ(heaviest("Torus(8)", engine), 8u);
    EXPECT_EQ(heaviest("Torus(8x8)", engine), 64u);
    EXPECT_EQ(heaviest("Torus(4x4x4)", engine), 32u);
    EXPECT_EQ(heaviest("Torus(8x8; hosts=2)", engine), 256u);
    EXPECT_EQ(heaviest("Torus(4x4; hosts=4)", engine), 128u);
    EXPECT_EQ(heaviest("Torus(5x5; hosts=4)", engine), 240u);  // 4 hosts to 4 hosts, 15 pairs of switches
    EXPECT_EQ(heaviest("Torus(5x7x3; hosts=2)", engine),
              360u);  // on the rings of seven: 6 * 15 pairs of switches
  }
  for (const char* fabric : {"Torus(8)", "Torus(8x8)", "Torus(4x4x4)", "Torus(8x8; hosts=2)"}) {
    const Topology t = make_topology(fabric);
    EXPECT_TRUE(judge(t.fabric, routed(t, "dfsssp")).yes()) << fabric;
  }
}

// The paper's layering, in which paths stay where they were moved, needs more.
TEST(Dfsssp, PathsMayStayInTheLaneTheyWereMovedTo) {
  EXPECT_EQ(routed("HyperX(6x6x6; hosts=2)", "dfsssp:lanes=16").lanes, 4u);
  EXPECT_EQ(routed("HyperX(6x6x6; hosts=2)", "dfsssp:lanes=16,returns=0").lanes, 5u);
  EXPECT_THROW(routed("Torus(5x5; hosts=2)", "dfsssp:returns=2"), InputError);
}

TEST(Dfsssp, RefusesWhenTheLanesDoNotSuffice) {
  EXPECT_EQ(why_not("Torus(5x5; hosts=2)", "dfsssp:lanes=1").substr(0, 22), "1 lane is not enough: ");
  EXPECT_GT(routed("Torus(5x5; hosts=2)", "dfsssp").lanes, 1u);
}

TEST(Dfsssp, LanesDependOnWhereAMessageEnters) {
  const Topology t = make_topology("Torus(5x5; hosts=2)");
  const Routing r = routed(t, "dfsssp");
  for (u32 to = 0; to < t.fabric.nics(); ++to)
    for (u32 from = 0; from < t.fabric.nics(); from += 2)
      EXPECT_EQ(r.source.way(Nic{from}, Nic{to}, 0, 0).lane, r.source.way(Nic{from + 1}, Nic{to}, 0, 0).lane);
  const Verdict verdict = judge(t.fabric, r);
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
  EXPECT_EQ(verdict.lanes, r.lanes);
  EXPECT_FALSE(judge(t.fabric, routed(t, "sssp")).deadlock_free) << "without lanes it would deadlock";
}

// NICs on two neighbouring switches of a ring enter where it is shorter, in the lane of that switch.
TEST(Dfsssp, NicsWithSeveralPorts) {
  constexpr u32 n = 7;
  FabricBuilder builder(n);
  builder.nic_ports(2);
  for (u32 s = 0; s < n; ++s) builder.add_switch(4);
  for (u32 s = 0; s < n; ++s) {
    builder.connect(Node{n + s}, Port{0}, Node{n + (s + 1) % n}, Port{1}, 0);
    builder.connect(Node{s}, Port{0}, Node{n + s}, Port{2}, 0);
    builder.connect(Node{s}, Port{1}, Node{n + (s + 1) % n}, Port{3}, 0);
  }
  const Topology t{std::move(builder).build(), Irregular{}, 1, "", ""};
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp"}) {
    const Verdict verdict = judge(t.fabric, routed(t, engine));
    EXPECT_TRUE(verdict.reachable && verdict.loop_free) << engine << verdict.counterexample;
    EXPECT_TRUE(verdict.deadlock_free || !engines::engines().at(engine).promises.deadlock_free) << engine;
  }
  EXPECT_EQ(routed(t, "dfsssp").lanes, 2u);
}

TEST(Updn, HangsATreeUpByItsTopAndOthersByTheirCentre) {
  const auto roots = [](std::string_view notation) {
    const Topology t = make_topology(notation);
    std::vector<std::string> names;
    const PortGraph graph(t.fabric);
    for (Switch root : choose_roots(graph, "auto")) names.push_back(t.fabric.name(graph.node(root)));
    return names;
  };
  const Topology tree = make_topology("PGFT(3; 2,3,2; 1,2,2; 1,1,2)");
  EXPECT_EQ(roots("PGFT(3; 2,3,2; 1,2,2; 1,1,2)").size(), std::get<Pgft>(tree.shape).switches(3));
  EXPECT_EQ(roots("Mesh(5; hosts=1)"),
            std::vector<std::string>{make_topology("Mesh(5; hosts=1)").fabric.name(Node{7})});
  EXPECT_EQ(roots("2 x HyperX(3x3)").size(), 2u) << "a root for each plane";
}

TEST(Updn, TakesRootsByName) {
  const Topology t = make_topology("Torus(4x4)");
  const std::string name = t.fabric.name(Node{t.fabric.nics() + 5});
  EXPECT_TRUE(judge(t.fabric, routed(t, "updn:roots=" + name)).yes());
  EXPECT_THROW((void)route(t, "updn:roots=nobody"), InputError);
}

// Two spines that share one leaf: leaves 0 and 2 have no common ancestor, so both spines cannot be roots.
TEST(Updn, IsCompleteWhereTheTopOfATreeIsTornApart) {
  Topology t = make_topology("XGFT(2; 2,3; 1,2)");
  const auto cable = [&](u32 leaf, u32 up) {
    return t.fabric.channel(Node{t.fabric.nics() + leaf}, Port{2 + up});
  };
  std::vector<Link> cut;
  for (Channel c : {cable(0, 1), cable(2, 0)})
    cut.push_back({std::min(c, t.fabric.reverse(c)), std::max(c, t.fabric.reverse(c))});
  t.fabric = without(t.fabric, cut);
  const Verdict verdict = judge(t.fabric, routed(t, "updn"));
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
}

TEST(GraphEngines, AddressesOfANicAreRoutedApart) {
  const Topology t = make_topology("PGFT(2; 4,4; 1,4; 1,1)");
  for (const char* engine : {"minhop:lmc=2", "updn:lmc=2", "sssp:lmc=2", "dfsssp:lmc=2"}) {
    const Routing r = routed(t, engine);
    EXPECT_EQ(r.source.count(Nic{0}, Nic{15}, 0), 4u);
    const auto& tables = std::get<Tables>(r.forward);
    std::vector<bool> used(8);
    for (u32 i = 0; i < 4; ++i) used[tables(Node{16}, address_of(Nic{15}, 2, i))] = true;
    EXPECT_EQ(used, (std::vector<bool>{0, 0, 0, 0, 1, 1, 1, 1})) << engine << ": each by another spine";
    EXPECT_TRUE(judge(t.fabric, r).yes());
  }
  EXPECT_THROW((void)route(t, "minhop:lmc=8"), InputError);
}

TEST(GraphEngines, SpreadDestinationsEvenlyOverTheTopOfATree) {
  const Topology t = make_topology("PGFT(3; 4,4,4; 1,4,4; 1,1,1)");
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp"}) {
    const auto tables = std::get<Tables>(routed(t, engine).forward);
    std::vector<u32> used(8);
    for (u32 to = 0; to < t.fabric.nics(); ++to) ++used[tables(Node{t.fabric.nics()}, Address{to})];
    for (u32 port = 4; port < 8; ++port) EXPECT_EQ(used[port], 60u / 4) << engine;
  }
}

TEST(GraphEngines, RefuseSwitchesWithTooManyPorts) {
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp"})
    EXPECT_NE(why_not("FullMesh(300)", engine).find("255 ports"), std::string::npos) << engine;
}

TEST(GraphEngines, CablesBetweenNicsNeedNoSwitch) {
  FabricBuilder builder(2);
  builder.nic_ports(2);
  builder.add_switch(2);
  builder.connect(Node{0}, Port{1}, Node{1}, Port{1}, 0);
  builder.connect(Node{0}, Port{0}, Node{2}, Port{0}, 0);
  const Topology t{std::move(builder).build(), Irregular{}, 1, "", ""};
  for (const char* engine : {"minhop", "updn", "sssp", "dfsssp"})
    EXPECT_TRUE(judge(t.fabric, routed(t, engine)).yes()) << engine;
}

}  // namespace
}  // namespace banyan::tests
