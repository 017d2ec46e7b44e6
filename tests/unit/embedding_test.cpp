// embed(): small graphs against all permutations, and damaged members of families.
#include "topology/recognise/embedding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "support/small_graphs.hpp"

namespace banyan::tests {
namespace {

using topology::SwitchNeighbours;
using EmbeddedPlaces = std::vector<u32>;

constexpr u64 enough_steps = u64{1} << 40;

SwitchNeighbours neighbour_lists(const Neighbours& graph) {
  SwitchNeighbours out(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const u32 to : graph[v]) out[v].push_back({to, 1});
  return out;
}

std::optional<EmbeddedPlaces> embedded_in(const Neighbours& part, const Neighbours& whole, u64& steps) {
  const SwitchNeighbours near = neighbour_lists(part), all = neighbour_lists(whole);
  return topology::embed({near, std::vector<u32>(near.size())}, {all, std::vector<u32>(all.size())}, steps);
}

void join_vertices(Neighbours& graph, u32 a, u32 b) {
  graph[a].insert(b);
  graph[b].insert(a);
}

// The promise: one to one, and neighbours stay neighbours.
bool is_embedding(const Neighbours& part, const Neighbours& whole, const EmbeddedPlaces& place) {
  EmbeddedPlaces sorted = place, all(whole.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  if (sorted != all) return false;
  for (std::size_t v = 0; v < part.size(); ++v)
    for (const u32 to : part[v])
      if (!whole[place[v]].contains(place[to])) return false;
  return true;
}

bool exists_by_trying_all(const Neighbours& part, const Neighbours& whole) {
  EmbeddedPlaces place(part.size());
  std::iota(place.begin(), place.end(), 0u);
  do {
    if (is_embedding(part, whole, place)) return true;
  } while (std::next_permutation(place.begin(), place.end()));
  return false;
}

Neighbours drawn_graph(Random& random, u32 count, u32 percent) {
  Neighbours out(count);
  for (u32 a = 0; a < count; ++a)
    for (u32 b = a + 1; b < count; ++b)
      if (random.below(100) < percent) join_vertices(out, a, b);
  return out;
}

// The same graph with other numbers, without `lost` of its edges.
Neighbours renumbered_without(Random& random, const Neighbours& whole, u32 lost) {
  EmbeddedPlaces number(whole.size());
  std::iota(number.begin(), number.end(), 0u);
  random.shuffle(std::span(number));
  std::vector<std::pair<u32, u32>> edges;
  for (u32 a = 0; a < whole.size(); ++a)
    for (const u32 b : whole[a])
      if (a < b) edges.emplace_back(number[a], number[b]);
  random.shuffle(std::span(edges));
  edges.resize(edges.size() - std::min<std::size_t>(lost, edges.size()));
  Neighbours out(whole.size());
  for (const auto& [a, b] : edges) join_vertices(out, a, b);
  return out;
}

TEST(Embed, FindsAMapOfSixVerticesWhereOneOfAllPermutationsIs) {
  Random random(7);
  u32 found = 0, none = 0;
  for (u32 i = 0; i < 300; ++i) {
    const u32 dense = 30 + static_cast<u32>(random.below(60));
    const u32 sparse = static_cast<u32>(random.below(dense));
    const Neighbours whole = drawn_graph(random, 6, dense), part = drawn_graph(random, 6, sparse);
    u64 steps = enough_steps;
    const auto place = embedded_in(part, whole, steps);
    ASSERT_EQ(place.has_value(), exists_by_trying_all(part, whole)) << i;
    if (place) {
      ASSERT_TRUE(is_embedding(part, whole, *place)) << i;
    }
    ++(place ? found : none);
  }
  EXPECT_GT(found, 30u);
  EXPECT_GT(none, 30u);
}

TEST(Embed, FindsDamagedMembersOfFamilies) {
  Random random(3);
  for (const char* notation : {"SlimFly(3)", "SlimFly(4)", "SlimFly(5)", "PolarFly(4)", "Kautz(3,3)"})
    for (const u32 lost : {0u, 1u, 3u}) {
      const Neighbours whole = graph_of(notation), part = renumbered_without(random, whole, lost);
      u64 steps = u64{1} << 32;
      const auto place = embedded_in(part, whole, steps);
      ASSERT_TRUE(place) << notation << " " << lost;
      EXPECT_TRUE(is_embedding(part, whole, *place)) << notation << " " << lost;
    }
}

// Kinds against all permutations, too.
TEST(Embed, KeepsKinds) {
  Random random(11);
  u32 found = 0, none = 0;
  for (u32 i = 0; i < 200; ++i) {
    const Neighbours whole = drawn_graph(random, 6, 80), part = drawn_graph(random, 6, 30);
    const SwitchNeighbours near = neighbour_lists(part), all = neighbour_lists(whole);
    std::vector<u32> here(6), there(6);
    for (u32 v = 0; v < 6; ++v) here[v] = there[v] = v / 2;
    random.shuffle(std::span(here));
    u64 steps = enough_steps;
    const auto place = topology::embed({near, here}, {all, there}, steps);
    const auto keeps_kinds = [&](const EmbeddedPlaces& at) {
      for (u32 v = 0; v < 6; ++v)
        if (here[v] != there[at[v]]) return false;
      return is_embedding(part, whole, at);
    };
    EmbeddedPlaces at(6);
    std::iota(at.begin(), at.end(), 0u);
    bool exists = false;
    do exists = exists || keeps_kinds(at);
    while (std::next_permutation(at.begin(), at.end()));
    ASSERT_EQ(place.has_value(), exists) << i;
    if (place) {
      ASSERT_TRUE(keeps_kinds(*place)) << i;
    }
    ++(place ? found : none);
  }
  EXPECT_GT(found, 10u);
  EXPECT_GT(none, 10u);
}

TEST(Embed, TakesItsStepsOffAndEndsWithThem) {
  const Neighbours whole = graph_of("SlimFly(5)");
  u64 steps = enough_steps, none = 0, few = 10;
  ASSERT_TRUE(embedded_in(whole, whole, steps));
  EXPECT_LT(steps, enough_steps);
  EXPECT_FALSE(embedded_in(whole, whole, none));
  EXPECT_FALSE(embedded_in(whole, whole, few));
  EXPECT_EQ(few, 0u);
}

TEST(Embed, WantsAsManyVerticesAndNoOtherEdges) {
  u64 steps = enough_steps;
  const Neighbours five = graph_of("SlimFly(5)");
  EXPECT_FALSE(embedded_in(graph_of("SlimFly(4)"), five, steps));
  EXPECT_FALSE(embedded_in({}, {}, steps));
  Neighbours more = graph_of("SlimFly(4)");
  join_vertices(more, 0,
                *std::find_if(more[*more[0].begin()].begin(), more[*more[0].begin()].end(),
                              [&](u32 v) { return v != 0 && !more[0].contains(v); }));
  EXPECT_FALSE(embedded_in(more, graph_of("SlimFly(4)"), steps));
}

}  // namespace
}  // namespace banyan::tests
