// What is known of Nue and LASH on particular fabrics.
#include <gtest/gtest.h>

#include "engines/nue_search.hpp"
#include "fabric/faults.hpp"
#include "support/routed.hpp"
#include "support/shuffle.hpp"
#include "support/slow_routing_check.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

std::string refusal(std::string_view fabric, std::string_view engine) {
  const RouteResult result = route(make_topology(fabric), engine);
  const auto* refused = std::get_if<NotApplicable>(&result);
  return refused ? refused->why : "";
}

double average_path(const SlowVerdict& verdict) {
  return static_cast<double>(verdict.channels) / static_cast<double>(verdict.arrived);
}

TEST(Nue, OneLaneIsEnoughForShortestPathsInFatTreesMeshesAndHyperX) {
  for (const char* fabric : {"XGFT(3; 4,4,4; 1,4,2)", "PGFT(3; 3,3,4; 1,3,2; 1,1,2)", "HyperX(4x3; hosts=2)",
                             "HyperX(3x3x3)", "Mesh(4x4; hosts=2)", "Hypercube(5)"}) {
    const Topology topology = make_topology(fabric);
    const SlowVerdict verdict = check_slowly(topology.fabric, routed(topology, "nue"));
    EXPECT_EQ(verdict.minimal, verdict.connectable) << fabric;
    EXPECT_TRUE(verdict.acyclic) << fabric;
    EXPECT_EQ(verdict.lanes, 1u) << fabric;
  }
}

// Shortest paths around a ring need two lanes; with one, Nue makes detours.
TEST(Nue, MoreLanesShortenPaths) {
  const Topology ring = make_topology("Torus(9)");
  const SlowVerdict one = check_slowly(ring.fabric, routed(ring, "nue"));
  const SlowVerdict nine = check_slowly(ring.fabric, routed(ring, "nue:lanes=9"));
  EXPECT_EQ(one.arrived, one.connectable);
  EXPECT_LT(one.minimal, one.connectable);
  EXPECT_LT(average_path(nine), average_path(one));
  EXPECT_TRUE(one.acyclic && nine.acyclic);
}

// Keeps the property tests honest: fabrics like these do lead into dead ends.
TEST(Nue, GetsOutOfDeadEndsByBendingPathsAndByTheEscapeTree) {
  const Fabric torus = make_topology("Torus(5x5x5)").fabric;
  u64 bends = 0, escapes = 0;
  for (u64 seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const Backbone backbone(shuffled(torus, undamaged(torus), random).fabric);
    const EscapeTree tree(backbone, backbone.nics);
    AcyclicDependencies lane(backbone, backbone.natural_order());
    tree.claim(lane);
    NueSearch search(backbone);
    for (u32 n = 0; n < torus.nics(); ++n) {
      search.route(backbone.plugs(Nic{n}), lane, tree);
      for (u32 distance : search.distances()) EXPECT_NE(distance, Backbone::nothing);
    }
    bends += search.bends();
    escapes += search.escapes();
  }
  EXPECT_GT(bends, 0u);
  EXPECT_GT(escapes, 0u);
}

TEST(Nue, SpreadsTheDestinationsOfAFatTreeOverItsUpChannels) {
  const Topology tree = make_topology("XGFT(2; 4,8; 1,4)");
  const Routing routing = routed(tree, "nue");
  const Tables& tables = std::get<Tables>(routing.forward);
  const Node leaf = *tree.fabric.switch_nodes().begin();
  std::vector<u32> destinations(tree.fabric.ports(leaf));
  for (u32 a = 0; a < tables.addresses(); ++a) ++destinations[tables(leaf, Address{a})];
  EXPECT_EQ(destinations, (std::vector<u32>{1, 1, 1, 1, 7, 7, 7, 7}));
}

// Weights that count only paths gather 67 of the 216 destinations on one channel of this fabric, and 85 of
// 210 on the other.
TEST(Nue, GathersFewDestinationsOnAChannelOfADamagedFabric) {
  const auto gathered = [](std::string_view notation, const std::string& fault) {
    Topology topology = make_topology(notation);
    topology.fabric = without(topology.fabric, std::vector<std::string>{fault});
    const Verdict verdict = judge(topology.fabric, routed(topology, "nue"));
    EXPECT_TRUE(verdict.yes()) << notation;
    return verdict.max_destinations_per_channel;
  };
  EXPECT_LE(gathered("PGFT(3; 6,6,6; 1,6,6; 1,1,1)", "links=20,seed=12"), 50u);
  EXPECT_LE(gathered("HyperX(7x5; hosts=6)", "links=14,seed=11"), 70u);
}

