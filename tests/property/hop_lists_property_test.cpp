// The simulator's lists of hops against the forwards that they were made from, along the ways of packets.
#include "flit/hop_lists.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

#include "flit/router.hpp"
#include "routing/flow_hash.hpp"
#include "support/random_simulation.hpp"

namespace banyan::tests {
namespace {

using flit::HopLists;
using flit::ListedHop;

struct Course {
  const Routing& routing;
  const flit::Layout& layout;
  const HopLists& lists;
  std::vector<u16> permitted;
  u32 listed = 0;  // nodes at which the list had the answer

  u16 permits(const Hop& hop) const { return permitted[hop.lanes & (permitted.size() - 1)]; }

  // The hops offered to a header, compared with the list.
  template <class F>
  Hops look(const F& forward, Node node, const Header& header) {
    constexpr bool hashes = std::same_as<F, HashedNextHops>;
    Hops hops;
    offered(forward, node, header, hops);
    if (layout.is_nic(node)) {
      if (const u16 lanes = lists.nic_lanes(header); lanes != 0) {
        RC_ASSERT(hops.size() == 1u && hops[0].port == Port{0} && hops[0].state == header.state);
        RC_ASSERT(permits(hops[0]) == lanes);
      }
      return hops;
    }
    if (!flit::Listed<F>) return hops;
    const HopLists::Row& row = hashes ? lists.row_of_hash(node, header) : lists.row(node, header);
    if (row.count == 0) return hops;
    ++listed;
    std::vector<Hop> sorted(hops.begin(), hops.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Hop& a, const Hop& b) { return a.left < b.left; });
    const ListedHop* hop = lists.hops(row);
    if constexpr (hashes)
      hop += row.count == 1 ? 0 : hash_choice(header, node, row.count);
    else
      RC_ASSERT(row.count == hops.size());
    for (u32 i = 0; i < sorted.size(); ++i, ++hop) {
      RC_ASSERT(lists.port(*hop, header.to) == index(sorted[i].port));
      RC_ASSERT(hop->lanes == permits(sorted[i]));
      RC_ASSERT(hop->left == sorted[i].left || is_for_all_destinations<F>(header));
      if (!hashes) RC_ASSERT(hop->state == sorted[i].state);
      if (!hashes && !row.differ)
        RC_ASSERT(hop->lanes == lists.hops(row)->lanes && sorted[i].left == sorted[0].left);
      check_lanes(*hop, row.lanes);
    }
    return hops;
  }
  // On the way to a middle, `left` is that of any destination.
  template <class F>
  static bool is_for_all_destinations(const Header& header) {
    return std::same_as<F, HyperXDetours> && header.state == Detour::to_middle;
  }
  static void check_lanes(const ListedHop& hop, u32 lanes_of_each) {
    const auto count = static_cast<u32>(std::popcount(hop.lanes));
    RC_ASSERT(lanes_of_each == 0 || lanes_of_each == count);
    if (lanes_of_each == 4) RC_ASSERT(hop.lanes == 0xf);
    if (lanes_of_each == 2) RC_ASSERT(hop.lanes == (1u << hop.first | 1u << hop.second));
    if (lanes_of_each == 1) RC_ASSERT(hop.lanes == 1u << hop.first);
  }

  // A packet goes by any of the hops that it is offered.
  void follow(const Fabric& fabric, Nic from, Nic to, Random random) {
    const u32 count = routing.source.count(from, to, 0);
    if (count == 0) return;
    Header header = routing.source.way(from, to, 0, static_cast<u32>(random.below(count)));
    for (Node node = fabric.node(from); node != fabric.node(to);) {
      const Hops hops = std::visit([&](const auto& f) { return look(f, node, header); }, routing.forward);
      if (hops.size() == 0 || hops[0].port == none<Port>) return;  // cables are missing: there is no way
      const Hop& hop = hops[random.below(hops.size())];
      header.state = hop.state;
      node = fabric.to(fabric.channel(node, hop.port));
    }
  }
};

RC_GTEST_PROP(HopLists, SayWhatTheForwardSays, ()) {
  const char* names[] = {"ecmp:paths=5", "adaptive", "minadaptive", "dal", "ugal", "valiant", "par"};
  Topology t = small_topology(draw(1, 2));
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 10);
  const RouteResult result = route(t, names[draw(0, 6)]);
  RC_PRE(std::holds_alternative<Routing>(result) && t.fabric.hosts() > 1);
  const Routing& routing = std::get<Routing>(result);
  NetworkOptions network;
  network.lanes = routing.lanes + draw(0, 2);
  const flit::Layout layout(t.fabric, network, {});
  const std::vector<u16> permitted = flit::permitted_lanes(routing.lanes, network.lanes);
  const HopLists lists(layout, t.fabric, routing, permitted);
  RC_PRE(!lists.is_empty());
  Course course{routing, layout, lists, permitted};
  for (u32 i = 0; i < 60; ++i) {
    const Nic from{draw(0, t.fabric.nics() - 1)}, to{draw(0, t.fabric.nics() - 1)};
    if (from != to && t.fabric.plane(from) == t.fabric.plane(to))
      course.follow(t.fabric, from, to, Random(draw(0, 1000)));
  }
  RC_CLASSIFY(course.listed > 0u);
}

