// One step, two walkers, one rule against loops: whoever follows a route says the same of it.
#include "routing/walk.hpp"

#include <gmock/gmock.h>

#include "engines/engine.hpp"
#include "flow/way_lister.hpp"
#include "routing/paths.hpp"
#include "routing/table_form.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::tests {
namespace {

// h0 and h1 on s0, h2 on s1; two cables between the switches. Port 3 of s0 is empty.
Fabric two_switches() {
  FabricBuilder builder(3);
  const Node s0 = builder.add_switch(5), s1 = builder.add_switch(3);
  const u8 cable = builder.add_class({});
  builder.connect(Node{0}, Port{0}, s0, Port{0}, cable);
  builder.connect(Node{1}, Port{0}, s0, Port{1}, cable);
  builder.connect(Node{2}, Port{0}, s1, Port{0}, cable);
  builder.connect(s0, Port{2}, s1, Port{1}, cable);
  builder.connect(s0, Port{4}, s1, Port{2}, cable);
  return std::move(builder).build();
}

// Two hosts with a cable from one to the other, and two on a switch.
Fabric cabled_hosts() {
  FabricBuilder builder(4);
  const Node s0 = builder.add_switch(2);
  const u8 cable = builder.add_class({});
  builder.connect(Node{0}, Port{0}, Node{1}, Port{0}, cable);
  builder.connect(Node{2}, Port{0}, s0, Port{0}, cable);
  builder.connect(Node{3}, Port{0}, s0, Port{1}, cable);
  return std::move(builder).build();
}

struct OneWay {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to)}; }
};

// On two_switches(), towards h2: to and fro between the switches until the state says enough; for ever if
// `enough` is never reached.
struct Shuttle {
  u32 enough;
  Hop next(Node node, const Header& header) const {
    if (index(node) < 3) return {.port = Port{0}, .state = 0};
    const u8 more = static_cast<u8>(header.state + 1);
    if (index(node) == 3) return {.port = Port{2}, .state = more};
    return header.state >= enough ? Hop{.port = Port{0}} : Hop{.port = Port{1}, .state = more};
  }
};

// The same by either cable.
struct WideShuttle {
  Shuttle one;
  void hops(Node node, const Header& header, Hops& out) const {
    const Hop hop = one.next(node, header);
    out.push_back(hop);
    if (index(node) < 3 || hop.port == Port{0}) return;
    Hop other = hop;
    other.port = Port{node == Node{3} ? 4u : 2u};
    out.push_back(other);
  }
};

TEST(Step, SaysWhetherAHopLeadsOnArrivesOrIsLost) {
  const Fabric f = two_switches();
  const Node s0{3}, s1{4}, goal{2};
  const Step next = take(f, s0, {.port = Port{2}, .state = 7}, goal);
  EXPECT_TRUE(next.leads_on());
  EXPECT_EQ(next.node, s1);
  EXPECT_EQ(next.state, 7);
  EXPECT_EQ(f.to(next.channel), s1);
  EXPECT_TRUE(take(f, s1, {.port = Port{0}}, goal).arrived());
  EXPECT_EQ(take(f, s0, {.port = Port{3}}, goal).why, Loss::no_port);
  EXPECT_EQ(take(f, s0, {.port = Port{255}}, goal).why, Loss::no_port);
  EXPECT_EQ(take(f, s0, {.port = Port{2}, .lanes = 0}, goal).why, Loss::no_port);
  const Step astray = take(f, s0, {.port = Port{1}}, goal);
  EXPECT_EQ(astray.why, Loss::other_host);
  EXPECT_EQ(astray.node, Node{1});
  EXPECT_EQ(f.to(astray.channel), Node{1});
}

TEST(Walk, VisitsTheChannelsOfAPath) {
  const Fabric f = two_switches();
  std::vector<Node> nodes;
  const auto note = [&](Channel c) { nodes.push_back(f.to(c)); };
  EXPECT_TRUE(walk(f, Shuttle{0}, Node{0}, {}, Node{2}, note).arrived());
  EXPECT_THAT(nodes, testing::ElementsAre(Node{3}, Node{4}, Node{2}));
  nodes.clear();
  EXPECT_TRUE(walk(f, Shuttle{0}, Node{2}, {}, Node{2}, note).arrived());
  EXPECT_TRUE(nodes.empty());
}

