// Bounds and worst traffic, with the papers' numbers.
#include <gtest/gtest.h>

#include <algorithm>

#include "ask/worst_traffic.hpp"
#include "base/random.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/bound.hpp"
#include "flow/linear_program.hpp"
#include "flow/load.hpp"
#include "flow/oblivious.hpp"
#include "flow/pair_uses.hpp"
#include "flow/tree_cuts.hpp"
#include "flow/worst_permutation.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

double heaviest(const Topology& t, const Routing& r, std::span<const Flow> flows) {
  const auto load = loads(t.fabric, r, flows);
  return *std::max_element(load.begin(), load.end());
}

// The traffic in the proof of theorem 2: subtree 0 of height h - 1 sends to multiples of W_h behind it.
std::vector<Flow> theorem_2(const Pgft& tree) {
  const u32 W = static_cast<u32>(tree.W(tree.h())), M = static_cast<u32>(tree.M(tree.h() - 1));
  const u32 A = (M + W - 1) / W;
  std::vector<Flow> flows;
  for (u32 j = 0; j < M; ++j) flows.push_back({Nic{j}, Nic{(A + j) * W}});
  return flows;
}

TEST(Bound, TheoremTwoOfMahapatra) {
  const Topology t = make_topology("XGFT(3; 2,2,16; 1,2,2)");  // 64 hosts >= (A + M_2) W_3 = (1 + 4) 4
  const Pgft& tree = std::get<Pgft>(t.shape);
  const std::vector<Flow> flows = theorem_2(tree);
  const double least = TreeCuts(t).bound(flows);
  EXPECT_EQ(least, 1);
  EXPECT_EQ(heaviest(t, routed(t, "umulti"), flows), 1);
  EXPECT_EQ(heaviest(t, routed(t, "dmodk"), flows), 4);
  EXPECT_EQ(performance_ratio(4, least), tree.W(3));
}

TEST(Bound, CountsHostCablesAndCapacities) {
  const Topology t = make_topology("XGFT(2; 2,2; 1,2; capacity=4)");
  const std::vector<Flow> incast = {{Nic{0}, Nic{2}, 3}, {Nic{1}, Nic{2}, 3}, {Nic{2}, Nic{2}, 100}};
  EXPECT_EQ(TreeCuts(t).bound(incast), 6);
  EXPECT_EQ(TreeCuts(t, Measure::per_capacity).bound(incast), 1.5);
  EXPECT_EQ(TreeCuts(t).bound(std::vector<Flow>{}), 0);
  const Topology planes = make_topology("2 x XGFT(2; 2,2; 1,2)");
  EXPECT_THROW(TreeCuts(planes).bound(std::vector<Flow>{{Nic{0}, Nic{4}}}), InputError);
}

// Everyone to the host after the next: 2 channels one way round, 3 the other. Of each flow 0.6 goes the short
// way: 2 x 0.6 = 3 x 0.4.
TEST(Bound, OptimumOnARing) {
  const Topology t = make_topology("Torus(5; hosts=1)");
  std::vector<Flow> flows;
  for (u32 i = 0; i < 5; ++i) flows.push_back({Nic{i}, Nic{(i + 2) % 5}});
  const auto least = optimum(t, flows);
  ASSERT_TRUE(std::holds_alternative<double>(least));
  EXPECT_NEAR(std::get<double>(least), 1.2, 1e-9);
  EXPECT_EQ(heaviest(t, routed(t, "dor"), flows), 2);
}

TEST(Bound, OptimumSaysWhenItCannot) {
  const Topology t = make_topology("HyperX(12x8; hosts=7)");
  std::vector<Flow> flows;
  for (u32 i = 0; i < t.fabric.hosts(); ++i) flows.push_back({Nic{i}, Nic{(i + 100) % t.fabric.hosts()}});
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(optimum(t, flows, {.max_rows = 1000})));
  const Topology small = make_topology("Torus(3; hosts=1)");
  const Topology broken{without(small.fabric, std::vector<std::string>{"host=h1"}), Irregular{}};
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(optimum(broken, std::vector<Flow>{{Nic{0}, Nic{1}}})));
}

