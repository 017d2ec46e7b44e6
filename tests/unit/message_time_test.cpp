#include "flow/message_time.hpp"

#include <gtest/gtest.h>

#include "engines/engine.hpp"

namespace banyan::tests {
namespace {

struct Tree {
  Topology topology = make_topology("4-ary 2-tree");
  Routing routing = std::get<Routing>(route(topology, "dmodk"));

  std::vector<double> ends(const std::vector<Flow>& flows, const TimeOptions& options) const {
    return finish_times(topology.fabric, routing, flows, options);
  }
};

Flow message(u32 from, u32 to, double bytes) { return {Nic{from}, Nic{to}, bytes}; }

TEST(MessageTime, OneMessageIsOverheadLatencyAndBytes) {
  const TimeOptions options{.rates = {.link = 100, .host = 50}, .overhead = 3, .latency = 0.25};
  EXPECT_EQ(Tree().ends({message(0, 15, 200)}, options), (std::vector{3 + 4 * 0.25 + 4}));
  EXPECT_EQ(Tree().ends({message(0, 1, 0)}, options), (std::vector{3 + 2 * 0.25}));
  EXPECT_EQ(Tree().ends({message(5, 5, 1e9)}, options), (std::vector{3.0}));
  EXPECT_TRUE(Tree().ends({}, options).empty());
}

// 0 to 4 and 1 to 8 share a channel: both at half until the short one ends at 2, then the other alone.
TEST(MessageTime, WhoIsLeftGetsWhatTheOthersHad) {
  const std::vector flows = {message(0, 4, 1), message(1, 8, 3)};
  EXPECT_EQ(Tree().ends(flows, {}), (std::vector{2.0, 4.0}));
  EXPECT_EQ(Tree().ends(flows, {.sharing = Sharing::fixed}), (std::vector{2.0, 6.0}));
}

// The second message of host 0 begins at 1, when 1 of 2 bytes of the first are left.
TEST(MessageTime, FurtherMessagesOfASenderBeginAGapLater) {
  const std::vector flows = {message(0, 4, 2), message(0, 9, 2)};
  EXPECT_EQ(Tree().ends(flows, {.gap = 1}), (std::vector{3.0, 4.0}));
  EXPECT_EQ(Tree().ends(flows, {.overhead = 5, .gap = 10}), (std::vector{7.0, 17.0}));
}

TEST(MessageTime, ACollectiveIsTheSumOfItsRounds) {
  const Tree tree;
  const auto list = [](u64, u64, u64 round, std::vector<Demand>& out) {  // recursive doubling of 4 ranks
    for (u32 i = 0; i < 4; ++i) out.push_back({Rank{i}, Rank{i ^ 1u << round}, 10});
  };
  const Traffic exchange{.ranks = 4, .list = list, .rounds = 2, .in_bytes = true};
  Placement spread;
  for (const u32 host : {0, 1, 4, 8}) spread.push_back(Host{host});
  const TimeOptions options{.overhead = 1, .latency = 0.5};
  const auto found = collective_time(tree.topology.fabric, tree.routing, exchange, spread, options);
  // Round 0: 0 with 1, 2 channels, and 4 with 8, 4 channels. Round 1: 0 to 4 and 1 to 8 share a channel up,
  // 4 to 0 and 8 to 1 do not.
  EXPECT_EQ(found.round_ends, (std::vector<double>{13, 13 + 23}));
  EXPECT_EQ(found.total, 13 + 23);
  EXPECT_EQ(found.sent[Rank{3}], 13 + 1 + 10 + 4 * 0.5);
}

// Rank 1 sends nothing in round 0; rank 0 sends a long message. Both send to hosts of one residue in round 1.
TEST(MessageTime, IndependentRanksDoNotWaitForEachOther) {
  const Tree tree;
  const auto list = [](u64, u64, u64 round, std::vector<Demand>& out) {
    if (round == 0) out.push_back({Rank{0}, Rank{2}, 10});
    if (round == 1) out.insert(out.end(), {{Rank{0}, Rank{2}, 5}, {Rank{1}, Rank{3}, 5}});
  };
  const Traffic traffic{.ranks = 4, .list = list, .rounds = 2, .in_bytes = true};
  Placement hosts;
  for (const u32 host : {0, 1, 4, 8}) hosts.push_back(Host{host});
  TimeOptions options{.latency = 0.5};
  const auto time = [&] {
    return collective_time(tree.topology.fabric, tree.routing, traffic, hosts, options);
  };
  EXPECT_EQ(time().round_ends, (std::vector<double>{12, 12 + 12}));
  // Half the channel each until rank 1 is done at 10; then rank 0 has 5 left, and its second message.
  options.rounds = Rounds::independent;
  const CollectiveTime found = time();
  EXPECT_EQ(found.sent[Rank{1}], 12);
  EXPECT_EQ(found.sent[Rank{0}], 22);
  EXPECT_EQ(found.round_ends, (std::vector<double>{17, 22}));
}

// A chain 0 -> 1 -> 2: rank 1 sends in round 1 what it received in round 0; rank 3 goes its own way.
TEST(MessageTime, RanksThatExchangeWaitForWhatTheyReceive) {
  const Tree tree;
  const auto list = [](u64, u64, u64 round, std::vector<Demand>& out) {
    if (round == 0) out.insert(out.end(), {{Rank{0}, Rank{1}, 10}, {Rank{3}, Rank{3}, 7}});
    if (round == 1) out.insert(out.end(), {{Rank{1}, Rank{2}, 5}, {Rank{3}, Rank{0}, 4}});
  };
  const Traffic chain{.ranks = 4, .list = list, .rounds = 2, .in_bytes = true};
  TimeOptions options{.overhead = 1, .latency = 0.5, .rounds = Rounds::exchange};
  Placement hosts;
  for (const u32 host : {0, 5, 10, 15}) hosts.push_back(Host{host});
  const auto found = collective_time(tree.topology.fabric, tree.routing, chain, hosts, options);
  EXPECT_EQ(found.sent[Rank{0}], 1 + 10 + 2);
  EXPECT_EQ(found.sent[Rank{1}], 13 + 1 + 5 + 2);
  EXPECT_EQ(found.sent[Rank{3}], 1 + 1 + 4 + 2);
  options.rounds = Rounds::independent;
  const auto alone = collective_time(tree.topology.fabric, tree.routing, chain, hosts, options);
  EXPECT_EQ(alone.sent[Rank{1}], 1 + 5 + 2);
  EXPECT_EQ(alone.total, 13);
}

TEST(MessageTime, WhatHasNoTimeIsRefused) {
  const Tree tree;
  const Traffic relative{.ranks = 1, .list = [](u64, u64, u64, std::vector<Demand>&) {}};
  EXPECT_THROW(collective_time(tree.topology.fabric, tree.routing, relative, place_linearly(1), {}),
               InputError);
  EXPECT_THROW(tree.ends({message(0, 1, 1)}, {.latency = -1}), InputError);
}

}  // namespace
}  // namespace banyan::tests
