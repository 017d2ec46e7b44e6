// same_graph() against all permutations of small graphs.
#include "topology/recognise/same_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace banyan::tests {
namespace {

using topology::ColouredGraph;

constexpr u64 enough = u64{1} << 40;

void add_edge(ColouredGraph& graph, u32 a, u32 b) {
  graph.neighbours[a].push_back(b);
  graph.neighbours[b].push_back(a);
}

ColouredGraph without_edges(u32 count, u32 colours, Random& random) {
  ColouredGraph out{std::vector<std::vector<u32>>(count), {}};
  for (u32 v = 0; v < count; ++v) out.colours.push_back(static_cast<u32>(random.below(colours)));
  return out;
}

// Some pairs have an edge, and some of these two.
ColouredGraph drawn_coloured(u32 count, u32 colours, u32 percent, Random& random) {
  ColouredGraph out = without_edges(count, colours, random);
  for (u32 a = 0; a < count; ++a)
    for (u32 b = a + 1; b < count; ++b)
      for (u32 edges = 0; edges < 2 && random.below(100) < percent; ++edges) add_edge(out, a, b);
  return out;
}

ColouredGraph renumbered(const ColouredGraph& graph, Random& random) {
  std::vector<u32> number(graph.colours.size());
  std::iota(number.begin(), number.end(), 0u);
  random.shuffle(std::span(number));
  ColouredGraph out{std::vector<std::vector<u32>>(number.size()), std::vector<u32>(number.size())};
  for (u32 v = 0; v < number.size(); ++v) {
    out.colours[number[v]] = graph.colours[v];
    for (const u32 w : graph.neighbours[v]) out.neighbours[number[v]].push_back(number[w]);
  }
  return out;
}

// The promise: one to one, with the same colours and edges.
bool is_same(const ColouredGraph& a, const ColouredGraph& b, const std::vector<u32>& map) {
  std::vector<u32> sorted = map, all(b.colours.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  if (sorted != all) return false;
  for (u32 v = 0; v < map.size(); ++v) {
    std::vector<u32> here, there = b.neighbours[map[v]];
    for (const u32 w : a.neighbours[v]) here.push_back(map[w]);
    std::sort(here.begin(), here.end());
    std::sort(there.begin(), there.end());
    if (here != there || a.colours[v] != b.colours[map[v]]) return false;
  }
  return true;
}

bool is_same_by_trying_all(const ColouredGraph& a, const ColouredGraph& b) {
  if (a.colours.size() != b.colours.size()) return false;
  std::vector<u32> map(a.colours.size());
  std::iota(map.begin(), map.end(), 0u);
  do {
    if (is_same(a, b, map)) return true;
  } while (std::next_permutation(map.begin(), map.end()));
  return false;
}

RC_GTEST_PROP(SameGraph, FindsAMapWhereOneOfAllPermutationsIs, (u64 seed)) {
  const u32 count = *rc::gen::inRange(1u, 7u), colours = *rc::gen::inRange(1u, 3u);
  const u32 percent = *rc::gen::inRange(10u, 91u);
  Random random(seed);
  const ColouredGraph a = drawn_coloured(count, colours, percent, random);
  ColouredGraph b = renumbered(a, random);
  if (random.below(2)) {  // nearly the same
    const u32 from = static_cast<u32>(random.below(count)), to = static_cast<u32>(random.below(count));
    if (from != to) add_edge(b, from, to);
  }
  if (random.below(4) == 0) b = drawn_coloured(count, colours, percent, random);
  u64 steps = enough;
  const auto map = same_graph(a, b, steps);
  RC_CLASSIFY(map.has_value(), "the same");
  RC_ASSERT(map.has_value() == is_same_by_trying_all(a, b));
  if (map) RC_ASSERT(is_same(a, b, *map));
}

// Switches with the same neighbours are one: of these graphs two vertices are left, and an edge.
TEST(SameGraph, CompleteBipartiteGraphsAreThemselves) {
  Random random(1);
  for (u32 left = 1; left < 6; ++left)
    for (u32 right = 1; right < 6; ++right) {
      ColouredGraph graph = without_edges(left + right, 1, random);
      for (u32 a = 0; a < left; ++a)
        for (u32 b = left; b < left + right; ++b) add_edge(graph, a, b);
      const ColouredGraph other = renumbered(graph, random);
      u64 steps = enough;
      const auto map = same_graph(graph, other, steps);
      ASSERT_TRUE(map) << left << " and " << right;
      EXPECT_TRUE(is_same(graph, other, *map)) << left << " and " << right;
    }
}

ColouredGraph rings(u32 count, u32 length, Random& random) {
  ColouredGraph out = without_edges(count * length, 1, random);
  for (u32 ring = 0; ring < count; ++ring)
    for (u32 i = 0; i < length; ++i) add_edge(out, ring * length + i, ring * length + (i + 1) % length);
  return out;
}

// A vertex of every ring gets a colour of its own, one after the other.
TEST(SameGraph, ADeepSearchTakesItsStepsOffAndEndsWithThem) {
  Random random(1);
  const ColouredGraph graph = rings(200, 5, random), other = renumbered(graph, random);
  u64 steps = enough, few = 100'000;
  const auto map = same_graph(graph, other, steps);
  ASSERT_TRUE(map);
  EXPECT_TRUE(is_same(graph, other, *map));
  EXPECT_GT(enough - steps, few);
  EXPECT_FALSE(same_graph(graph, other, few));
  EXPECT_EQ(few, 0u);
}

}  // namespace
}  // namespace banyan::tests
