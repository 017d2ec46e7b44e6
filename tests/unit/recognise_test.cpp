// Recognition of named fabrics: what a person would ask of it.
#include "topology/recognise/recognise.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engines/engine.hpp"
#include "support/shuffle.hpp"
#include "topology/recognise/embedding.hpp"

namespace banyan::tests {
namespace {

struct Seen {
  Topology original;
  Damage damage;
  Shuffled shuffled;
};

Seen see(const std::string& notation, u64 missing, u32 swaps, u64 seed) {
  Topology original = make_topology(notation);
  Random random(seed);
  Damage damage = undamaged(original.fabric);
  take_cables(damage, missing, random);
  for (u32 i = 0; i < swaps; ++i) swap_cables(damage, original.fabric, random);
  Shuffled out = shuffled(original.fabric, damage, random);
  return {std::move(original), std::move(damage), std::move(out)};
}

std::string notation_of(const Recognition& found) {
  return canonical_notation(build(found.candidate.shape, found.candidate.planes));
}

using CablePairs = std::multiset<std::pair<Node, Node>>;

TEST(Recognise, NamesEveryMissingCableOfALargeTree) {
  const Seen seen = see("PGFT(3; 18,18,6; 1,18,3; 1,1,6)", 30, 1, 7);
  const auto answer = recognise(seen.shuffled.fabric);
  ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << std::get<Unrecognised>(answer).why;
  const auto& found = std::get<Recognition>(answer);
  EXPECT_EQ(notation_of(found), "PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  EXPECT_EQ(found.wrong.size(), 2u);

  const Fabric& original = seen.original.fabric;
  CablePairs lost, named;  // in the raw numbers; a host without a cable has no place and is not named
  const auto is_placed = [&](Node raw) { return found.candidate.place[raw] != none<Node>; };
  const auto add = [&](CablePairs& to, Node a, Node b) {
    to.insert(std::minmax(is_placed(a) ? a : none<Node>, is_placed(b) ? b : none<Node>));
  };
  std::multiset<std::pair<Node, Node>> left;
  for (const Link& link : seen.damage.cables)
    left.insert(std::minmax({original.from(link.a), original.from(link.b)}));
  original.each_link([&](const Link& link) {
    const std::pair<Node, Node> pair = std::minmax({original.from(link.a), original.from(link.b)});
    if (const auto there = left.find(pair); there != left.end())
      left.erase(there);
    else
      add(lost, seen.shuffled.seen_as[pair.first], seen.shuffled.seen_as[pair.second]);
  });
  for (const MissingCable& cable : found.missing) named.insert(std::minmax({cable.raw_a, cable.raw_b}));
  EXPECT_EQ(lost.size(), 32u);
  EXPECT_EQ(lost, named);
}

TEST(Recognise, FindsMediumTreesWithCablesMissingAndTwoSwapped) {
  for (const char* notation :
       {"XGFT(3; 8,8,8; 1,8,8)", "XGFT(2; 18,36; 1,18)", "PGFT(2; 18,12; 1,6; 1,3)",
        "XGFT(3; 4,4,8; 1,4,4; hosts=3)", "2 x XGFT(2; 12,12; 1,6)", "PGFT(2; 6,8; 2,6; 1,2)"})
    for (u64 seed = 0; seed < 8; ++seed) {
      const u64 links = make_topology(notation).fabric.links();
      const Seen seen = see(notation, links * 3 / 100, 1, seed);
      const auto answer = recognise(seen.shuffled.fabric);
      ASSERT_TRUE(std::holds_alternative<Recognition>(answer))
          << notation << ", seed " << seed << ": " << std::get<Unrecognised>(answer).why;
      const auto& found = std::get<Recognition>(answer);
      EXPECT_EQ(build(found.candidate.shape, found.candidate.planes).fabric.links(), links) << notation;
      const auto switches =
          std::ranges::count_if(found.undecided, [&](Node v) { return seen.shuffled.fabric.is_switch(v); });
      EXPECT_LE(switches, 2) << notation << ", seed " << seed;
    }
}

// Every cable between switches in turn.
TEST(Recognise, OneMissingCableOfATreeIsOneMissingCable) {
  for (const char* notation : {"4-port 3-tree", "XGFT(3; 2,3,3; 1,2,2)", "2 x XGFT(2; 4,6; 1,2)"}) {
    const Topology original = make_topology(notation);
    const Fabric& fabric = original.fabric;
    const std::vector<Link> all = undamaged(fabric).cables;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!fabric.is_switch(fabric.from(all[i].a)) || !fabric.is_switch(fabric.from(all[i].b))) continue;
      Random random(i);
      Damage damage = undamaged(fabric);
      damage.cables.erase(damage.cables.begin() + static_cast<std::ptrdiff_t>(i));
      const Fabric raw = shuffled(fabric, damage, random).fabric;
      const auto answer = recognise(raw);
      const auto* found = std::get_if<Recognition>(&answer);
      ASSERT_TRUE(found) << notation << " without " << i << ": " << std::get<Unrecognised>(answer).why;
      EXPECT_EQ(notation_of(*found), canonical_notation(original));
      EXPECT_EQ(found->missing.size(), 1u) << notation << " without " << i;
      EXPECT_TRUE(found->undecided.empty()) << notation << " without " << i;
      EXPECT_EQ(as_topology(raw, *found).fabric.taken().size(), 1u) << notation << " without " << i;
    }
  }
}

// Two middle switches of different subtrees have lost a cable down each: they may have exchanged their
// places. The report says so, but calls neither of them dead.
TEST(Recognise, SwitchesInDoubtAreNotDead) {
  const Topology original = make_topology("XGFT(3; 2,2,12; 1,2,2)");
  const Fabric& fabric = original.fabric;
  Damage damage = undamaged(fabric);
  const auto take = [&](const std::string& a, const std::string& b) {
    return std::erase_if(damage.cables, [&](const Link& link) {
      return fabric.name(fabric.from(link.a)) == a && fabric.name(fabric.from(link.b)) == b;
    });
  };
  ASSERT_EQ(take("s1-0", "s2-0") + take("s1-2", "s2-2"), 2u);
  Random random(1);
  const Fabric raw = shuffled(fabric, damage, random).fabric;
  const auto answer = recognise(raw);
  ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << std::get<Unrecognised>(answer).why;
  const auto& found = std::get<Recognition>(answer);
  EXPECT_FALSE(found.undecided.empty());
  EXPECT_FALSE(found.doubts.empty());
  EXPECT_EQ(found.missing.size(), 2u);
  const Fabric named = as_topology(raw, found).fabric;
  EXPECT_EQ(named.switches(), fabric.switches());
  EXPECT_EQ(named.taken().size(), 2u);
}

// The cables between the two highest levels are fewer than a twentieth of all. That each of them was one of
// two is nevertheless no doubt.
TEST(Recognise, AThinTopLevelIsNoDoubt) {
  for (u64 seed = 1; seed <= 12; ++seed) {
    const Seen seen = see("XGFT(3; 18,18,6; 1,9,2)", 1, 0, seed);
    const auto answer = recognise(seen.shuffled.fabric);
    ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << std::get<Unrecognised>(answer).why;
    const auto& found = std::get<Recognition>(answer);
    EXPECT_EQ(notation_of(found), "XGFT(3; 18,18,6; 1,9,2)");
    EXPECT_EQ(found.missing.size(), 1u);
  }
}

// Four switches and four others with all cables between them; other twisted tori have such symmetries too.
TEST(Recognise, TwistedToriOfAllSizes) {
  for (u32 width = 2; width <= 10; ++width)
    for (u32 height = 2; height <= width; ++height)
      for (u32 hosts = 1; hosts <= 3; ++hosts) {
        const std::string notation = fmt::format("TwistedTorus({}x{}; hosts={})", width, height, hosts);
        const Fabric raw = see(notation, 0, 0, 1).shuffled.fabric;
        const auto answer = recognise(raw);
        const auto* found = std::get_if<Recognition>(&answer);
        ASSERT_TRUE(found) << notation << ": " << std::get<Unrecognised>(answer).why;
        EXPECT_TRUE(found->missing.empty() && found->wrong.empty() && found->undecided.empty()) << notation;
      }
}

TEST(Recognise, SaysWhyNot) {
  const auto answer = recognise(see("Jellyfish(50,7; hosts=4)", 0, 0, 1).shuffled.fabric);
  ASSERT_TRUE(std::holds_alternative<Unrecognised>(answer));
  EXPECT_FALSE(std::get<Unrecognised>(answer).why.empty());
}

// What was recognised is routed like the notation.
// Leaves A, B of one plane and C, D of the other have two cables each to the only top of their plane. With
// one cable of A and of C swapped, the graph is one swap away from four leaves that share both tops, too.
TEST(Recognise, PlanesWithASwapBetweenThemAreNotCalledRails) {
  const auto count = [](const std::string& notation) {
    u32 refused = 0;
    for (u64 seed = 0; seed < 200; ++seed) {
      const Seen seen = see(notation, 0, 1, seed);
      const auto answer = recognise(seen.shuffled.fabric);
      const auto* found = std::get_if<Recognition>(&answer);
      if (!found || found->wrong.empty()) {
        refused += !found;
        continue;
      }
      EXPECT_EQ(notation_of(*found), notation) << "seed " << seed;
    }
    return refused;
  };
  EXPECT_GT(count("2 x PGFT(2; 2,2; 1,1; 1,2)"), 0u);
  EXPECT_GT(count("XGFT(2; 2,4; 1,2; rails=2)"), 0u);  // the same, seen from the other side
}

// A mesh of rings of four cut open differs from a HyperX of pairs by four cables.
TEST(Recognise, AMeshIsNotCalledAHyperX) {
  for (u64 seed = 0; seed < 300; ++seed) {
    const Seen seen = see("Mesh(4x2x2; hosts=2)", seed % 3, seed % 2, seed);
    const auto answer = recognise(seen.shuffled.fabric);
    const auto* found = std::get_if<Recognition>(&answer);
    if (!found || (found->wrong.empty() && found->missing.empty())) continue;
    EXPECT_EQ(build(found->candidate.shape, 1).fabric.links(), seen.original.fabric.links())
        << "seed " << seed << ": " << notation_of(*found);
  }
}

TEST(Recognise, DirectNetworksAreWhatTheyWere) {
  for (const auto& [notation, engine] :
       {std::pair("Torus(6x5; hosts=2)", "dor"), std::pair("Torus(4x4x4)", "dor"),
        std::pair("Mesh(6x5)", "dor"), std::pair("Dragonfly(2,4,2)", "ugal")}) {
    const Fabric raw = see(notation, 0, 0, 1).shuffled.fabric;
    const auto answer = recognise(raw);
    ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << std::get<Unrecognised>(answer).why;
    const Topology found = as_topology(raw, std::get<Recognition>(answer));
    EXPECT_EQ(canonical_notation(found), canonical_notation(make_topology(notation)));
    EXPECT_TRUE(std::holds_alternative<Routing>(engines::route(found, engine))) << notation;
  }
}

TEST(Recognise, ATopologyKeepsNumbersNamesAndWhatIsMissing) {
  const Seen seen = see("XGFT(2; 4,8; 1,4)", 5, 1, 3);
  const auto answer = recognise(seen.shuffled.fabric);
  ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << std::get<Unrecognised>(answer).why;
  const auto& found = std::get<Recognition>(answer);
  const Topology topology = as_topology(seen.shuffled.fabric, found);
  EXPECT_EQ(canonical_notation(topology), "XGFT(2; 4,8; 1,4)");
  EXPECT_EQ(topology.fabric.links(), seen.shuffled.fabric.links());
  EXPECT_FALSE(topology.fabric.taken().empty());
  for (Node v : seen.shuffled.fabric.nodes()) {
    const Node place = found.candidate.place[v];
    if (place == none<Node>) continue;
    EXPECT_EQ(topology.fabric.name(place), seen.shuffled.fabric.name(v));
  }
}

// A path of four whose ends differ in kind lies in a ring of four in one direction alone.
TEST(Recognise, AGraphThatLacksEdgesKeepsKindsAndEdges) {
  const SwitchNeighbours ring = {{{1, 1}, {3, 1}}, {{0, 1}, {2, 1}}, {{1, 1}, {3, 1}}, {{0, 1}, {2, 1}}};
  const SwitchNeighbours path = {{{2, 1}}, {{2, 1}, {3, 1}}, {{0, 1}, {1, 1}}, {{1, 1}}};
  u64 steps = 100'000;
  const auto map = embed({path, {1, 0, 0, 0}}, {ring, {0, 0, 0, 1}}, steps);
  ASSERT_TRUE(map);
  EXPECT_EQ((*map)[0], 3u);
  EXPECT_EQ((*map)[1], 1u);  // two edges further
  EXPECT_LT(steps, 100'000u);
  EXPECT_FALSE(embed({path, {1, 1, 0, 0}}, {ring, {1, 1, 0, 0}}, steps));  // they are no neighbours here
  EXPECT_FALSE(embed({ring, {0, 0, 0, 0}}, {path, {0, 0, 0, 0}}, steps));
  u64 too_few = 1;
  EXPECT_FALSE(embed({path, {0, 0, 0, 0}}, {ring, {0, 0, 0, 0}}, too_few));
}

}  // namespace
}  // namespace banyan::tests
