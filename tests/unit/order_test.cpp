#include "ask/order.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "fabric/faults.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

ask::OrderAnswer best_order(const Topology& topology, const std::string& engine, const std::string& traffic,
                            std::string_view hosts = "", const ask::OrderOptions& options = {}) {
  ask::RoutingOptions routing;
  routing.engine = engine;
  const ask::FabricRouter router = ask::router(routing, topology);
  const RouteResult routed = router.route(topology);
  const ask::Situation at{.topology = topology, .routing = &std::get<Routing>(routed), .traffic = traffic};
  const std::vector<Host> list = ask::host_list(topology.fabric, hosts);
  return std::get<ask::OrderAnswer>(ask::order(at, list, router, options));
}

std::vector<u32> listed(std::string_view text) {
  std::vector<u32> out;
  for (const Host host : ask::host_list(make_topology("4-ary 2-tree").fabric, text))
    out.push_back(index(host));
  return out;
}

std::string host_refusal(std::string_view text) {
  try {
    listed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(HostList, TakesNamesNumbersAndRanges) {
  EXPECT_EQ(listed("h[2-3],h9,12,5-7"), (std::vector<u32>{2, 3, 9, 12, 5, 6, 7}));
  EXPECT_EQ(listed("").size(), 16u);
  EXPECT_EQ(host_refusal("h3,3"), "--hosts: h3 is named twice");
  for (const char* text : {"16", "h16", "3-2", "1-99", "-", "x", "1-", "18446744073709551616"})
    EXPECT_NE(host_refusal(text).find("expected the name of a host, a number below 16"), std::string::npos)
        << text;
}

TEST(Order, ShiftsOfAWholeRlftAreATheorem) {
  const Topology tree = make_topology("RLFT(8 ports, 128 hosts)");
  const ask::OrderAnswer found = best_order(tree, "dmodk", "all-shifts", "64-127,0-63");
  EXPECT_TRUE(found.contention_free);
  EXPECT_TRUE(found.optimal);
  // The rotated list is as good, and it was there first; but the theorem is about the order of numbers.
  EXPECT_EQ(found.proof, ask::OrderProof::counted);
  EXPECT_EQ(best_order(tree, "dmodk", "all-shifts").proof, ask::OrderProof::theorem);
  EXPECT_EQ(best_order(tree, "dmodk", "ring").proof, ask::OrderProof::theorem);
  // Other engines may be as good; the theorem is not about them.
  EXPECT_NE(best_order(tree, "minhop", "ring").proof, ask::OrderProof::theorem);
}

TEST(Order, FindsAnOrderWithoutContentionWhereTheGivenOneHasSome) {
  // Neighbours in the ring are on different leaves, whose cables four of them share.
  const Topology tree = make_topology("XGFT(2; 4,4; 1,1)");
  const ask::OrderAnswer found = best_order(tree, "dmodk", "ring", "0,4,8,12,1,5,9,13,2,6,10,14,3,7,11,15");
  EXPECT_EQ(found.as_given.max_load, 4);
  EXPECT_EQ(found.as_given.bound, 4);
  EXPECT_FALSE(found.as_given.contention_free);
  EXPECT_EQ(found.max_load, 1);
  EXPECT_EQ(found.bound, 1);
  EXPECT_TRUE(found.contention_free);
  EXPECT_EQ(found.proof, ask::OrderProof::counted);
  EXPECT_EQ(found.by_switch.max_load, 1);
}

TEST(Order, SearchesWhereNoKnownOrderIsGood) {
  const Topology tree = make_topology("XGFT(2; 4,8; 1,2)");  // two flows for each cable of a leaf
  const ask::OrderAnswer found = best_order(tree, "dmodk", "permutation");
  EXPECT_EQ(found.found_by, ask::FoundBy::search);
  EXPECT_EQ(found.max_load, 1);
  EXPECT_GT(found.as_given.max_load, 1);
  EXPECT_GT(found.random.max_load, 1);
  const ask::OrderAnswer unsearched = best_order(tree, "dmodk", "permutation", "", {.swaps = 0});
  EXPECT_GT(unsearched.max_load, found.max_load);
}

TEST(Order, BoundCountsWhatAllRoundsSendTogether) {
  // Every pair once: a leaf with four of 16 hosts and one cable sends 48 times, in 15 rounds.
  const ask::OrderAnswer found = best_order(make_topology("XGFT(2; 4,4; 1,1)"), "dmodk", "all-shifts");
  EXPECT_DOUBLE_EQ(found.bound, 48.0 / 15);
  EXPECT_GE(found.max_load, found.bound);
}

// Two leaves with two free hosts, and one with four: of those two, four flows cross the one cable.
TEST(Order, ChoosesHosts) {
  const Topology tree = make_topology("XGFT(2; 4,4; 1,1)");
  const std::string free = "0,1,4,5,12,13,14,15";
  const ask::OrderAnswer found = best_order(tree, "dmodk", "alltoall:algorithm=linear", free, {.choose = 4});
  EXPECT_EQ(found.ranks, 4u);
  EXPECT_EQ(found.chosen_from, 8u);
  EXPECT_EQ(4 * found.max_load, 3 * found.as_given.max_load);
  EXPECT_TRUE(found.optimal);
  EXPECT_EQ(found.names.size(), 4u);
  EXPECT_EQ(best_order(tree, "dmodk", "ring", free).chosen_from, std::nullopt);
  EXPECT_EQ(best_order(tree, "dmodk", "ring", free, {.choose = 8}).order.size(), 8u);
  EXPECT_THROW(best_order(tree, "dmodk", "ring", free, {.choose = 9}), InputError);
  // The theorem is about all hosts of the fabric.
  EXPECT_EQ(best_order(make_topology("RLFT(8 ports, 32 hosts)"), "dmodk", "ring", "", {.choose = 16}).proof,
            ask::OrderProof::counted);
}

// With other source ports the same switches choose otherwise: only what holds for all hashes is proved.
TEST(Order, UnderAHashOnlyWhatHoldsForAllHashesIsFreeOfContention) {
  const Topology tree = make_topology("XGFT(2; 2,2; 1,2)");
  const ask::OrderAnswer far = best_order(tree, "ecmp", "shift:2");
  EXPECT_TRUE(far.one_hash);
  EXPECT_FALSE(far.as_given.contention_free);
  EXPECT_TRUE(far.contention_free);  // ranks 0 and 2 on one leaf
  EXPECT_FALSE(best_order(tree, "dmodk", "shift:2").one_hash);
  for (const char* engine : {"ecmp:seed=1", "ecmp:seed=2", "ecmp:seed=3"})
    EXPECT_FALSE(best_order(tree, engine, "shift:2").as_given.contention_free) << engine;
}

TEST(Order, OfTrafficBetweenAllPairsEveryOrderIsTheBest) {
  const ask::OrderAnswer all =
      best_order(make_topology("4-ary 2-tree"), "minhop", "alltoall:algorithm=linear");
  EXPECT_TRUE(all.in_bytes);
  EXPECT_TRUE(all.optimal);
  EXPECT_EQ(all.max_load, all.as_given.max_load);
}

TEST(Order, ASwitchWithoutCablesIsNoMatter) {
  Topology grid = make_topology("HyperX(3x3; hosts=2)");
  grid.fabric = fabric::without(grid.fabric, std::vector<std::string>{"switch=s0"});
  const ask::FabricRouter router = ask::router({}, grid);
  const RouteResult routed = router.route(grid);
  const ask::Situation at{.topology = grid, .routing = &std::get<Routing>(routed), .traffic = "ring"};
  const auto found = ask::order(at, ask::host_list(grid.fabric, "h[2-9]"), router, {});
  EXPECT_TRUE(std::holds_alternative<ask::OrderAnswer>(found));
}

TEST(Order, AHostWithoutACableIsNamed) {
  Topology tree = make_topology("4-ary 2-tree");
  tree.fabric = fabric::without(tree.fabric, std::vector<std::string>{"host=h3"});
  const ask::FabricRouter router = ask::router({}, tree);
  const RouteResult routed = router.route(tree);
  const ask::Situation at{.topology = tree, .routing = &std::get<Routing>(routed), .traffic = "ring"};
  const auto found = ask::order(at, ask::host_list(tree.fabric, "h[0-5]"), router, {});
  EXPECT_EQ(std::get<NotApplicable>(found).why, "h3 has no cable: expected hosts that reach each other");
  ask::OrderOptions many;
  many.starts = 400'000'000;
  EXPECT_THROW(ask::order(at, ask::host_list(tree.fabric, "h[0-2]"), router, many), InputError);
}

TEST(Order, FilesHaveAProcessALine) {
  ask::OrderAnswer answer;
  answer.names = {"b", "a"};
  const auto written = [&](ask::OrderFormat format) {
    std::ostringstream out;
    ask::write_order(out, answer, 2, format);
    return out.str();
  };
  EXPECT_EQ(written(ask::OrderFormat::rankfile),
            "rank 0=b slot=0\nrank 1=b slot=1\nrank 2=a slot=0\nrank 3=a slot=1\n");
  EXPECT_EQ(written(ask::OrderFormat::hostfile), "b\nb\na\na\n");
  EXPECT_EQ(written(ask::OrderFormat::nccl), "b\na\n");
  answer.names = {"a b"};
  EXPECT_THROW(written(ask::OrderFormat::nccl), InputError);
}

}  // namespace
}  // namespace banyan::tests
