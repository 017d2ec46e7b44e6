#include "flow/rates.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engines/engine.hpp"
#include "flow/flow_lister.hpp"
#include "flow/load.hpp"
#include "support/plain_rates.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

Flow flow(u32 from, u32 to) { return {Nic{from}, Nic{to}}; }

TEST(Rates, AFlowAloneGetsTheLinkOrWhatItsHostCanDo) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Routing dmodk = routed(tree, "dmodk");
  EXPECT_EQ(rates(tree.fabric, dmodk, std::vector{flow(0, 15)}), (std::vector{1.0}));
  EXPECT_EQ(rates(tree.fabric, dmodk, std::vector{flow(0, 15)}, {.link = 4000, .host = 3250}),
            (std::vector{3250.0}));
}

// Hosts 0 and 1 share the way to 4 and 8, which have the same residue; 4 also receives from 5.
TEST(Rates, WhatOneFlowCannotUseGoesToTheOthers) {
  const Topology tree = make_topology("4-ary 2-tree");
  const std::vector flows = {flow(0, 4), flow(1, 8), flow(5, 4), flow(6, 4)};
  const Routing dmodk = routed(tree, "dmodk");
  const double third = 1.0 / 3;
  const auto fair = rates(tree.fabric, dmodk, flows);
  EXPECT_DOUBLE_EQ(fair[0], third);
  EXPECT_DOUBLE_EQ(fair[1], 1 - third);
  const auto contended = rates(tree.fabric, dmodk, flows, {.model = RateModel::contention});
  EXPECT_DOUBLE_EQ(contended[0], third);
  EXPECT_DOUBLE_EQ(contended[1], 0.5);
}

TEST(Rates, AFlowThatWantsLittleLeavesTheRest) {
  const Topology tree = make_topology("4-ary 2-tree");
  const std::vector flows = {flow(0, 4), flow(1, 8), flow(2, 12)};
  RateSolver solver(tree.fabric, {});
  const Incidence listed = incidence(tree.fabric, routed(tree, "dmodk"), flows);
  const std::vector<double> maximum = {0.1, 1, 1};
  const auto found = solver.solve(listed, maximum);
  EXPECT_DOUBLE_EQ(found[0], 0.1);
  EXPECT_DOUBLE_EQ(found[1], 0.45);
  EXPECT_DOUBLE_EQ(found[2], 0.45);
}

TEST(Rates, SeveralWaysShareWhatOneWouldFill) {
  const Topology tree = make_topology("4-ary 2-tree");
  const std::vector flows = {flow(0, 4), flow(1, 8), flow(2, 12)};
  EXPECT_EQ(rates(tree.fabric, routed(tree, "umulti"), flows), (std::vector<double>(3, 1.0)));
  const auto two = rates(tree.fabric, routed(tree, "disjoint:paths=2"), flows);
  for (const double rate : two) EXPECT_DOUBLE_EQ(rate, 2.0 / 3);
}

// With two ports a NIC could fill two links, but the host behind it cannot.
TEST(Rates, PortsOfANicShareTheHostsLimit) {
  const Topology tree = make_topology("XGFT(2; 4,4; 2,2)");
  const Routing all = routed(tree, "umulti");
  EXPECT_EQ(rates(tree.fabric, all, std::vector{flow(0, 15)}), (std::vector{2.0}));
  EXPECT_EQ(rates(tree.fabric, all, std::vector{flow(0, 15)}, {.host = 1.5}), (std::vector{1.5}));
  EXPECT_EQ(rates(tree.fabric, all, std::vector{flow(0, 15), flow(0, 11)}, {.host = 1.5}),
            (std::vector{0.75, 0.75}));
}

TEST(Rates, AHostThatSendsToItselfIsNotLimited) {
  const Topology tree = make_topology("4-ary 2-tree");
  const auto found = rates(tree.fabric, routed(tree, "dmodk"), std::vector{flow(3, 3), flow(3, 4)});
  EXPECT_EQ(found, (std::vector{std::numeric_limits<double>::infinity(), 1.0}));
}