TEST(Bound, OptimumOfSwitchesWithoutACableDoesNotApply) {
  const Topology whole = make_topology("Mesh(2)");
  const Topology cut{without(whole.fabric, std::vector<std::string>{"link=s0:2"}), Irregular{}};
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(optimum(cut, std::vector<Flow>{{Nic{0}, Nic{1}}})));
}

// The adversarial ring of zahavi10: all 18 hosts of a leaf send over one of its up links.
TEST(WorstPermutation, EighteenFlowsShareALeafsUplinkInZahavisCluster) {
  const Topology t = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  for (const char* engine : {"dmodk", "ftree"}) {
    const Routing r = routed(t, engine);
    const WorstPermutation worst = flow::worst_permutation(t.fabric, r, {.threads = 2});
    EXPECT_EQ(worst.load, 18) << engine;
    EXPECT_EQ(worst.on_channel.size(), 18u);
    EXPECT_EQ(loads(t.fabric, r, worst.flows(t.fabric))[worst.channel], 18);
  }
}

// Flows that share a channel get as much together as one alone. In a leaf of the first tree two flows can
// share an up link; of the four destinations behind one in the second, one is in the leaf itself.
TEST(WorstRate, CountsTheGroupsOfFlowsThatShareAChannel) {
  const auto found = [](const char* notation, const char* engine, u32 chains) {
    const Topology t = make_topology(notation);
    return std::get<ask::WorstRateAnswer>(ask::worst_rate(t, routed(t, engine), {.chains = chains}));
  };
  const auto few = found("XGFT(2; 2,4; 1,2)", "dmodk", 2);
  EXPECT_TRUE(few.exact);
  EXPECT_EQ(few.rate, 0.5);
  EXPECT_EQ(few.max_load, 2);
  EXPECT_EQ(few.swaps, 0u);
  const auto more = found("XGFT(2; 4,4; 1,4)", "dmodk", 8);
  EXPECT_FALSE(more.exact);
  EXPECT_DOUBLE_EQ(more.rate, 0.5);
  EXPECT_GT(more.random, more.rate);
  EXPECT_EQ(more.swaps, 8u * 1600);
  EXPECT_EQ(found("XGFT(2; 4,4; 1,4)", "umulti", 3).rate, 1);
  EXPECT_EQ(found("XGFT(1; 1; 1)", "minhop", 3).permutation, std::vector<u32>{0});
}

TEST(WorstRate, SaysWhyThereIsNone) {
  const Topology large = make_topology("XGFT(2; 64,33; 1,2)");
  const auto why = [](const Topology& t) {
    return std::get<NotApplicable>(ask::worst_rate(t, routed(t, "minhop"), {})).why;
  };
  EXPECT_NE(why(large).find("at most 2048 hosts"), std::string::npos);
  Topology cut = make_topology("4-ary 2-tree");
  cut.fabric = fabric::without(cut.fabric, std::vector<std::string>{"host=h3"});
  EXPECT_NE(why(cut).find("h0 does not reach h3"), std::string::npos);
}

double oblivious(const Topology& t, std::string_view engine) {
  return std::get<ObliviousRatio>(flow::oblivious_ratio(t, routed(t, engine), {.threads = 1})).ratio;
}

// No channel above a subtree of height k carries more than W_{k+1} times its share, so W_h is also the most.
TEST(Oblivious, TheoremsOneAndTwoOfMahapatra) {
  for (const char* notation : {"XGFT(3; 2,2,16; 1,2,2)", "XGFT(2; 2,8; 1,2)", "XGFT(2; 3,12; 1,3)"}) {
    const Topology t = make_topology(notation);
    const Pgft& tree = std::get<Pgft>(t.shape);
    ASSERT_LT(index(theorem_2(tree).back().to), tree.hosts());
    EXPECT_DOUBLE_EQ(oblivious(t, "dmodk"), static_cast<double>(tree.W(tree.h()))) << notation;
    EXPECT_DOUBLE_EQ(oblivious(t, "umulti"), 1) << notation;
  }
}

