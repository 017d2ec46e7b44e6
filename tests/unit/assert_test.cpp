// A bug is an assertion: each central type is given something broken, and says what does not hold.
#include "base/assert.hpp"

#include <gtest/gtest.h>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"
#include "study/store.hpp"
#include "support/routed.hpp"
#include "support/scratch.hpp"
#include "topology/topology.hpp"
#include "traffic/programs/program.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

TEST(AssertDeathTest, SaysWhatDoesNotHoldAndWhere) {
  const int cables = 2;
  BANYAN_ASSERT(cables == 2, "there are two cables");
  EXPECT_DEATH(BANYAN_ASSERT(cables == 3, "there are three cables"),
               "this is a bug: there are three cables .cables == 3, .*assert_test.cpp:");
}

TEST(AssertDeathTest, FabricsHaveOneCableAtAPort) {
  EXPECT_DEATH(
      {
        FabricBuilder builder(Endpoints(2, 1));
        const Node leaf = builder.add_switch(2);
        builder.connect(Node{0}, Port{0}, leaf, Port{1}, 0);
        builder.connect(Node{1}, Port{0}, leaf, Port{1}, 0);
      },
      "a port has one cable");
  EXPECT_DEATH(FabricBuilder(Endpoints(2, 1)).connect(Node{0}, Port{7}, Node{1}, Port{0}, 0),
               "a cable ends at ports that exist");
  EXPECT_DEATH(Endpoints(2, 0), "a host has a NIC");
}

TEST(AssertDeathTest, TopologiesHaveTheNodesOfTheirShape) {
  Topology tree = make_topology("4-ary 2-tree");
  tree.planes = 2;
  EXPECT_DEATH(assert_whole(tree), "a topology has the NICs of its shape");
  EXPECT_DEATH(build(tree.shape, 0), "a shape has a plane");
}

TEST(AssertDeathTest, RoutingsAndTablesAreOfTheirFabric) {
  const Topology tree = make_topology("4-ary 2-tree"), other = make_topology("2-ary 2-tree");
  Routing routing = routed(tree, "minhop");
  EXPECT_DEATH(judge(other.fabric, routing), "tables have the addresses of the fabric");
  routing.lanes = 0;
  EXPECT_DEATH(judge(tree.fabric, routing), "a routing has a lane");
  EXPECT_DEATH(Tables(tree.fabric, 8), "a NIC has at most 128 addresses");
}

TEST(AssertDeathTest, OperationsOfAProgramWaitForTheirOwnRank) {
  ProgramBuilder builder(2);
  const auto first = builder.compute(0, 1), second = builder.compute(1, 1);
  EXPECT_DEATH(builder.wait(first, second), "an operation waits for one of its own rank");
  EXPECT_DEATH(builder.wait(first, 7), "both operations were added");
  EXPECT_DEATH(builder.weigh(first, 2), "only a send has a weight");
}

TEST(AssertDeathTest, FinishedPointsOfAStoreHaveRows) {
  const Scratch scratch;
  Store store(scratch.path / "study");
  EXPECT_DEATH(store.finish({}, {}, "inputs", {}, 1), "a finished point has rows");
  EXPECT_DEATH(store.plan({}, {{}}, {}), "every planned point has inputs");
}

}  // namespace
}  // namespace banyan::tests