TEST(Rates, BadCapacitiesAreRefused) {
  const Topology tree = make_topology("4-ary 2-tree");
  EXPECT_THROW(RateSolver(tree.fabric, {.link = 0}), InputError);
  EXPECT_THROW(RateSolver(tree.fabric, {.host = -1}), InputError);
}

TEST(Rates, ModelsAreWrittenLikePlugins) {
  const RateOptions plain = read_rate_options("max-min");
  EXPECT_EQ(plain.model, RateModel::max_min);
  EXPECT_EQ(plain.host, std::numeric_limits<double>::infinity());
  const RateOptions given = read_rate_options("contention:link=4000,host=3250");
  EXPECT_EQ(given.model, RateModel::contention);
  EXPECT_EQ(given.link, 4000);
  EXPECT_EQ(given.host, 3250);
  EXPECT_THROW(read_rate_options("maxmin"), InputError);
  EXPECT_THROW(read_rate_options("max-min:lnk=1"), InputError);
}

TEST(Incidence, ListsPathsWithTheirShares) {
  const Topology tree = make_topology("XGFT(3; 4,4,4; 1,4,2)");
  const std::vector flows = {flow(0, 63), flow(5, 5), flow(0, 1)};
  const Incidence one = incidence(tree.fabric, routed(tree, "dmodk"), flows);
  EXPECT_EQ(one.hops, (std::vector<u32>{6, 0, 2}));
  EXPECT_EQ(one.channels_of(0).size(), 6u);
  EXPECT_TRUE(one.channels_of(1).empty());
  const Incidence eight = incidence(tree.fabric, routed(tree, "umulti"), flows);
  EXPECT_EQ(eight.channels_of(0).size(), 2u + 2 * 4 + 2 * 8);
  EXPECT_EQ(eight.shares_of(0).front(), 1);
  Incidence last;
  select(eight, std::vector<u32>{2, 0}, last);
  EXPECT_EQ(last.hops, (std::vector<u32>{2, 6}));
  EXPECT_EQ(last.channels_of(1).size(), eight.channels_of(0).size());
}

// Demands that are not in bytes are those of long messages: parx sends short ones by other ways.
TEST(Incidence, OfDemandsThatAreNotInBytesIsThatOfLongMessages) {
  const Topology grid = make_topology("HyperX(4x4; hosts=2)");
  const Routing routing = routed(grid, "parx");
  bool do_sizes_differ = false;
  for (u32 to = 1; to < grid.fabric.hosts(); ++to) {
    const std::vector flows = {flow(0, to)};
    std::map<Channel, double> expected, found;
    for (const RoutedPath& path : paths(grid.fabric, routing, Nic{0}, Nic{to}, long_message))
      for (const Channel c : path.channels) expected[c] += path.weight;
    const Incidence listed = incidence(grid.fabric, routing, flows);
    for (std::size_t i = 0; i < listed.channels.size(); ++i) found[listed.channels[i]] += listed.shares[i];
    EXPECT_EQ(found, expected);
    const Incidence small = incidence(grid.fabric, routing, flows, Demands::bytes);
    do_sizes_differ |= small.channels != listed.channels;
    const RateOptions options;
    EXPECT_EQ(rates(grid.fabric, routing, flows, options),
              PlainRates(grid.fabric, routing, flows, options, {}).max_min());
  }
  EXPECT_TRUE(do_sizes_differ);
}

TEST(Incidence, SumsToTheLoads) {
  const Topology grid = make_topology("HyperX(4x3; hosts=2)");
  const Routing routing = routed(grid, "minhop");
  std::vector<Flow> flows;
  for (u32 i = 0; i < grid.fabric.nics(); ++i) flows.push_back(flow(i, (i * 7 + 3) % grid.fabric.nics()));
  const Incidence listed = incidence(grid.fabric, routing, flows);
  IdVector<Channel, double> sum(grid.fabric.channels().size());
  for (std::size_t i = 0; i < listed.channels.size(); ++i) sum[listed.channels[i]] += listed.shares[i];
  EXPECT_EQ(sum, loads(grid.fabric, routing, flows));
}