// Theorem 2 also needs M_{h-1} / W_h >= M_k / W_{k+1} for every lower k. Here 2 / 4 < 1: the hosts of a leaf
// can fill no more than two of its four up links.
TEST(Oblivious, IsSmallerWhereTheConditionOfTheoremTwoFails) {
  const Topology t = make_topology("XGFT(2; 2,32; 1,4)");
  EXPECT_DOUBLE_EQ(oblivious(t, "dmodk"), 2);
}

TEST(Oblivious, EighteenOnZahavisCluster) {
  const Topology t = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  EXPECT_DOUBLE_EQ(oblivious(t, "dmodk"), 18);
}

// All up ports until the destination is below: evenly, each part adds up.
struct AdaptiveTree {
  const TreeForm& form;
  void hops(Node node, const Header& header, Hops& out) const {
    out.clear();
    const Hop down = form.next(node, header);
    const u32 up = form.tree().up_ports(1), first = form.tree().down_ports(1);
    const bool at_leaf = index(node) >= form.tree().endpoints() &&
                         form.tree().level(index(node) - form.tree().endpoints()) == 1;
    if (!at_leaf || index(down.port) < first) return out.push_back(down);
    for (u32 q = 0; q < up; ++q) out.push_back({Port{first + q}, down.lanes, down.state, down.left});
  }
};

TEST(PairUses, SharesAdaptiveTrafficEvenly) {
  const Topology t = make_topology("XGFT(2; 2,3; 1,4)");
  const Routing r = routed(t, "dmodk");
  const AdaptiveTree adaptive{std::get<TreeForm>(r.forward)};
  const WayLister lister(t.fabric, r);
  PairUses uses(lister, adaptive, 8);
  u32 between = 0;
  for (const Use& use : uses(Nic{0}, Nic{5})) {
    const bool at_host =
        !t.fabric.is_switch(t.fabric.from(use.channel)) || !t.fabric.is_switch(t.fabric.to(use.channel));
    EXPECT_EQ(use.weight, at_host ? 8u : 2u);
    between += !at_host;
  }
  EXPECT_EQ(between, 8u);
  EXPECT_EQ(uses(Nic{0}, Nic{1}).size(), 2u);
}

TEST(PairUses, WhatDoesNotArriveLoadsNothing) {
  const Topology t = make_topology("XGFT(2; 2,3; 1,1)");
  const Routing r = routed(t, "dmodk");
  const Fabric cut = without(t.fabric, std::vector<std::string>{"host=h5"});
  const WayLister lister(cut, r);
  PairUses uses(lister, std::get<TreeForm>(r.forward), 1);
  EXPECT_TRUE(uses(Nic{0}, Nic{5}).empty());
  EXPECT_EQ(uses(Nic{0}, Nic{4}).size(), 4u);
  EXPECT_EQ(flow::worst_permutation(cut, r, {.threads = 1}).load, 2);
}

TEST(WorstPermutation, CountsCapacities) {
  const Topology t = make_topology("XGFT(2; 2,3; 1,1; capacity=1/4)");
  const Routing r = routed(t, "dmodk");
  EXPECT_EQ(flow::worst_permutation(t.fabric, r).load, 2);
  const WorstPermutation worst = flow::worst_permutation(t.fabric, r, {.measure = Measure::per_capacity});
  EXPECT_EQ(worst.load, 1);  // a host's cable; that of a leaf has 2 / 4
  EXPECT_FALSE(t.fabric.is_switch(t.fabric.from(worst.channel)));
}

// In a build without Clp as well (BANYAN_CLP=OFF): what needs a linear program is not applicable, and nothing
// throws.
TEST(Optimum, IsThereWhereLinearProgramsAre) {
  const Topology t = make_topology("HyperX(3; hosts=2)");
  const Flow flow{Nic{0}, Nic{5}, 1};
  const auto found = optimum(t, std::span(&flow, 1));
  EXPECT_EQ(std::holds_alternative<double>(found), has_linear_programs());
  const auto* reason = std::get_if<NotApplicable>(&found);
  EXPECT_EQ(reason ? reason->why : no_linear_programs, no_linear_programs);
}

}  // namespace
}  // namespace banyan::tests
