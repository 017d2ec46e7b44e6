// Families over finite fields and other rules: their graphs against the definitions, and what the literature
// says of their sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/finite_field.hpp"
#include "support/sized.hpp"
#include "support/small_graphs.hpp"
#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
#include "topology/properties.hpp"

namespace banyan::tests {
namespace {

TEST(FiniteField, IsAField) {
  for (const u32 q : {2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u, 16u, 25u, 27u, 32u}) {
    const FiniteField f(q);
    std::set<u32> powers;
    for (u32 i = 0; i + 1 < q; ++i) powers.insert(f.power(i));
    EXPECT_EQ(powers.size(), q - 1) << q;
    for (u32 a = 0; a < q; ++a) {
      EXPECT_EQ(f.add(a, 0), a);
      EXPECT_EQ(f.multiply(a, 1), a);
      EXPECT_EQ(f.add(a, f.negative(a)), 0u);
      if (a != 0) {
        EXPECT_EQ(f.multiply(a, f.inverse(a)), 1u) << q << " " << a;
      }
      for (u32 b = 0; b < q; ++b) {
        EXPECT_EQ(f.add(a, b), f.add(b, a));
        EXPECT_EQ(f.multiply(a, b), f.multiply(b, a));
        for (u32 c = 0; c < q; ++c) {
          ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c))) << q;
          ASSERT_EQ(f.multiply(a, f.multiply(b, c)), f.multiply(f.multiply(a, b), c)) << q;
          ASSERT_EQ(f.add(a, f.add(b, c)), f.add(f.add(a, b), c)) << q;
        }
      }
    }
  }
}

TEST(FiniteField, KnowsPrimePowers) {
  std::vector<u32> found;
  for (u32 q = 0; q < 50; ++q)
    if (as_prime_power(q)) found.push_back(q);
  EXPECT_EQ(found, (std::vector<u32>{2,  3,  4,  5,  7,  8,  9,  11, 13, 16, 17, 19,
                                     23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49}));
  EXPECT_EQ(as_prime_power(1u << 16)->exponent, 16u);
  EXPECT_EQ(as_prime_power(4294967291u)->prime, 4294967291u);
  EXPECT_FALSE(as_prime_power(4294967295u));
}

// Besta and Hoefler, section II: 2 q^2 switches of degree (3 q - d) / 2 and diameter 2 in all three residues.
TEST(SlimFly, HasDiameterTwo) {
  for (const u32 q : {3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u, 16u, 17u}) {
    const auto graph = graph_of(fmt::format("SlimFly({})", q));
    const u32 degree = q % 4 == 3 ? (3 * q + 1) / 2 : (3 * q - q % 4) / 2;
    EXPECT_EQ(graph.size(), 2 * q * q);
    EXPECT_EQ(degrees(graph), (std::map<std::size_t, u32>{{degree, 2 * q * q}})) << q;
    EXPECT_EQ(diameter(graph), 2u) << q;
  }
  EXPECT_EQ(girth(graph_of("SlimFly(5)")), 5u);                       // the graph of Hoffman and Singleton
  EXPECT_EQ(make_topology("SlimFly(19)").fabric.hosts(), 722u * 15);  // their 10,830 hosts
}

// McKay, Miller and Siran's graphs as Hafner defines them for q = 4 w: with x a primitive element, (0, a, b)
// and (0, a, c) are joined where b - c is an even power of x from 1 to x^(q-2), (1, a, b) and (1, a, c) where
// it is an odd power from x to x^(q-1), and (0, a, b) and (1, m, c) where b = m a + c. Here every pair is
// tried.
TEST(SlimFly, OfEvenOrderIsItsDefinition) {
  for (const u32 q : {4u, 8u}) {
    const FiniteField f(q);
    std::set<u32> even, odd;
    u32 power = 1;
    for (u32 i = 0; i < q; ++i) {  // x^0 to x^(q-1)
      (i % 2 == 0 ? even : odd).insert(power);
      power = f.multiply(power, f.power(1));
    }
    EXPECT_EQ(even.size(), q / 2);
    EXPECT_EQ(odd.size(), q / 2);
    const auto are_joined = [&](u32 s, u32 t) {  // s < t
      const u32 a = s / q % q, b = s % q, m = t / q % q, c = t % q;
      if (s < q * q && t >= q * q) return b == f.add(f.multiply(m, a), c);
      return a == m && (s < q * q ? even : odd).contains(f.subtract(b, c));
    };
    const auto graph = graph_of(fmt::format("SlimFly({})", q));
    ASSERT_EQ(graph.size(), 2 * q * q);
    for (u32 s = 0; s < 2 * q * q; ++s)
      for (u32 t = s + 1; t < 2 * q * q; ++t) ASSERT_EQ(graph[s].contains(t), are_joined(s, t)) << q;
    EXPECT_EQ(degrees(graph), (std::map<std::size_t, u32>{{3 * q / 2, 2 * q * q}}));
    EXPECT_EQ(diameter(graph), 2u);
  }
}

