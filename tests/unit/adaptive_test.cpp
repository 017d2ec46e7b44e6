// Adaptive routings on fabrics with known answers, and what becomes of each when its lanes are taken away.
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "engines/engine.hpp"
#include "engines/middles.hpp"
#include "fabric/faults.hpp"
#include "routing/paths.hpp"
#include "routing/table_form.hpp"
#include "support/routed.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

std::vector<Hop> offered_at(const Routing& routing, Node node, const Header& header) {
  Hops out;
  std::visit([&](const auto& forward) { offered(forward, node, header, out); }, routing.forward);
  return {out.begin(), out.end()};
}

// The same forward with other lanes: lane l becomes `merged(l)`.
template <class F>
struct OtherLanes {
  const F& forward;
  u32 (*merged)(u32 lane, u32 lanes);
  u32 lanes;

  void hops(Node node, const Header& header, Hops& out) const {
    Hops original;
    offered(forward, node, header, original);
    for (Hop hop : original) {
      u32 mask = 0;
      for (u32 lane = 0; lane < lanes; ++lane)
        if (hop.lanes >> lane & 1) mask |= 1u << merged(lane, lanes);
      hop.lanes = static_cast<u16>(mask);
      out.push_back(hop);
    }
  }
};

bool deadlocks(const Topology& t, const Routing& r, u32 (*merged)(u32, u32)) {
  return std::visit(
      [&]<class F>(const F& forward) {
        const Verdict v = judge(t.fabric, OtherLanes<F>{forward, merged, r.lanes}, r.source);
        EXPECT_TRUE(v.reachable && v.loop_free) << v.counterexample;
        EXPECT_EQ(v.deadlock_free, v.counterexample.empty());
        return !v.deadlock_free && v.counterexample.find("cycle") != std::string::npos;
      },
      r.forward);
}

u32 as_they_are(u32 lane, u32) { return lane; }
u32 on_one(u32, u32) { return 0; }
u32 one_less(u32 lane, u32 lanes) { return std::min(lane, lanes - 2); }
u32 last_first(u32 lane, u32 lanes) { return lanes - 1 - lane; }

struct Discipline {
  const char *fabric, *engine;
  u32 lanes;
};