// In a tree of two levels, any way up.
struct AnyUp {
  const Fabric& fabric;
  u32 hosts_per_leaf;
  void hops(Node node, const Header& header, Hops& out) const {
    const u32 to = index(header.to), leaf = fabric.nics() + to / hosts_per_leaf;
    if (!fabric.is_switch(node)) return out.push_back({Port{0}});
    for (Channel c : fabric.channels(node)) {
      const Node next = fabric.to(c);
      if (index(next) == to || index(next) == leaf) out.push_back({fabric.port(c)});
    }
    if (out.size()) return;
    for (Channel c : fabric.channels(node))
      if (fabric.is_switch(fabric.to(c))) out.push_back({fabric.port(c)});
  }
};

TEST(Incidence, AnAdaptiveRoutingUsesItsHopsEvenly) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Source source(TableWays{});
  Incidence listed, expected;
  const std::vector flows = {flow(0, 15), flow(3, 2), flow(7, 7), flow(9, 1)};
  list_flows(tree.fabric, AnyUp{tree.fabric, 4}, source, flows, Demands::relative, listed);
  expected = incidence(tree.fabric, routed(tree, "umulti"), flows);
  ASSERT_EQ(listed.first, expected.first);
  EXPECT_EQ(listed.hops, expected.hops);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    std::vector<std::pair<Channel, double>> a, b;
    for (std::size_t i = 0; i < listed.channels_of(f).size(); ++i) {
      a.emplace_back(listed.channels_of(f)[i], listed.shares_of(f)[i]);
      b.emplace_back(expected.channels_of(f)[i], expected.shares_of(f)[i]);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b);
  }
}

TEST(Incidence, AFlowThatDoesNotArriveIsNamed) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Routing nowhere{Tables(tree.fabric), Source(TableWays{}), 1, 0};
  try {
    incidence(tree.fabric, nowhere, std::vector{flow(1, 9)});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the flow from h1 to h9 does not arrive: s1-0 has no cabled port for it");
  }
}

TEST(Incidence, AFlowThatGoesInCirclesIsNamed) {
  const Topology ring = make_topology("Torus(4; hosts=1)");
  Tables tables(ring.fabric);
  for (Node v : ring.fabric.switch_nodes())
    for (u32 to = 0; to < 4; ++to) tables(v, Address{to}) = 1;
  const Routing circles{tables, Source(TableWays{}), 1, 0};
  EXPECT_THROW(incidence(ring.fabric, circles, std::vector{flow(0, 2)}), InputError);
}

// Three flows share the cable out of a leaf, one of which asks for half of what the others do.
TEST(Rates, DemandsAreWeightsOrLimitsOrNothing) {
  const Topology tree = make_topology("XGFT(2; 3,2; 1,1)");
  const Routing routing = std::get<Routing>(route(tree, "dmodk"));
  const std::vector<Flow> flows = {{Nic{0}, Nic{3}, 0.2}, {Nic{1}, Nic{4}, 0.4}, {Nic{2}, Nic{5}, 0.4}};
  const auto given = [&](std::string_view model) {
    return rates(tree.fabric, routing, flows, read_rate_options(model));
  };
  const auto expect = [](const std::vector<double>& found, double first, double others) {
    EXPECT_DOUBLE_EQ(found[0], first);
    EXPECT_DOUBLE_EQ(found[1], others);
    EXPECT_DOUBLE_EQ(found[2], others);
  };
  expect(given("max-min"), 0.2, 0.4);
  expect(given("max-min:demands=limit"), 0.2, 0.4);
  expect(given("max-min:demands=none"), 1.0 / 3, 1.0 / 3);
  expect(given("max-min:link=10"), 2, 4);
  expect(given("max-min:link=10,demands=limit"), 2, 4);
  expect(given("contention"), 1.0 / 3, 1.0 / 3);
  const std::vector<Flow> more = {{Nic{0}, Nic{3}, 0.2}, {Nic{1}, Nic{4}, 4}, {Nic{2}, Nic{5}, 4}};
  expect(rates(tree.fabric, routing, more, read_rate_options("max-min:demands=limit")), 0.2, 0.4);
  expect(rates(tree.fabric, routing, more, {}), 0.2 / 8.2, 4 / 8.2);
}

}  // namespace
}  // namespace banyan::tests