// Of the Hoffman-Singleton graph any two switches that are not neighbours have one common neighbour.
TEST(SlimFly, OfFiveIsTheGraphOfHoffmanAndSingleton) {
  const auto graph = graph_of("SlimFly(5)");
  for (u32 a = 0; a < 50; ++a)
    for (u32 b = a + 1; b < 50; ++b) {
      const auto common =
          std::count_if(graph[a].begin(), graph[a].end(), [&](u32 c) { return graph[b].contains(c); });
      ASSERT_EQ(common, graph[a].contains(b) ? 0 : 1);
    }
}

// Lakhotia et al., section IV: q^2 + q + 1 switches, of which q + 1 have degree q and all others q + 1; one
// path of at most two hops joins any two.
TEST(PolarFly, JoinsAnyTwoByOneShortPath) {
  for (const u32 q : {2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u}) {
    const auto graph = graph_of(fmt::format("PolarFly({})", q));
    EXPECT_EQ(graph.size(), q * q + q + 1);
    EXPECT_EQ(degrees(graph), (std::map<std::size_t, u32>{{q, q + 1}, {q + 1, q * q}})) << q;
    for (u32 a = 0; a < graph.size(); ++a)
      for (u32 b = a + 1; b < graph.size(); ++b) {
        const auto common =
            std::count_if(graph[a].begin(), graph[a].end(), [&](u32 c) { return graph[b].contains(c); });
        EXPECT_TRUE(common == 1 || (common == 0 && graph[a].contains(b))) << q;
      }
  }
}

// The definition: points (x, y, z) up to a factor, joined where their scalar product is 0.
TEST(PolarFly, IsThePolarityGraph) {
  const u32 q = 7;
  std::vector<std::array<u32, 3>> points;
  for (u32 x = 0; x < 2; ++x)
    for (u32 y = 0; y < q; ++y)
      for (u32 z = 0; z < q; ++z)
        if (x == 1 || (x == 0 && y == 1) || (x == 0 && y == 0 && z == 1)) points.push_back({x, y, z});
  ASSERT_EQ(points.size(), 57u);
  u32 cables = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      cables +=
          (points[i][0] * points[j][0] + points[i][1] * points[j][1] + points[i][2] * points[j][2]) % q == 0;
  u32 found = 0;
  for (const auto& next : graph_of("PolarFly(7)")) found += static_cast<u32>(next.size());
  EXPECT_EQ(found, 2 * cables);
}

TEST(PolarFly, StandsInRacks) {
  const Topology t = make_topology("PolarFly(5)");
  const auto& shape = std::get<GraphShape>(t.shape);
  std::map<u32, u32> count;
  for (const u32 rack : shape.groups) ++count[rack];
  EXPECT_EQ(count, (std::map<u32, u32>{{0, 6}, {1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 5}}));
}

TEST(PolarStar, HasDiameterThree) {
  for (const auto& [q, p] : {std::pair(2u, 5u), {3u, 5u}, {4u, 5u}, {3u, 9u}, {5u, 13u}, {7u, 9u}}) {
    const auto graph = graph_of(fmt::format("PolarStar({},{})", q, p));
    const u32 inside = (p - 1) / 2, points = q * q + q + 1;
    EXPECT_EQ(graph.size(), points * p);
    EXPECT_EQ(degrees(graph),
              (std::map<std::size_t, u32>{{q + inside, (q + 1) * p}, {q + 1 + inside, q * q * p}}));
    EXPECT_EQ(diameter(graph), 3u) << q << " " << p;
  }
}

// The formula for the hops of what is proposed, against counting them.
TEST(PolarStar, HopsByFormulaAreThoseOfTheGraph) {
  std::set<std::string> seen;
  for (const u32 hosts : {35u, 200u, 600u, 1500u, 3000u, 6000u})
    for (const Proposed& each : all_proposals({.hosts = hosts, .ports = 40}, "PolarStar")) {
      const auto& shape = std::get<GraphShape>(each.outline.shape);
      if (shape.switches() > 2500 || !seen.insert(shape.parameters).second) continue;
      const Distances counted =
          distances_by(ListedHops(shape).from_all(), shape.switches(), shape.hosts_per_switch);
      EXPECT_EQ(each.outline.distances.diameter, counted.diameter) << shape.parameters;
      EXPECT_EQ(each.outline.distances.average, counted.average) << shape.parameters;
    }
  EXPECT_GT(seen.size(), 40u);
}

TEST(Xpander, JoinsEveryTwoGroupsOneToOne) {
  const auto graph = graph_of("Xpander(6,5; seed=3)");
  EXPECT_EQ(degrees(graph), (std::map<std::size_t, u32>{{6, 35}}));
  for (u32 s = 0; s < 35; ++s) {
    std::set<u32> groups;
    for (const u32 next : graph[s]) groups.insert(next / 5);
    EXPECT_EQ(groups.size(), 6u);
    EXPECT_FALSE(groups.contains(s / 5));
  }
  EXPECT_EQ(graph_of("Xpander(6,5; seed=3)"), graph);
  EXPECT_NE(graph_of("Xpander(6,5; seed=4)"), graph);
}