TEST(Lash, NeedsOneLaneInFatTreesAndHyperXAndMoreInATorus) {
  const auto lanes = [](std::string_view fabric) { return routed(make_topology(fabric), "lash").lanes; };
  EXPECT_EQ(lanes("PGFT(3; 18,18,6; 1,18,3; 1,1,6)"), 1u);
  EXPECT_EQ(lanes("HyperX(12x8; hosts=7)"), 1u);
  EXPECT_EQ(lanes("Mesh(5x5)"), 1u);
  EXPECT_GT(lanes("Torus(6x6)"), 1u);
  EXPECT_EQ(refusal("Torus(6x6)", "lash:lanes=1"), "lash needs more than 1 lanes here");
}

TEST(Lash, LanesDependOnTheSwitchesOfAPairOnly) {
  const Topology torus = make_topology("Torus(6x6; hosts=2)");
  const Routing routing = routed(torus, "lash");
  for (u32 from = 0; from < torus.fabric.nics(); ++from)
    for (u32 to = 0; to < torus.fabric.nics(); ++to)
      if (from / 2 != to / 2) {
        EXPECT_EQ(routing.source.way(Nic{from}, Nic{to}, 0, 0).lane,
                  routing.source.way(Nic{from / 2 * 2}, Nic{to / 2 * 2}, 0, 0).lane);
      }
}

TEST(NueAndLash, LeaveOutWhatCannotBeConnected) {
  Topology topology = make_topology("2 x HyperX(3x3; hosts=2)");
  topology.fabric = without(topology.fabric, std::vector<std::string>{"host=h3", "links=5,seed=1"});
  for (const char* engine : {"nue", "lash"}) {
    const Routing routing = routed(topology, engine);
    const SlowVerdict verdict = check_slowly(topology.fabric, routing);
    EXPECT_EQ(verdict.connectable, 2u * 17 * 16) << engine;
    EXPECT_EQ(verdict.arrived, verdict.connectable) << engine;
    for (u8 port : std::get<Tables>(routing.forward).towards(Address{3})) EXPECT_EQ(port, Tables::no_port);
  }
}

TEST(NueAndLash, RefuseWhatTheyCannotDo) {
  EXPECT_NE(refusal("HyperX(2; hosts=255)", "nue"), "");
  EXPECT_NE(refusal("HyperX(2; hosts=255)", "lash"), "");
  const Topology ring = make_topology("Torus(4)");
  EXPECT_THROW(route(ring, "nue:lanes=0"), InputError);
  EXPECT_THROW(route(ring, "nue:lanes=17"), InputError);
  EXPECT_THROW(route(ring, "lash:lanes=0"), InputError);
  EXPECT_THROW(route(ring, "lash:lmc=8"), InputError);
}

TEST(EscapeTree, HasItsRootInTheMiddle) {
  const Topology mesh = make_topology("Mesh(5x5)");
  const Backbone backbone(mesh.fabric);
  const IdVector<Switch, double> between = betweenness(backbone, backbone.nics);
  EXPECT_EQ(std::max_element(between.begin(), between.end()) - between.begin(), 12);
  EXPECT_EQ(EscapeTree(backbone, backbone.nics).preorder().front(), Switch{12});
}

TEST(EscapeTree, LeadsFromEverySwitchToEveryOther) {
  const Topology torus = make_topology("Torus(4x3x3)");
  const Backbone backbone(torus.fabric);
  const EscapeTree tree(backbone, backbone.nics);
  AcyclicDependencies lane(backbone, backbone.natural_order());
  tree.claim(lane);
  for (Switch from : backbone.all_switches())
    for (Switch to : backbone.all_switches()) {
      Switch at = from;
      SwitchChannel held = none<SwitchChannel>;
      tree.path(from, to, [&](Switch v, SwitchChannel exit) {
        ASSERT_EQ(v, at);
        EXPECT_TRUE(held == none<SwitchChannel> || lane.is_used(held, exit));
        held = exit;
        at = backbone.to[exit];
      });
      EXPECT_EQ(at, to);
    }
}

}  // namespace
}  // namespace banyan::tests
