#include "topology/properties.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "formats/open.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

Topology forget_shape(Topology topology) {
  topology.shape = Irregular{};
  topology.planes = 1;
  return topology;
}

std::vector<Link> cables_of(const Fabric& fabric, Node node) {
  std::vector<Link> out;
  fabric.each_link([&](Link link) {
    if (fabric.from(link.a) == node || fabric.from(link.b) == node) out.push_back(link);
  });
  return out;
}

TEST(Properties, OfThePapersTree) {
  const Properties p = properties(make_topology("RLFT(36 ports, 1944 hosts)"));
  EXPECT_EQ(p.notation, "PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  EXPECT_EQ(p.family, "PGFT");
  EXPECT_EQ(p.hosts, 1944);
  EXPECT_EQ(p.nics, 1944);
  EXPECT_EQ(p.switches, 270);
  EXPECT_EQ(p.switches_per_level, (std::vector<u32>{108, 108, 54}));
  EXPECT_EQ(p.links, 3 * 1944);
  EXPECT_EQ(p.channels, 6 * 1944);
  EXPECT_EQ(p.switch_ports_min, 36);
  EXPECT_EQ(p.switch_ports_max, 36);
  EXPECT_EQ(p.distances.diameter, 6);
  EXPECT_EQ(p.distances.shortest_paths_max, 18 * 3 * 6 * 6);
  EXPECT_EQ(p.bisection, (Bisection{972, true}));
  EXPECT_DOUBLE_EQ(p.bisection_ratio, 1);
  EXPECT_EQ(p.constant_bisection, true);
  EXPECT_EQ(p.rlft, true);
  EXPECT_TRUE(p.rlft_failed.empty());
  EXPECT_EQ(p.missing_links, 0);
}

TEST(Properties, BisectionIsFullAtMost) {
  for (const char* fabric : {"8 x XGFT(2; 16,8; 1,16)", "XGFT(2; 4,8; 1,4; rails=4)", "HyperX(6x6; hosts=1)"})
    EXPECT_DOUBLE_EQ(properties(make_topology(fabric)).bisection_ratio, 1) << fabric;
  EXPECT_DOUBLE_EQ(properties(make_topology("4 x XGFT(2; 8,4; 1,4)")).bisection_ratio, 0.5);
}

TEST(Properties, OfPlanesAreThoseOfOneTimesTheirNumber) {
  const Properties one = properties(make_topology("HyperX(4x4; hosts=2)"));
  const Properties three = properties(make_topology("3 x HyperX(4x4; hosts=2)"));
  EXPECT_EQ(three.distances, one.distances);
  EXPECT_EQ(three.bisection.links, 3 * one.bisection.links);
  EXPECT_EQ(three.switches_per_level, std::vector<u32>{48});
  EXPECT_EQ(three.nics, 3 * one.nics);
  EXPECT_FALSE(three.rlft);
}

TEST(Properties, AreFoundBySearchWhenTheShapeIsUnknown) {
  for (const char* notation :
       {"XGFT(3; 4,4,8; 1,4,4)", "2 x PGFT(2; 4,4; 1,2; 1,2)", "HyperX(5x3; hosts=2)", "Torus(4x6)"}) {
    const Topology topology = make_topology(notation);
    const Properties known = properties(topology), found = properties(forget_shape(topology));
    EXPECT_EQ(found.family, "irregular");
    EXPECT_EQ(found.notation, "");
    EXPECT_EQ(found.distances.diameter, known.distances.diameter) << notation;
    EXPECT_NEAR(found.distances.average, known.distances.average, 1e-9) << notation;
    EXPECT_EQ(found.bisection, (Bisection{known.bisection.links, false})) << notation;
    EXPECT_EQ(found.switches_per_level, known.switches_per_level) << notation;
  }
}

TEST(Properties, OfABrokenFabricSayWhatItLost) {
  Topology topology = make_topology("4-ary 2-tree");
  topology.fabric = without(topology.fabric, cables_of(topology.fabric, Node{0}));   // host 0's cable
  topology.fabric = without(topology.fabric, cables_of(topology.fabric, Node{20}));  // a root
  const Properties p = properties(topology);
  EXPECT_EQ(p.missing_links, 5);
  EXPECT_EQ(p.distances.unreachable_pairs, 15);
  EXPECT_EQ(p.distances.shortest_paths_max, 3);
  EXPECT_EQ(p.bisection, (Bisection{6, false}));
  EXPECT_EQ(p.switches_per_level, (std::vector<u32>{4, 4}));
}

TEST(Properties, OfOneSwitchCutHostCables) {
  EXPECT_EQ(properties(make_topology("XGFT(1; 8; 1)")).bisection.links, 4);
  EXPECT_EQ(properties(make_topology("FullMesh(1; hosts=7)")).bisection.links, 3);
}

TEST(Properties, DistancesAndBisectionAreThoseOfHosts) {
  // Two hosts on each of s0 and s1 with one cable between them; storage in between and far away.
  std::istringstream in(
      "from,to,from_kind,to_kind\nh0,s0,host,switch\nh1,s0,host,switch\nh2,s1,host,switch\n"
      "h3,s1,host,switch\nd0,s0,storage,switch\nd1,s2,storage,switch\nd2,s2,storage,switch\n"
      "d3,s2,storage,switch\ns0,s1,switch,switch\ns1,s2,switch,switch\ns1,s2,switch,switch\n");
  const Properties p = properties(formats::read_fabric(in, "roles.csv").topology);
  EXPECT_EQ(p.hosts, 4);
  EXPECT_EQ(p.roles.of[1], 4);
  EXPECT_EQ(p.distances.diameter, 3);
  EXPECT_NEAR(p.distances.average, (2 * 2 + 4 * 3) / 6.0, 1e-9);
  EXPECT_EQ(p.bisection.links, 1);
  EXPECT_EQ(p.bisection_ratio, 0.5);
}

TEST(Properties, OfAShapeWithOtherMachinesAreNotThoseOfTheFormula) {
  // A spine over two leaves: all hosts are on the first, so that no pair needs the spine.
  Topology tree = make_topology("XGFT(2; 2,2; 1,1)");
  IdVector<Host, Role> roles(4, Role::storage);
  roles[Host{0}] = roles[Host{1}] = Role::host;
  tree.fabric = with_roles(tree.fabric, roles);
  EXPECT_EQ(properties(tree).distances.diameter, 2);
  EXPECT_EQ(properties(tree).distances.average, 2);
}

TEST(PairProperties, InATreeCountTheDigitsFromTheTop) {
  const Topology topology = make_topology("4-ary 3-tree");  // leaves are nodes 64 to 79, roots 96 to 111
  const PairProperties far = pair_properties(topology, Host{0}, Host{63});
  EXPECT_EQ(far.minimal_different_index, 0);
  EXPECT_EQ(far.nearest_common_ancestors.size(), 16);
  EXPECT_EQ(far.nearest_common_ancestors.front(), Node{96});
  EXPECT_EQ(far.distance, 6);
  EXPECT_EQ(far.shortest_paths, 16);

  const PairProperties near = pair_properties(topology, Host{5}, Host{6});
  EXPECT_EQ(near.minimal_different_index, 2);
  EXPECT_EQ(near.nearest_common_ancestors, std::vector<Node>{Node{65}});
  EXPECT_EQ(near.distance, 2);
  EXPECT_EQ(near.shortest_paths, 1);

  const PairProperties same = pair_properties(topology, Host{5}, Host{5});
  EXPECT_EQ(same.minimal_different_index, 3);
  EXPECT_EQ(same.distance, 0);
}

TEST(PairProperties, OnOneRailOfSeveral) {
  const PairProperties plane = pair_properties(make_topology("2 x 2-ary 2-tree"), Host{0}, Host{3}, 1);
  EXPECT_EQ(plane.nearest_common_ancestors, (std::vector<Node>{Node{14}, Node{15}}));
  // Two rails: hosts 0 and 1 on leaves 0 and 1, hosts 2 and 3 on leaves 2 and 3.
  const PairProperties rail =
      pair_properties(make_topology("XGFT(2; 2,4; 1,2; rails=2)"), Host{0}, Host{1}, 1);
  EXPECT_EQ(rail.nearest_common_ancestors, std::vector<Node>{Node{9}});
  EXPECT_EQ(rail.minimal_different_index, 1);
}

TEST(PairProperties, WithoutSomeCablesTheAncestorsAreThoseThatAreLeft) {
  Topology topology = make_topology("2-ary 2-tree");  // hosts 0 to 3, leaves 4 and 5, roots 6 and 7
  topology.fabric = without(topology.fabric, cables_of(topology.fabric, Node{6}));
  const PairProperties p = pair_properties(topology, Host{0}, Host{3});
  EXPECT_EQ(p.nearest_common_ancestors, std::vector<Node>{Node{7}});
  EXPECT_EQ(p.shortest_paths, 1);
}

TEST(PairProperties, OutsideTreesAreDistanceAndPathsOnly) {
  const PairProperties p = pair_properties(make_topology("HyperX(3x3)"), Host{0}, Host{8});
  EXPECT_EQ(p.distance, 4);
  EXPECT_EQ(p.shortest_paths, 2);
  EXPECT_FALSE(p.minimal_different_index);
}

}  // namespace
}  // namespace banyan::tests