// d^n + d^(n-1) words; n hops suffice, because n letters replace the whole word.
TEST(Kautz, JoinsWordsThatOverlap) {
  for (const auto& [d, n] : {std::pair(2u, 1u), {2u, 2u}, {2u, 3u}, {3u, 3u}, {2u, 5u}, {4u, 2u}}) {
    const auto graph = graph_of(fmt::format("Kautz({},{})", d, n));
    EXPECT_EQ(graph.size(), static_cast<u32>(std::pow(d, n) + std::pow(d, n - 1)));
    EXPECT_LE(diameter(graph), n);
    EXPECT_GT(diameter(graph), 0u);
    for (const auto& next : graph) EXPECT_LE(next.size(), 2 * d);
  }
  EXPECT_EQ(degrees(graph_of("Kautz(2,1)")), (std::map<std::size_t, u32>{{2, 3}}));
  // 12 words; the 3 pairs ab-ba are joined both ways, which is one cable each.
  u32 ends = 0;
  for (const auto& next : graph_of("Kautz(2,2)")) ends += static_cast<u32>(next.size());
  EXPECT_EQ(ends, 2 * (12 - 3));
}

// Camara et al.: the mean distance of a 2k x k torus falls when it is twisted by k.
TEST(TwistedTorus, IsShorterThanTheTorus) {
  const auto distances = [](std::string_view notation) {
    return properties(make_topology(notation), 1).distances;
  };
  EXPECT_EQ(distances("TwistedTorus(8x4; twist=0)").average, distances("Torus(8x4)").average);
  EXPECT_LT(distances("TwistedTorus(8x4)").average, distances("Torus(8x4)").average);
  EXPECT_EQ(distances("TwistedTorus(8x4)").diameter, 2u + 4);  // k, where the torus has 3 k / 2
  EXPECT_EQ(distances("Torus(8x4)").diameter, 2u + 6);
  EXPECT_EQ(degrees(graph_of("TwistedTorus(8x4x4)")), (std::map<std::size_t, u32>{{6, 128}}));
}

// Every accelerator has four cables; a row of boards hangs on one switch for each row of accelerators.
TEST(HammingMesh, JoinsBoardsByRowsAndColumns) {
  const Topology t = make_topology("HammingMesh(2,3; 4,5)");
  EXPECT_EQ(t.fabric.hosts(), 8u * 15);
  EXPECT_EQ(t.fabric.switches(), 8u * 15 + 15 + 8);
  for (const Node s : t.fabric.switch_nodes()) {
    const u32 number = index(s) - t.fabric.nics();
    EXPECT_EQ(t.fabric.cabled_ports(s), number < 120 ? 5u : number < 135 ? 8u : 10u);
  }
  EXPECT_EQ(properties(make_topology("HammingMesh(1,1; 4,4)"), 1).distances.diameter, 2u + 4);
}

TEST(Megafly, IsABalancedDragonflyPlus) {
  EXPECT_EQ(canonical_notation(make_topology("Megafly(8)")), "Dragonfly+(4,4,4,4; groups=17)");
}

TEST(GraphFamilies, HaveSeveralPlanes) {
  const Topology t = make_topology("4 x SlimFly(5; hosts=3)");
  EXPECT_EQ(t.fabric.hosts(), 150u);
  EXPECT_EQ(t.fabric.columns(), 4u);
  EXPECT_EQ(t.fabric.switches(), 200u);
  EXPECT_EQ(canonical_notation(t), "4 x SlimFly(5; hosts=3)");
}

TEST(GraphFamilies, RefuseWhatTheyCannotBe) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      make_topology(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const auto& [notation, says] : {std::pair("SlimFly(6)", "prime power"),
                                       {"SlimFly(2)", "at least 3"},
                                       {"SlimFly(10007)", "too large"},
                                       {"PolarFly(1000000)", "prime power"},
                                       {"PolarFly(999983)", "too large"},
                                       {"PolarStar(3,7)", "4 w + 1"},
                                       {"Kautz(2,33)", "up to 32"},
                                       {"Kautz(1000,30)", "too large"},
                                       {"TwistedTorus(8)", "two or more"},
                                       {"TwistedTorus(8x1)", "at least 2"},
                                       {"HammingMesh(2,2)", "HammingMesh(a,b; x,y)"},
                                       {"HammingMesh(1000000,1000000; 1000000,1000000)", "too large"},
                                       {"Megafly(5)", "even"},
                                       {"Xpander(1000000,1000000)", "too large"},
                                       {"SlimFly(5; hosts=0)", "at least 1"}})
    EXPECT_NE(message(notation).find(says), std::string::npos) << notation << ": " << message(notation);
}

}  // namespace
}  // namespace banyan::tests
