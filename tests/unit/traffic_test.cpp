#include <gtest/gtest.h>

#include <algorithm>

#include "ask/situation.hpp"
#include "engines/engine.hpp"
#include "flow/load.hpp"
#include "traffic/pattern.hpp"
#include "traffic/placement.hpp"

namespace banyan::tests {
namespace {

std::vector<Demand> demands(std::string_view pattern, u32 ranks, u64 seed = 1, u64 sample = 0) {
  const Topology tree = make_topology("4-ary 2-tree");
  std::vector<Demand> out;
  make_traffic({tree, ranks}, pattern).list(seed, sample, 0, out);
  return out;
}

// Every round as pairs: "0>1 1>0 | 0>2 ..."
std::string rounds(std::string_view pattern, u32 ranks, std::string_view fabric = "4-ary 2-tree") {
  const Topology tree = make_topology(fabric);
  const Traffic traffic = make_traffic({tree, ranks}, pattern);
  std::string out;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    std::vector<Demand> list;
    traffic.list(1, 0, round, list);
    if (round > 0) out += " |";
    for (const Demand& d : list) out += fmt::format(" {}>{}", index(d.from), index(d.to));
  }
  return out;
}

std::string refusal(std::string_view pattern, u32 ranks, std::string_view fabric = "4-ary 2-tree") {
  try {
    rounds(pattern, ranks, fabric);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Traffic, APermutationReachesEveryRankOnce) {
  std::vector<u32> to;
  for (const Demand& demand : demands("permutation", 16)) to.push_back(index(demand.to));
  std::sort(to.begin(), to.end());
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(to[i], i);
  EXPECT_NE(demands("permutation", 16, 1, 0), demands("permutation", 16, 1, 1));
}

TEST(Traffic, AShiftGoesAroundTheEnd) {
  EXPECT_EQ(demands("shift:3", 5), (std::vector<Demand>{{Rank{0}, Rank{3}},
                                                        {Rank{1}, Rank{4}},
                                                        {Rank{2}, Rank{0}},
                                                        {Rank{3}, Rank{1}},
                                                        {Rank{4}, Rank{2}}}));
}

TEST(Traffic, ABisectionUsesEveryRankOnce) {
  std::vector<u32> seen;
  for (const Demand& demand : demands("bisection", 16)) {
    seen.push_back(index(demand.from));
    seen.push_back(index(demand.to));
  }
  std::sort(seen.begin(), seen.end());
  ASSERT_EQ(seen.size(), 16u);
  for (u32 i = 0; i < 16; ++i) EXPECT_EQ(seen[i], i);
}

TEST(Traffic, SequencesOfRounds) {
  EXPECT_EQ(rounds("all-shifts", 3), " 0>1 1>2 2>0 | 0>2 1>0 2>1");
  EXPECT_EQ(rounds("mpigraph", 3), rounds("all-shifts", 3));
  EXPECT_EQ(rounds("recursive-doubling", 4), " 0>1 1>0 2>3 3>2 | 0>2 1>3 2>0 3>1");
  // Five ranks: rank 0 is folded into rank 1 and waits.
  EXPECT_EQ(rounds("recursive-doubling", 5), " 0>1 | 1>2 2>1 3>4 4>3 | 1>3 2>4 3>1 4>2 | 1>0");
  EXPECT_EQ(rounds("ring:2", 3), " 0>1 0>2 1>2 1>0 2>0 2>1");
}

TEST(Traffic, Rearrangements) {
  EXPECT_EQ(rounds("transpose", 6), " 0>0 1>2 2>4 3>1 4>3 5>5");  // 2 rows of 3
  EXPECT_EQ(rounds("transpose:rows=3", 6), " 0>0 1>3 2>1 3>4 4>2 5>5");
  EXPECT_EQ(rounds("bit-reverse", 8), " 0>0 1>4 2>2 3>6 4>1 5>5 6>3 7>7");
  EXPECT_EQ(refusal("bit-reverse", 12), "bit-reverse: expected a power of two, not 12 ranks");
  EXPECT_EQ(rounds("bit-complement", 4), " 0>3 1>2 2>1 3>0");
  EXPECT_EQ(refusal("bit-complement", 6), "bit-complement: expected a power of two, not 6 ranks");
  EXPECT_EQ(rounds("shuffle", 8), " 0>0 1>2 2>4 3>6 4>1 5>3 6>5 7>7");
  EXPECT_EQ(rounds("shuffle", 1), " 0>0");
  EXPECT_NE(refusal("shuffle", 6), "");
  EXPECT_NE(refusal("transpose", 7), "");
  EXPECT_NE(refusal("transpose:4", 6), "");
}

TEST(Traffic, TornadoGoesAlmostHalfAround) {
  EXPECT_EQ(rounds("tornado", 5, "Torus(5)"), " 0>2 1>3 2>4 3>0 4>1");
  EXPECT_EQ(rounds("tornado", 8, "Torus(4; hosts=2)"), " 0>2 1>3 2>4 3>5 4>6 5>7 6>0 7>1");
  EXPECT_EQ(rounds("tornado", 9, "Torus(3x3)"), " 0>4 1>5 2>3 3>7 4>8 5>6 6>1 7>2 8>0");
  EXPECT_EQ(rounds("tornado", 6, "Dragonfly(1,2,1)"), " 0>2 1>3 2>4 3>5 4>0 5>1");
  EXPECT_EQ(refusal("tornado", 16), "tornado: expected a torus, a mesh, a HyperX or a Dragonfly");
}

TEST(Traffic, BadDragonflyGoesToAllHostsOfTheNextGroup) {
  const std::string once = " 0>2 0>3 1>2 1>3 2>4 2>5 3>4 3>5 4>0 4>1 5>0 5>1";
  EXPECT_EQ(rounds("bad-dragonfly", 6, "Dragonfly(1,2,1)"), once);
  EXPECT_EQ(rounds("bad-dragonfly", 6, "2 x Dragonfly(1,2,1)"), once);
  const Topology dragonfly = make_topology("Dragonfly(2,4,2)"), plus = make_topology("Dragonfly+(2,2,2,1)");
  for (const Topology* topology : {&dragonfly, &plus}) {
    const u32 n = topology->fabric.hosts(), group = topology == &dragonfly ? 8 : 4;
    std::vector<Demand> list;
    make_traffic({*topology, n}, "bad-dragonfly").list(1, 0, 0, list);
    EXPECT_EQ(list.size(), std::size_t{n} * group);
    std::vector<double> sent(n), received(n);
    for (const Demand& d : list) {
      EXPECT_EQ(index(d.to) / group, (index(d.from) / group + 1) % (n / group));
      EXPECT_EQ(d.amount, 1.0 / group);
      sent[index(d.from)] += d.amount, received[index(d.to)] += d.amount;
    }
    EXPECT_EQ(sent, std::vector<double>(n, 1));
    EXPECT_EQ(received, sent);
  }
}

TEST(Traffic, BadDragonflyFollowsTheRanksOfAHost) {
  const Topology topology = make_topology("Dragonfly(1,2,1)");
  std::vector<Demand> list;
  make_traffic({topology, 12, 2}, "bad-dragonfly").list(1, 0, 0, list);
  EXPECT_EQ(list.size(), 12u * 4);
  for (const Demand& d : list) EXPECT_EQ(index(d.to) / 4, (index(d.from) / 4 + 1) % 3);
}

TEST(Traffic, BadDragonflyNeedsGroupsAndAllTheirHosts) {
  const std::string shape = "bad-dragonfly: expected a Dragonfly or Dragonfly+ of at least two groups";
  EXPECT_EQ(refusal("bad-dragonfly", 16), shape);
  EXPECT_EQ(refusal("bad-dragonfly", 5, "Torus(5)"), shape);
  EXPECT_EQ(refusal("bad-dragonfly", 4, "Dragonfly(1,2,1; groups=1)"), shape);
  EXPECT_EQ(refusal("bad-dragonfly", 4, "Dragonfly(1,2,1)"),
            "bad-dragonfly: expected a rank on every host, 6 in all, not 4");
}

TEST(Traffic, NamesOfOtherSimulatorsAreAccepted) {
  const std::pair<std::string_view, std::string_view> names[] = {
      {"randperm", "permutation"},     {"bitrev", "bit-reverse"},      {"bitcomp", "bit-complement"},
      {"bad_dragon", "bad-dragonfly"}, {"bit_reverse", "bit-reverse"}, {"bit_complement", "bit-complement"},
      {"uniform_random", "uniform"}};
  std::size_t aliases = 0;
  for (const Pattern& pattern : patterns()) aliases += pattern.aliases.size();
  EXPECT_EQ(aliases, std::size(names));
  const auto all = patterns().names();
  for (const auto& [alias, name] : names) {
    const bool needs_groups = name == "bad-dragonfly";
    const u32 ranks = needs_groups ? 6 : 16;
    const std::string_view fabric = needs_groups ? "Dragonfly(1,2,1)" : "4-ary 2-tree";
    EXPECT_EQ(rounds(alias, ranks, fabric), rounds(name, ranks, fabric)) << alias;
    EXPECT_EQ(with_own_name(alias), name);
    EXPECT_EQ(std::count(all.begin(), all.end(), alias), 0) << alias;  // no pattern's own name
  }
  EXPECT_EQ(refusal("bitcomp", 6), refusal("bit-complement", 6));
  EXPECT_EQ(with_own_name(" bitrev :x=1"), " bit-reverse :x=1");
  EXPECT_EQ(with_own_name("shift:bitrev"), "shift:bitrev");
  EXPECT_EQ(with_own_name("neighbor"), "neighbor");
  EXPECT_EQ(with_own_name(""), "");
  EXPECT_NE(refusal("bad-dragonfli", 6).find("did you mean 'bad-dragonfly'?"), std::string::npos);
}

TEST(Traffic, JobsShowThePatternsOwnNames) {
  EXPECT_EQ(ask::with_own_names("bitcomp"), "bit-complement");
  EXPECT_EQ(ask::with_own_names("ranks=4; traffic=bitcomp | traffic= randperm ;placement=linear"),
            "ranks=4; traffic=bit-complement | traffic= permutation ;placement=linear");
  EXPECT_EQ(ask::with_own_names("ranks=4;;bitcomp; traffic=ring"), "ranks=4;;bitcomp; traffic=ring");
}

TEST(Traffic, Stencils) {
  EXPECT_EQ(rounds("neighbours:dims=3x2,periodic=0", 6),
            " 0>1 0>3 1>0 1>2 1>4 2>1 2>5 3>0 3>4 4>1 4>3 4>5 5>2 5>4");
  EXPECT_EQ(rounds("neighbours:3", 3), " 0>2 0>1 1>0 1>2 2>1 2>0");
  const auto count = [](std::string_view pattern, u32 ranks) { return demands(pattern, ranks).size(); };
  EXPECT_EQ(count("neighbours", 36), 36u * 4);
  EXPECT_EQ(count("neighbours:points=9", 36), 36u * 8);
  EXPECT_EQ(count("neighbours:points=7", 27), 27u * 6);
  EXPECT_EQ(count("neighbours:points=27", 27), 27u * 26);
  EXPECT_EQ(count("neighbours:points=27,periodic=0", 8), 8u * 7);  // a cube of corners
  EXPECT_EQ(count("neighbours:dims=3x3x3x3,points=9", 81), 81u * 8);
  EXPECT_NE(refusal("neighbours:dims=3x3", 8), "");
  EXPECT_NE(refusal("neighbours:points=6", 8), "");
  EXPECT_NE(refusal("neighbours:dims=4294967295x4294967295", 8), "");
}

TEST(Traffic, HotspotsTakeTheirShare) {
  EXPECT_EQ(rounds("hotspot", 4), " 1>0 2>0 3>0");
  EXPECT_EQ(rounds("hotspot:share=1,targets=2", 4), " 0>2 1>0 1>2 2>0 3>0 3>2");
  double to_hot = 0, sent = 0;
  for (const Demand& d : demands("hotspot:0.4", 11))
    if (index(d.from) == 3) sent += d.amount, to_hot += index(d.to) == 0 ? d.amount : 0;
  EXPECT_NEAR(sent, 1, 1e-12);
  EXPECT_NEAR(to_hot, 0.4 + 0.6 / 10, 1e-12);
  EXPECT_NE(refusal("hotspot:targets=5", 4), "");
  EXPECT_NE(refusal("hotspot:1.5", 4), "");
}

// Theorem 2 of mahapatra: d-mod-k takes port 0 at every level, from every host of the first subtree.
TEST(Traffic, TheoremTwoTakesOneCable) {
  const Topology topology = make_topology("XGFT(2; 4,64; 1,4)");
  std::vector<Demand> list;
  make_traffic({topology, 256}, "adversarial").list(0, 0, 0, list);
  ASSERT_EQ(list.size(), 4u);
  for (u32 j = 0; j < 4; ++j) EXPECT_EQ(list[j], (Demand{Rank{j}, Rank{(1 + j) * 4}}));
}

// zahavi10, section III: on the fabric of 1,944 hosts 18 flows share every leaf's up link that is used at
// all, and the hosts form one ring.
TEST(Traffic, TheAdversarialRing) {
  const Topology topology = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  std::vector<Demand> list;
  make_traffic({topology, 1944}, "adversarial:ring").list(0, 0, 0, list);
  std::vector<u32> to(1944), flows(108 * 18);
  for (const Demand& d : list) {
    to[index(d.from)] = index(d.to);
    ASSERT_NE(index(d.from) / 18, index(d.to) / 18);
    ++flows[index(d.from) / 18 * 18 + index(d.to) % 18];
  }
  EXPECT_EQ(std::count(flows.begin(), flows.end(), 18), 108);
  u32 steps = 0, at = 0;
  do at = to[at], ++steps;
  while (at != 0);
  EXPECT_EQ(steps, 1944u);
}

double heaviest(const char* notation, const char* pattern, const char* engine) {
  const Topology topology = make_topology(notation);
  const u32 hosts = topology.fabric.hosts();
  std::vector<Demand> list;
  make_traffic({topology, hosts}, pattern).list(0, 0, 0, list);
  std::vector<Flow> flows;
  append_flows(list, place_linearly(hosts), flows);
  const auto load = loads(topology.fabric, std::get<Routing>(route(topology, parse_plugin(engine))), flows);
  return *std::max_element(load.begin(), load.end());
}

// As bad as it can be: all of a subtree's traffic on one cable, W_h times what all paths would need.
TEST(Traffic, AdversariesOfDmodk) {
  EXPECT_EQ(heaviest("XGFT(2; 4,64; 1,4)", "adversarial", "dmodk"), 4);
  EXPECT_EQ(heaviest("XGFT(2; 4,64; 1,4)", "adversarial", "umulti"), 1);
  EXPECT_EQ(heaviest("XGFT(3; 2,4,64; 1,2,4)", "adversarial", "dmodk"), 8);
  EXPECT_EQ(heaviest("XGFT(3; 2,4,64; 1,2,4)", "adversarial", "umulti"), 1);
  EXPECT_EQ(heaviest("PGFT(2; 4,32; 1,2; 1,2)", "adversarial", "dmodk"), 4);  // parallel cables too
  EXPECT_EQ(heaviest("PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "adversarial:ring", "dmodk"), 18);
  EXPECT_EQ(heaviest("XGFT(2; 4,5; 1,3)", "adversarial:ring", "dmodk"), 4);  // 5 leaves, 3 up ports
}

TEST(Traffic, AdversariesNeedATree) {
  const Topology star = make_topology("XGFT(1; 8; 1)"), hyperx = make_topology("HyperX(2x2; hosts=2)");
  EXPECT_THROW(make_traffic({star, 8}, "adversarial"), InputError);
  EXPECT_THROW(make_traffic({hyperx, 8}, "adversarial:ring"), InputError);
}

TEST(Traffic, EveryPatternHasARoundAlsoForOneRankAlone) {
  const Topology tree = make_topology("4-ary 2-tree");
  for (const Pattern& pattern : patterns()) {
    if (pattern.name == "demand" || pattern.name == "adversarial" || pattern.name == "tornado" ||
        pattern.name == "bad-dragonfly")
      continue;  // need a file, all hosts, a grid, a Dragonfly
    const Traffic traffic = make_traffic({tree, 1}, pattern.name == "app" ? "app:amg" : pattern.name);
    ASSERT_GE(traffic.rounds, 1u) << pattern.name;
    std::vector<Demand> demands;
    traffic.list(1, 0, 0, demands);
    for (const Demand& demand : demands) EXPECT_EQ(demand.from, demand.to) << pattern.name;
  }
}

}  // namespace
}  // namespace banyan::tests