// Letters and digits only: HyperX3x3hosts2_minadaptive.
std::string name_of(const testing::TestParamInfo<Discipline>& test) {
  std::string name = test.param.fabric + std::string("_") + test.param.engine;
  std::erase_if(name, [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

class LaneDiscipline : public testing::TestWithParam<Discipline> {};

TEST_P(LaneDiscipline, IsNeededAndItsLossIsFound) {
  const Topology t = make_topology(GetParam().fabric);
  const Routing r = routed(t, GetParam().engine);
  EXPECT_EQ(r.lanes, GetParam().lanes);
  const Verdict intact = judge(t.fabric, r);
  EXPECT_TRUE(intact.yes()) << intact.counterexample;
  EXPECT_EQ(intact.lanes, r.lanes);
  EXPECT_TRUE(recheck(*intact.certificate, t.fabric, r));
  EXPECT_FALSE(deadlocks(t, r, as_they_are));
  EXPECT_FALSE(deadlocks(t, r, last_first)) << "names do not matter";
  EXPECT_TRUE(deadlocks(t, r, on_one));
  EXPECT_TRUE(deadlocks(t, r, one_less));
}

INSTANTIATE_TEST_SUITE_P(
    Adaptive, LaneDiscipline,
    testing::Values(Discipline{"HyperX(3x3; hosts=2)", "minadaptive", 2},
                    Discipline{"HyperX(3x2x3; trunk=2)", "minadaptive", 3},
                    Discipline{"HyperX(3x3; hosts=2)", "valiant", 2},
                    Discipline{"HyperX(4x3x2)", "valiant", 2}, Discipline{"HyperX(3x3; hosts=2)", "ugal", 2},
                    Discipline{"HyperX(2x3x2)", "ugal", 2}, Discipline{"HyperX(4)", "dal", 2},
                    Discipline{"HyperX(3x3; hosts=2)", "dal", 4}, Discipline{"HyperX(3x3x3)", "dal", 6},
                    Discipline{"Dragonfly(1,3,1)", "minadaptive", 2},
                    Discipline{"Dragonfly(1,3,1)", "valiant", 3}, Discipline{"Dragonfly(2,4,2)", "ugal", 3},
                    Discipline{"Torus(5x4; hosts=2)", "dor", 2},
                    Discipline{"Torus(4x4)", "spray:lanes=16", 4}, Discipline{"Torus(4x4)", "minadaptive", 4},
                    Discipline{"SlimFly(3)", "valiant", 4}, Discipline{"SlimFly(3)", "ugal", 4},
                    Discipline{"PolarStar(2,5; hosts=1)", "valiant", 6},
                    Discipline{"Jellyfish(16,3; hosts=2, seed=3)", "spray:lanes=16", 4}),
    name_of);

// Layers that engines for any graph find: merged into one they wait in circles.
TEST(Layers, AreNeededAndTheirLossIsFound) {
  const Topology t = make_topology("Torus(5x5; hosts=2)");
  for (const char* engine : {"dfsssp", "lash", "nue:lanes=4"}) {
    const Routing r = routed(t, engine);
    EXPECT_GT(r.lanes, 1u) << engine;
    EXPECT_TRUE(judge(t.fabric, r).yes()) << engine;
    const Verdict merged = judge(t.fabric, Routing{r.forward, Source(TableWays{})});
    EXPECT_FALSE(merged.deadlock_free) << engine;
    EXPECT_NE(merged.counterexample.find("cycle"), std::string::npos) << engine;
  }
}

TEST(Adaptive, TakesEveryUpPortAndEveryParallelCableDown) {
  const Topology t = make_topology("PGFT(2; 4,4; 1,2; 1,2)");  // 16 hosts, leaves 16-19, spines 20-21
  const Routing r = routed(t, "adaptive");
  const Header header = r.source.way(Nic{0}, Nic{13}, 0, 0);
  EXPECT_EQ(offered_at(r, Node{0}, header), (std::vector<Hop>{{Port{0}, 1, 0, 3}}));
  EXPECT_EQ(
      offered_at(r, Node{16}, header),
      (std::vector<Hop>{{Port{4}, 1, 0, 2}, {Port{5}, 1, 0, 2}, {Port{6}, 1, 0, 2}, {Port{7}, 1, 0, 2}}));
  EXPECT_EQ(offered_at(r, Node{20}, header), (std::vector<Hop>{{Port{3}, 1, 0, 1}, {Port{7}, 1, 0, 1}}));
  EXPECT_EQ(offered_at(r, Node{19}, header), (std::vector<Hop>{{Port{1}, 1, 0, 0}}));
  EXPECT_EQ(paths(t.fabric, r, Nic{0}, Nic{13}).size(), 8u);
}

// Where leaf 0 cannot reach a spine any more from which the destination is below, it offers the others.
TEST(Adaptive, LeavesOutWhatDoesNotLeadThere) {
  Topology t = make_topology("4-ary 2-tree");  // leaves 16-19, spines 20-23
  t.fabric = without(t.fabric, std::vector<std::string>{"link=s2-1:4", "link=s1-0:5"});
  const Routing r = routed(t, "adaptive");
  std::set<u32> ports;
  for (const Hop& hop : offered_at(r, Node{16}, r.source.way(Nic{0}, Nic{13}, 0, 0)))
    ports.insert(index(hop.port));
  EXPECT_EQ(ports, (std::set<u32>{6, 7})) << "port 4 is empty, and the spine behind 5 has lost leaf 3";
  EXPECT_TRUE(judge(t.fabric, r).yes());
}

TEST(Ugal, IsOfferedBothWaysAtTheFirstSwitchOnly) {
  const Topology t = make_topology("HyperX(4x4)");  // switches 16-31, host i at switch i; from 0 to 5 by 15
  const Routing r = routed(t, "ugal");
  Header header = r.source.way(Nic{0}, Nic{5}, 0, 0);
  header.tag = 15;
  const auto port = [&](u32 v, u32 w) {
    for (Channel c : t.fabric.channels(Node{16 + v}))
      if (t.fabric.to(c) == Node{16 + w}) return t.fabric.port(c);
    return none<Port>;
  };
  const auto first = offered_at(r, Node{16}, header);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0], (Hop{port(0, 1), 1, Detour::to_goal(0), 2}));
  EXPECT_EQ(first[1], (Hop{port(0, 1), 2, Detour::to_goal(1), 2}));
  EXPECT_EQ(first[2], (Hop{port(0, 3), 1, Detour::to_middle, 4}));
  header.state = Detour::to_middle;
  EXPECT_EQ(offered_at(r, Node{16 + 3}, header), (std::vector<Hop>{{port(3, 15), 1, Detour::to_middle, 3}}));
  EXPECT_EQ(offered_at(r, Node{16 + 15}, header),
            (std::vector<Hop>{{port(15, 13), 2, Detour::to_goal(1), 2}}));
  header.state = Detour::to_goal(0);
  EXPECT_EQ(offered_at(r, Node{16 + 1}, header), (std::vector<Hop>{{port(1, 5), 1, Detour::to_goal(0), 1}}));
}

TEST(Valiant, HasAWayByEveryMiddleInAnOrderOfItsOwn) {
  const Topology t = make_topology("HyperX(4x3; hosts=2)");
  const Routing r = routed(t, "valiant");
  EXPECT_EQ(r.source.count(Nic{0}, Nic{1}, 0), 1u) << "one switch";
  std::set<u64> firsts;
  for (u32 to = 2; to < 24; ++to) {
    ASSERT_EQ(r.source.count(Nic{0}, Nic{to}, 0), 12u);
    std::set<u64> middles;
    for (u32 i = 0; i < 12; ++i) middles.insert(r.source.way(Nic{0}, Nic{to}, 0, i).tag);
    EXPECT_EQ(middles.size(), 12u);
    firsts.insert(r.source.way(Nic{0}, Nic{to}, 0, 0).tag);
  }
  EXPECT_GT(firsts.size(), 6u);
  EXPECT_NE(r.source.way(Nic{0}, Nic{9}, 0, 0), routed(t, "valiant:seed=4").source.way(Nic{0}, Nic{9}, 0, 0));
}

TEST(Valiant, CrossesTwoGlobalCablesOfADragonfly) {
  const Topology t = make_topology("Dragonfly(1,4,1)");  // five groups of four, one cable between two of them
  const Routing r = routed(t, "valiant");
  const auto group = [&](Node v) { return (index(v) - t.fabric.nics()) / 4; };
  for (const RoutedPath& path : paths(t.fabric, r, Nic{0}, Nic{19})) {
    u32 crossed = 0;
    for (Channel c : path.channels)
      if (t.fabric.is_switch(t.fabric.from(c)) && t.fabric.is_switch(t.fabric.to(c)))
        crossed += group(t.fabric.from(c)) != group(t.fabric.to(c));
    const u64 middle = r.source.way(Nic{0}, Nic{19}, 0, path.way).tag;
    EXPECT_EQ(crossed, middle == 0 || middle == 4 ? 1u : 2u);
  }
}

// A forward that knows nothing of tables is asked at every switch, for every address.
TEST(TableForm, OfAnyDeterministicForwardAsksItEverywhere) {
  struct Cables {  // way i takes the i-th cable of a trunk
    Reads sees;
    u32 count(Nic, Nic, u64) const { return 3; }
    Header way(Nic, Nic to, u64, u32 i) const { return {.to = address_of(to), .tag = i}; }
    Reads reads() const { return sees; }
  };
  const Topology t = make_topology("2 x HyperX(3x2; trunk=3, hosts=2)");
  const Routing form{std::get<Routing>(route(t, "dor")).forward, Source(Cables{Reads::nothing})};
  const Routing tables = std::get<Routing>(tables_of(t, form));
  EXPECT_EQ(tables.lmc, 2u);
  const OtherPaths others = share_of_other_paths(t.fabric, form, tables);
  EXPECT_EQ(others.compared, 2u * 12 * 11 * 3);
  EXPECT_EQ(others.different, 0u);
  EXPECT_TRUE(judge(t.fabric, tables).yes());
  const Routing by_source{form.forward, Source(Cables{Reads::attachment})};
  EXPECT_EQ(std::get<NotApplicable>(tables_of(t, by_source)).why,
            "the way depends on the source; tables cannot say that");
  const Topology torus = make_topology("Torus(4)");
  const Routing crossing{std::get<Routing>(route(torus, "dor")).forward, Source(Cables{Reads::nothing})};
  EXPECT_EQ(std::get<NotApplicable>(tables_of(torus, crossing)).why,
            "the header changes on the way; tables cannot say that");
}

// Also where a detour by two global cables is shorter than the direct way.
TEST(DragonflyDetours, SayAtTheNicHowFarItIsByWhatTheFirstSwitchOffers) {
  const Topology t = make_topology("Dragonfly(2,4,2)");
  for (const char* engine : {"minadaptive", "valiant", "ugal"}) {
    const Routing r = routed(t, engine);
    for (u32 from = 0; from < t.fabric.nics(); ++from)
      for (u32 to = 0; to < t.fabric.nics(); ++to)
        for (u32 i = 0; from != to && i < r.source.count(Nic{from}, Nic{to}, 0); ++i) {
          const Header header = r.source.way(Nic{from}, Nic{to}, 0, i);
          u32 left = ~u32{0};
          for (const Hop& hop : offered_at(r, t.fabric.to(t.fabric.channel(Node{from}, Port{0})), header))
            left = std::min(left, hop.left + 1u);
          ASSERT_EQ(offered_at(r, Node{from}, header)[0].left, left) << engine << " " << from << " " << to;
        }
  }
}

TEST(AdaptiveEngines, GoByWayOfSwitchesOnly) {
  FabricBuilder builder(2);
  builder.connect(Node{0}, Port{0}, Node{1}, Port{0}, builder.add_class({}));
  const Topology pair{std::move(builder).build(), Irregular{}};
  for (const char* engine : {"valiant", "ugal"}) {
    const RouteResult found = engines::route(pair, engine);
    ASSERT_TRUE(std::holds_alternative<NotApplicable>(found)) << engine;
    EXPECT_NE(std::get<NotApplicable>(found).why.find("h0 is cabled to h1"), std::string::npos);
  }
}

TEST(AdaptiveEngines, SayWhyTheyDoNotApply) {
  EXPECT_EQ(why_not("HyperX(3x3)", "adaptive"), "adaptive needs a fat-tree, complete or not");
  EXPECT_NE(why_not("4-ary 2-tree", "minadaptive").find("'adaptive'"), std::string::npos);
  EXPECT_NE(why_not("Torus(20x20)", "polarized").find("at most 16 lanes"), std::string::npos);
  EXPECT_EQ(why_not("Dragonfly(1,2,1)", "dal"), "dal needs a HyperX");
  EXPECT_NE(why_not("4-ary 2-tree", "valiant").find("'random'"), std::string::npos);
  EXPECT_EQ(why_not("FullMesh(600)", "dal"), "dal chooses among up to 512 ports; s0 has 600");
  EXPECT_EQ(why_not("HyperX(2x2x2x2x2x2x2x2x2)", "dal"), "dal handles up to 8 dimensions");
  EXPECT_NE(why_not("Torus(9x9)", "spray:lanes=4").find("up to 8 channels"), std::string::npos);
}

Topology without_cables(std::string_view fabric, std::string faults) {
  Topology out = make_topology(fabric);
  out.fabric = without(out.fabric, std::vector<std::string>{std::move(faults)});
  return out;
}

TEST(AdaptiveEngines, RouteAHyperXWithoutSomeCablesOnAsManyLanes) {
  for (const char* faults : {"links=15,seed=1", "links=60,seed=2"}) {
    const Topology t = without_cables("HyperX(12x8)", faults);
    for (const auto& [engine, lanes] : {std::pair{"dal", 4u}, {"ugal", 2u}, {"valiant", 2u}}) {
      const Routing routing = routed(t, engine);
      EXPECT_EQ(routing.lanes, lanes);
      const Verdict verdict = judge(t.fabric, routing, {.threads = 1});
      EXPECT_TRUE(verdict.yes()) << engine << ' ' << faults;
      EXPECT_LE(verdict.lanes, lanes);
    }
  }
}

// By shortest hops and any switch with hosts as the middle, with a lane for each hop.
TEST(AdaptiveEngines, RouteAnyGraphButTrees) {
  for (const char* fabric :
       {"Dragonfly(2,4,2)", "Dragonfly+(2,3,3,1)", "Torus(4x4)", "Mesh(3x3)", "SlimFly(3; hosts=2)",
        "PolarFly(2)", "Jellyfish(16,3; hosts=2, seed=3)", "2 x SlimFly(3; hosts=1)"})
    for (const char* faults : {"links=0", "links=2,seed=1"}) {
      const Topology t = without_cables(fabric, faults);
      for (const char* engine : {"minadaptive", "valiant", "ugal"}) {
        const Routing routing = routed(t, engine);
        const Verdict verdict = judge(t.fabric, routing, {.threads = 1});
        EXPECT_TRUE(verdict.yes()) << engine << ' ' << fabric << ' ' << faults << verdict.counterexample;
        EXPECT_EQ(verdict.lanes, routing.lanes) << engine << ' ' << fabric << ' ' << faults;
      }
    }
}

// Hosts that missing cables part from all others do not stop the rest.
TEST(AdaptiveEngines, RouteWhatIsLeftOfAGraph) {
  const Topology t = without_cables("SlimFly(3; hosts=2)", "switch=s4");
  const Verdict verdict = judge(t.fabric, routed(t, "ugal"), {.threads = 1});
  EXPECT_TRUE(verdict.yes()) << verdict.counterexample;
  EXPECT_EQ(verdict.disconnected_pairs, 2u * (2 * 34 + 1));
}

// A packet that meets its destination on the way to its middle does not go on, in a graph without a shape.
TEST(Valiant, StopsWhereItPassesItsDestination) {
  const Topology t{make_topology("Mesh(4)").fabric, Irregular{}};
  const Routing r = routed(t, "valiant");
  for (u32 i = 0; i < 4; ++i) {
    const auto found = paths(t.fabric, r, Nic{0}, Nic{1});
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[i].channels.size(), 3u);  // whichever end is the middle: 1, 2 and 3 lie behind, 0 before
  }
}

