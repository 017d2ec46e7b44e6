// Graphs of families against published tables, and against their definitions by brute force: sizes, degrees,
// diameters, girths and spectra. What a family's own test shows already is not repeated here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "support/small_graphs.hpp"

namespace banyan::tests {
namespace {

using CountsOfDegrees = std::map<std::size_t, u32>;

// Eigenvalues with their multiplicities, as a list that begins with the largest.
std::vector<double> with_multiplicities(const std::vector<std::pair<double, u32>>& values) {
  std::vector<double> out;
  for (const auto& [value, times] : values) out.insert(out.end(), times, value);
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

void expect_spectrum(const Neighbours& graph, const std::vector<double>& expected, std::string_view what) {
  const std::vector<double> found = spectrum(graph);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-7) << what << ' ' << i;
}

// All sums of an eigenvalue of each factor: the spectrum of a Cartesian product.
std::vector<double> sums_of(const std::vector<std::vector<double>>& factors) {
  std::vector<double> out = {0};
  for (const auto& factor : factors) {
    std::vector<double> next;
    for (const double a : out)
      for (const double b : factor) next.push_back(a + b);
    out = next;
  }
  std::sort(out.begin(), out.end(), std::greater<>());
  return out;
}

std::vector<double> complete_spectrum(u32 n) { return with_multiplicities({{n - 1.0, 1}, {-1, n - 1}}); }

std::vector<double> ring_spectrum(u32 n) {
  std::vector<double> out;
  for (u32 i = 0; i < n; ++i) out.push_back(2 * std::cos(2 * std::numbers::pi * i / n));
  return out;
}

std::vector<double> line_spectrum(u32 n) {
  std::vector<double> out;
  for (u32 i = 1; i <= n; ++i) out.push_back(2 * std::cos(std::numbers::pi * i / (n + 1)));
  return out;
}

Neighbours graph_where(u32 size, const std::function<bool(u32, u32)>& are_joined) {
  Neighbours out(size);
  for (u32 a = 0; a < size; ++a)
    for (u32 b = 0; b < size; ++b)
      if (a != b && (are_joined(a, b) || are_joined(b, a))) out[a].insert(b);
  return out;
}

// For each switch how many there are at each distance, sorted: the same for graphs that differ in numbers
// only.
std::vector<std::vector<u32>> distance_counts(const Neighbours& graph) {
  std::vector<std::vector<u32>> out;
  for (u32 start = 0; start < graph.size(); ++start) {
    std::vector<u32> distance(graph.size(), ~0u), front = {start}, count;
    distance[start] = 0;
    for (std::size_t i = 0; i < front.size(); ++i) {
      count.resize(std::max<std::size_t>(count.size(), distance[front[i]] + 1));
      ++count[distance[front[i]]];
      for (const u32 next : graph[front[i]])
        if (distance[next] == ~0u) distance[next] = distance[front[i]] + 1, front.push_back(next);
    }
    out.push_back(count);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_same_graph(const Neighbours& found, const Neighbours& defined, std::string_view what) {
  EXPECT_EQ(distance_counts(found), distance_counts(defined)) << what;
  EXPECT_EQ(girth(found), girth(defined)) << what;
  expect_spectrum(found, spectrum(defined), what);
}

// The graph that every textbook has: the pairs of five things, joined where they have nothing in common.
TEST(SmallGraphs, KnowThePetersenGraph) {
  std::vector<std::pair<u32, u32>> pairs;
  for (u32 a = 0; a < 5; ++a)
    for (u32 b = a + 1; b < 5; ++b) pairs.emplace_back(a, b);
  const auto petersen = graph_where(10, [&](u32 x, u32 y) {
    return std::set{pairs[x].first, pairs[x].second, pairs[y].first, pairs[y].second}.size() == 4;
  });
  EXPECT_EQ(degrees(petersen), (CountsOfDegrees{{3, 10}}));
  EXPECT_EQ(diameter(petersen), 2u);
  EXPECT_EQ(girth(petersen), 5u);
  expect_spectrum(petersen, with_multiplicities({{3, 1}, {1, 5}, {-2, 4}}), "Petersen");
}

// The largest known graphs of diameter 2 by degree, as the tables of the degree-diameter problem list them
// (Comellas; as of 2022): where these are Slim Flies and PolarFlies.
TEST(GraphTables, HoldTheLargestKnownGraphsOfDiameterTwo) {
  const std::map<u32, std::pair<const char*, u32>> table = {
      {7, {"SlimFly(5)", 50}},     {8, {"PolarFly(7)", 57}},  {10, {"PolarFly(9)", 91}},
      {12, {"PolarFly(11)", 133}}, {13, {"SlimFly(9)", 162}}, {14, {"PolarFly(13)", 183}},
  };
  for (const auto& [degree, entry] : table) {
    const auto graph = graph_of(entry.first);
    EXPECT_EQ(graph.size(), entry.second) << entry.first;
    EXPECT_EQ(degrees(graph).rbegin()->first, degree) << entry.first;
    EXPECT_EQ(diameter(graph), 2u) << entry.first;
  }
}

TEST(GraphTables, HoffmanAndSingletonsSpectrum) {
  expect_spectrum(graph_of("SlimFly(5)"), with_multiplicities({{7, 1}, {2, 28}, {-3, 21}}), "SlimFly(5)");
}

// McKay, Miller and Siran's definition over a prime field. Switches (0, x, y) and (1, m, c) are joined where
// y = m x + c; two with the same x, or m, where their last coordinates differ by an element of a set.
Neighbours mckay_miller_siran(u32 q, const std::set<u32>& x_set, const std::set<u32>& m_set) {
  return graph_where(2 * q * q, [&](u32 a, u32 b) {
    const u32 x = a / q % q, y = a % q, m = b / q % q, c = b % q;
    const bool is_first[] = {a < q * q, b < q * q};
    if (is_first[0] && !is_first[1]) return y == (m * x + c) % q;
    if (is_first[0] != is_first[1] || x != m) return false;
    return (is_first[0] ? x_set : m_set).contains((y + q - c) % q);
  });
}

// Powers of a primitive element, as Hafner lists them: 2 of 5, 3 of 7, 2 of 13.
TEST(GraphTables, SlimFliesAreTheGraphsOfMcKayMillerAndSiran) {
  expect_same_graph(graph_of("SlimFly(5)"), mckay_miller_siran(5, {1, 4}, {2, 3}), "SlimFly(5)");
  expect_same_graph(graph_of("SlimFly(7)"), mckay_miller_siran(7, {1, 2, 6, 5}, {3, 6, 4, 1}), "SlimFly(7)");
}

// The polarity's matrix, with ones on the diagonal for points on their own line, squares to J + q I.
TEST(GraphTables, PolarFliesHaveTheSpectrumOfAPolarity) {
  for (const u32 q : {2u, 3u, 4u, 5u, 7u}) {
    auto graph = graph_of(fmt::format("PolarFly({})", q));
    for (u32 s = 0; s < graph.size(); ++s)
      if (graph[s].size() == q) graph[s].insert(s);
    const u32 half = (q * q + q) / 2;
    expect_spectrum(graph, with_multiplicities({{q + 1.0, 1}, {std::sqrt(q), half}, {-std::sqrt(q), half}}),
                    fmt::format("PolarFly({})", q));
  }
}

TEST(GraphTables, ProductsOfCompleteGraphsHaveTheirSpectrum) {
  expect_spectrum(graph_of("FullMesh(9)"), complete_spectrum(9), "FullMesh(9)");
  expect_spectrum(graph_of("HyperX(5x4x3)"),
                  sums_of({complete_spectrum(5), complete_spectrum(4), complete_spectrum(3)}),
                  "HyperX(5x4x3)");
  expect_spectrum(graph_of("HyperX(4x4; hosts=2, trunk=2)"),
                  sums_of({complete_spectrum(4), complete_spectrum(4)}), "trunks are one edge");
  expect_spectrum(graph_of("Hypercube(6)"),
                  with_multiplicities({{6, 1}, {4, 6}, {2, 15}, {0, 20}, {-2, 15}, {-4, 6}, {-6, 1}}),
                  "Hypercube(6)");
  expect_spectrum(graph_of("3-ary 3-flat"), sums_of({complete_spectrum(3), complete_spectrum(3)}),
                  "3-ary 3-flat");
  EXPECT_EQ(girth(graph_of("HyperX(5x4x3)")), 3u);
  EXPECT_EQ(girth(graph_of("Hypercube(6)")), 4u);
}

TEST(GraphTables, ProductsOfRingsAndLinesHaveTheirSpectrum) {
  expect_spectrum(graph_of("Torus(5x4x3)"), sums_of({ring_spectrum(5), ring_spectrum(4), ring_spectrum(3)}),
                  "Torus(5x4x3)");
  expect_spectrum(graph_of("5-ary 2-cube"), sums_of({ring_spectrum(5), ring_spectrum(5)}), "5-ary 2-cube");
  expect_spectrum(graph_of("Mesh(5x4x2)"), sums_of({line_spectrum(5), line_spectrum(4), line_spectrum(2)}),
                  "Mesh(5x4x2)");
  expect_spectrum(graph_of("4-ary 2-mesh"), sums_of({line_spectrum(4), line_spectrum(4)}), "4-ary 2-mesh");
  EXPECT_EQ(girth(graph_of("Torus(7)")), 7u);
  EXPECT_EQ(girth(graph_of("Torus(5x6)")), 4u);
  EXPECT_EQ(girth(graph_of("Mesh(5x4)")), 4u);
}

// A twisted torus is the plane modulo (a, 0) and (w, b): its characters are (i / a, (j - w i / a) / b).
TEST(GraphTables, TwistedToriHaveTheSpectrumOfTheirLattice) {
  const u32 a = 8, b = 4;
  for (const u32 w : {0u, 2u, 3u, 4u}) {
    std::vector<double> expected;
    for (u32 i = 0; i < a; ++i)
      for (u32 j = 0; j < b; ++j) {
        const double x = static_cast<double>(i) / a, y = (j - w * x) / b;
        expected.push_back(2 * std::cos(2 * std::numbers::pi * x) + 2 * std::cos(2 * std::numbers::pi * y));
      }
    std::sort(expected.begin(), expected.end(), std::greater<>());
    const std::string notation = fmt::format("TwistedTorus(8x4; twist={})", w);
    expect_spectrum(graph_of(notation), expected, notation);
    EXPECT_EQ(girth(graph_of(notation)), 4u);
  }
}

// Words in which no letter follows itself, joined to those that begin with their tail.
TEST(GraphTables, KautzGraphsAreThoseOfTheirWords) {
  for (const auto& [d, n] : {std::pair(2u, 2u), {2u, 3u}, {3u, 3u}, {2u, 5u}}) {
    std::vector<std::vector<u32>> words;
    std::vector<u32> word(n);
    const std::function<void(u32)> fill = [&](u32 at) {
      if (at == n) return words.push_back(word);
      for (word[at] = 0; word[at] <= d; ++word[at])
        if (at == 0 || word[at] != word[at - 1]) fill(at + 1);
    };
    fill(0);
    const auto defined = graph_where(static_cast<u32>(words.size()), [&](u32 a, u32 b) {
      return std::equal(words[a].begin() + 1, words[a].end(), words[b].begin());
    });
    expect_same_graph(graph_of(fmt::format("Kautz({},{})", d, n)), defined,
                      fmt::format("Kautz({},{})", d, n));
  }
}

// Kim et al. 2008: g = a h + 1 complete groups of a switches, every two of them joined by one cable.
TEST(GraphTables, DragonfliesAreCompleteGroupsJoinedOnce) {
  const u32 a = 4, h = 2, groups = a * h + 1;
  const auto graph = graph_of("Dragonfly(2,4,2)");
  ASSERT_EQ(graph.size(), a * groups);
  std::map<std::pair<u32, u32>, u32> cables;
  for (u32 s = 0; s < graph.size(); ++s)
    for (const u32 next : graph[s]) ++cables[{s / a, next / a}];
  for (u32 x = 0; x < groups; ++x)
    for (u32 y = 0; y < groups; ++y) EXPECT_EQ((cables[{x, y}]), x == y ? a * (a - 1) : 1u);
  EXPECT_EQ(degrees(graph), (CountsOfDegrees{{a - 1 + h, a * groups}}));
  EXPECT_EQ(diameter(graph), 3u);
  EXPECT_EQ(girth(graph), 3u);
}

// Shpiner et al. 2017: a group is a complete bipartite graph of leaves and spines; only spines leave it, and
// every two groups are joined alike. Megafly is the same with as many of each.
TEST(GraphTables, DragonflyPlusGroupsAreCompleteAndBipartite) {
  const Topology topology = make_topology("Megafly(4)");  // Dragonfly+(2,2,2,2; groups=5)
  const auto graph = graph_of("Megafly(4)");
  ASSERT_EQ(graph.size(), 5u * 4);
  EXPECT_EQ(topology.fabric.hosts(), 5u * 2 * 2);
  const auto is_leaf = [&](u32 s) {
    const Node node = Node(topology.fabric.nics() + s);
    u32 hosts = 0;
    topology.fabric.each_link([&](const Link& link) {
      const Node x = topology.fabric.from(link.a), y = topology.fabric.from(link.b);
      hosts += (x == node && !topology.fabric.is_switch(y)) || (y == node && !topology.fabric.is_switch(x));
    });
    return hosts > 0;
  };
  u32 leaves = 0;
  for (u32 s = 0; s < graph.size(); ++s) {
    leaves += is_leaf(s);
    u32 spines = 0;
    for (const u32 next : graph[s]) {
      EXPECT_FALSE(is_leaf(s) && is_leaf(next));
      spines += !is_leaf(next);
    }
    EXPECT_EQ(spines, 2u);  // of a leaf its own, of a spine those of other groups
    EXPECT_EQ(graph[s].size(), is_leaf(s) ? 2u : 4u);
  }
  EXPECT_EQ(leaves, 10u);
  EXPECT_EQ(diameter(graph), 4u);  // of spines; three from leaf to leaf: up, across, down
  EXPECT_EQ(girth(graph), 4u);
}

// Lakhotia et al. 2024: the star product of the polarity graph of q and Paley's graph of p. A supernode is
// the latter; a cable between two points of the former becomes a cable for each switch of a supernode.
TEST(GraphTables, PolarStarsAreStarProducts) {
  const u32 q = 3, p = 13, points = q * q + q + 1;
  const auto star = graph_of("PolarStar(3,13)"), polar = graph_of("PolarFly(3)");
  ASSERT_EQ(star.size(), points * p);
  Neighbours between(points);
  for (u32 x = 0; x < points; ++x) {
    Neighbours inside(p);
    for (u32 i = 0; i < p; ++i) {
      std::map<u32, u32> cables;
      for (const u32 next : star[x * p + i]) {
        if (next / p == x) inside[i].insert(next % p);
        if (next / p != x) between[x].insert(next / p), ++cables[next / p];
      }
      for (const auto& [to, count] : cables) EXPECT_EQ(count, 1u);
    }
    // Paley's graph is strongly regular: (p - 1) / 2 once, (-1 +- sqrt(p)) / 2 half as often as p - 1 each.
    const double root = std::sqrt(p);
    expect_spectrum(
        inside, with_multiplicities({{(p - 1) / 2.0, 1}, {(root - 1) / 2, p / 2}, {(-root - 1) / 2, p / 2}}),
        "a supernode");
  }
  expect_same_graph(between, polar, "its supernodes");
}

// Valadarsky et al. 2016: a random lift of a complete graph, whose second eigenvalue is close to that of the
// best expanders, 2 sqrt(d - 1) = 4.47 here.
TEST(GraphTables, XpandersHaveAGapInTheirSpectrum) {
  for (const u32 seed : {1u, 2u, 3u}) {
    const auto values = spectrum(graph_of(fmt::format("Xpander(6,8; seed={})", seed)));
    EXPECT_NEAR(values[0], 6, 1e-7);
    EXPECT_LT(std::max(values[1], -values.back()), 5.5) << seed;
  }
}

}  // namespace
}  // namespace banyan::tests