TEST(HopLists, HoldAHyperXWhole) {
  const Topology t = make_topology("HyperX(3x3; hosts=2)");
  const Routing routing = std::get<Routing>(route(t, "minadaptive"));
  const flit::Layout layout(t.fabric, {}, {});
  const HopLists lists(layout, t.fabric, routing, flit::permitted_lanes(routing.lanes, routing.lanes));
  const Header header = routing.source.way(Nic{0}, Nic{17}, 0, 0);  // to the other corner
  EXPECT_GT(lists.nic_lanes(header), 0);
  EXPECT_EQ(lists.row(t.fabric.to(t.fabric.channel(t.fabric.node(Nic{0}), Port{0})), header).count, 2);
}

TEST(HopLists, HoldTheWayToAMiddle) {
  const Topology t = make_topology("HyperX(3x3; hosts=2)");
  const Routing routing = std::get<Routing>(route(t, "valiant"));
  const flit::Layout layout(t.fabric, {}, {});
  const HopLists lists(layout, t.fabric, routing, flit::permitted_lanes(routing.lanes, routing.lanes));
  const Header header{.to = Address{17}, .state = Detour::to_middle, .tag = 1};
  const auto first_hop = [&](u32 v) {
    const HopLists::Row& row = lists.row(Node{t.fabric.nics() + v}, header);
    return row.count == 0 ? ListedHop{} : *lists.hops(row);
  };
  EXPECT_EQ(first_hop(0).state, Detour::to_middle);
  EXPECT_EQ(first_hop(1).state, Detour::to_goal(1));  // the middle
  EXPECT_EQ(first_hop(8).lanes, 0);                   // the destination's switch: nothing is listed
}

TEST(HopLists, HoldBothWaysOfAPacketThatChooses) {
  for (const char* notation : {"HyperX(3x3; hosts=2)", "Dragonfly(2,4,2)"}) {
    const Topology t = make_topology(notation);
    const Routing routing = std::get<Routing>(route(t, "ugal"));
    const flit::Layout layout(t.fabric, {}, {});
    const HopLists lists(layout, t.fabric, routing, flit::permitted_lanes(routing.lanes, routing.lanes));
    const Header header{.to = Address{17}, .state = Detour::undecided, .tag = 1};
    const HopLists::Row& row = lists.row(Node{t.fabric.nics()}, header);
    EXPECT_EQ(row.count, 3) << notation;  // on two lanes to the goal, and to the middle
    EXPECT_TRUE(row.differ);
  }
}

// On a Dragonfly by middle and destination; on a HyperX by middle, also where the other lists would be large.
TEST(HopLists, HoldTheWayToAMiddleOfLargeAndSmallFabrics) {
  const auto counts = [](const char* notation, const char* engine) {
    const Topology t = make_topology(notation);
    const Routing routing = std::get<Routing>(route(t, engine));
    const flit::Layout layout(t.fabric, {}, {});
    const HopLists lists(layout, t.fabric, routing, flit::permitted_lanes(routing.lanes, routing.lanes));
    const auto count = [&](u8 state) {
      const Header header{.to = Address{t.fabric.nics() - 1}, .state = state, .tag = 1};
      return u32{lists.row(Node{t.fabric.nics()}, header).count};
    };
    return std::pair(count(Detour::undecided), count(Detour::to_middle));
  };
  using Counts = std::pair<u32, u32>;
  EXPECT_EQ(counts("Dragonfly(2,4,2)", "ugal"), (Counts{3, 1}));
  EXPECT_EQ(counts("Dragonfly(2,4,2)", "valiant"), (Counts{0, 1}));      // nobody is undecided
  EXPECT_EQ(counts("Dragonfly(2,4,2)", "minadaptive"), (Counts{0, 0}));  // nobody takes a detour
  EXPECT_EQ(counts("HyperX(8x8)", "ugal"), (Counts{3, 1}));
  EXPECT_EQ(counts("HyperX(8x8)", "valiant"), (Counts{0, 1}));
  EXPECT_EQ(counts("HyperX(5x13)", "ugal"), (Counts{0, 1}));  // 65 switches
}

// Above the bound nothing is listed.
TEST(HopLists, AreEmptyWhereTheyWouldBeLarge) {
  const auto lists_of = [](const char* notation, const char* engine) {
    const Topology t = make_topology(notation);
    const Routing routing = std::get<Routing>(route(t, engine));
    const flit::Layout layout(t.fabric, {}, {});
    return HopLists(layout, t.fabric, routing, flit::permitted_lanes(routing.lanes, routing.lanes));
  };
  EXPECT_FALSE(lists_of("4-ary 3-tree", "adaptive").is_empty());
  EXPECT_FALSE(lists_of("4-ary 3-tree", "ecmp").is_empty());
  EXPECT_FALSE(lists_of("Dragonfly(2,4,2)", "ugal").is_empty());
  EXPECT_TRUE(lists_of("PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "ecmp").is_empty());
  EXPECT_TRUE(lists_of("4-ary 3-tree", "dmodk").is_empty());
}

}  // namespace
}  // namespace banyan::tests