TEST(AdaptiveEngines, NameTwoSwitchesThatMissingCablesPart) {
  const Topology pair = without_cables("HyperX(2x2)", "links=1,seed=1");
  EXPECT_NE(std::get<NotApplicable>(route(pair, "dal")).why.find("dal has no way from s"), std::string::npos);
  const Topology hostless = without_cables("HyperX(3x3)", "host=h4");
  EXPECT_NE(std::get<NotApplicable>(route(hostless, "dal")).why.find("h4 has none"), std::string::npos);
  EXPECT_TRUE(judge(hostless.fabric, routed(hostless, "ugal"), {.threads = 1}).yes());
}

// Where the straight way lacks a cable, a packet is offered its middle only.
TEST(Ugal, GoesByAMiddleWhereTheStraightWayIsBroken) {
  Topology t = make_topology("HyperX(4)");
  std::vector<Link> between;
  t.fabric.each_link([&](Link link) {
    if (t.fabric.to(link.b) == Node{4} && t.fabric.to(link.a) == Node{5}) between.push_back(link);
  });
  ASSERT_EQ(between.size(), 1u);  // of the first two switches
  t.fabric = without(t.fabric, between);
  const Routing ugal = routed(t, "ugal");
  EXPECT_EQ(ugal.source.count(Nic{0}, Nic{1}, 0), 2u);  // by s2 and s3
  for (const RoutedPath& path : paths(t.fabric, ugal, Nic{0}, Nic{1})) {
    EXPECT_TRUE(path.arrives);
    EXPECT_EQ(path.channels.size(), 4u);
  }
}