// What everyone who follows a route says of it: the channels of its longest path, or why it is lost.
struct Said {
  std::size_t longest = 0;
  Loss loss = Loss::none;
  bool operator==(const Said&) const = default;
};
template <class F>
Said flow_level(const Fabric& f, const F& forward) {
  FlowWay way;
  return follow_way(f, forward, Nic{0}, Nic{2}, {}, way) ? Said{way.hops} : Said{0, way.loss};
}
template <class F>
Said all_paths(const Fabric& f, const F& forward) {
  Said out;
  PathsWalk walk(f, forward, Node{2}, [&](std::span<const Step> steps) {
    out = steps.back().lost() ? Said{0, steps.back().why} : Said{steps.size()};
    return steps.back().leads_on() ? Then::on : Then::stop;
  });
  walk.from(Node{0}, {});
  return out;
}
template <class F>
Said judge_says(const Fabric& f, const F& forward) {
  const std::vector<Attachment> attached = attachments(f);
  IdVector<Nic, bool> only(f.nics());
  only[Nic{2}] = true;
  const PairFindings found = examine(f, forward, Source(OneWay{}), attached, 1, &only).pairs;
  return found.loop.to == none<Nic> ? Said{found.longest} : Said{0, Loss::circles};
}

TEST(LoopRule, IsTheSameForEveryone) {
  const Fabric f = two_switches();
  for (const u32 enough : {0u, 1u, 17u, 201u, 1000u}) {
    const Shuttle one{enough};
    const WideShuttle wide{one};
    std::size_t channels = 0;
    const Step end = walk(f, one, Node{0}, {}, Node{2}, [&](Channel) { ++channels; });
    const Said said = enough > 255 ? Said{0, Loss::circles} : Said{channels};
    EXPECT_EQ(end.why, said.loss) << enough;
    EXPECT_EQ(flow_level(f, one), said) << enough;
    EXPECT_EQ(all_paths(f, one), said) << enough;
    EXPECT_EQ(judge_says(f, one), said) << enough;
    EXPECT_EQ(flow_level(f, wide), said) << enough;
    EXPECT_EQ(judge_says(f, wide), said) << enough;
  }
}

TEST(Paths, OfALoopEndWhereItCloses) {
  const Fabric f = two_switches();
  Tables tables(f);
  for (u32 to = 0; to < 3; ++to) tables(Node{3}, Address{to}) = 2, tables(Node{4}, Address{to}) = 1;
  const Routing routing{tables, Source(TableWays{})};
  const auto found = paths(f, routing, Nic{0}, Nic{2});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].arrives);
  EXPECT_EQ(found[0].channels.size(), 3u);  // to s0, s1 and s0 again
  EXPECT_EQ(found[0].offers, (std::vector<u16>{1, 1, 1}));
}

TEST(TableForm, ComparesPathsThatNeverArrive) {
  const Topology hosts{cabled_hosts(), Irregular{}};
  const Routing by_hosts = std::get<Routing>(route(hosts, "minhop"));
  const OtherPaths same = share_of_other_paths(hosts.fabric, by_hosts, by_hosts);
  EXPECT_EQ(same.compared, 12u);
  EXPECT_EQ(same.different, 0u);

  const Fabric f = two_switches();
  Tables around(f), lost(f);
  for (u32 to = 0; to < 3; ++to) around(Node{3}, Address{to}) = 2, around(Node{4}, Address{to}) = 1;
  const Routing circling{around, Source(TableWays{})}, empty{lost, Source(TableWays{})};
  EXPECT_EQ(share_of_other_paths(f, circling, circling).different, 0u);
  EXPECT_EQ(share_of_other_paths(f, circling, empty).different, 6u);
}

}  // namespace
}  // namespace banyan::tests