TEST(AdaptiveEngines, HaveNoTables) {
  for (const auto& [fabric, engine] :
       {std::pair{"4-ary 2-tree", "adaptive"}, {"HyperX(3x3)", "dal"}, {"HyperX(3x3)", "valiant"}}) {
    const Topology t = make_topology(fabric);
    EXPECT_EQ(std::get<NotApplicable>(tables_of(t, routed(t, engine))).why,
              "switches choose among several ports; tables cannot say that");
  }
}

// Drawing them all beforehand changes no middle; of many hosts they are drawn one by one.
TEST(Middles, AreTheSameDrawnAtOnce) {
  const engines::Middles one_by_one{24, 3, 8, Detour::undecided, 5}, at_once = one_by_one.drawn_at_once();
  EXPECT_EQ(one_by_one.first, nullptr);
  ASSERT_NE(at_once.first, nullptr);
  for (const Nic from : IdRange<Nic>(24))
    for (const Nic to : IdRange<Nic>(48))  // of two planes
      for (u32 i = 0; i < 8; ++i) EXPECT_EQ(at_once.way(from, to, 0, i), one_by_one.way(from, to, 0, i));
  const engines::Middles many{4096, 4, 1024, Detour::undecided, 5};
  EXPECT_EQ(many.drawn_at_once().first, nullptr);
}

}  // namespace
}  // namespace banyan::tests
