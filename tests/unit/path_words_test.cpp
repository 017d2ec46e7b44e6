// Why a hop is taken, and all the others that would have been as short.
#include <gmock/gmock.h>

#include <set>

#include "engines/engine.hpp"
#include "routing/reasons.hpp"
#include "topology/distances.hpp"
#include "topology/shortest_paths.hpp"

namespace banyan::tests {
namespace {

std::vector<std::string> reasons(const std::string& fabric, const std::string& engine, u32 from, u32 to,
                                 Digits digits = Digits::unknown) {
  const Topology topology = make_topology(fabric);
  const RouteResult result = route(topology, engine);
  const Routing& routing = std::get<Routing>(result);
  const auto found = paths(topology.fabric, routing, Nic{from}, Nic{to});
  return hop_reasons(topology, routing, Nic{from}, Nic{to}, found.at(0), digits);
}

TEST(Reasons, DModKTellsTheDigitsOfTheDestination) {
  EXPECT_THAT(
      reasons("4-ary 3-tree", "dmodk", 0, 58, Digits::of_destination),
      testing::ElementsAre("up by the only port", "h58 is not below: up port 2 = floor(58 / 1) mod 4",
                           "h58 is not below: up port 2 = floor(58 / 4) mod 4",
                           "h58 is below: down to child 3 = floor(58 / 16) mod 4",
                           "h58 is below: down to child 2 = floor(58 / 4) mod 4", "h58 is cabled here"));
}

TEST(Reasons, DigitsThatAreNotTrueAreNotTold) {
  const auto words = reasons("4-ary 2-tree", "smodk", 1, 14, Digits::of_destination);
  EXPECT_EQ(words[1], "h14 is not below: up port 1 of 4");
  EXPECT_EQ(reasons("4-ary 2-tree", "smodk", 1, 14, Digits::of_source)[1],
            "h14 is not below: up port 1 = floor(1 / 1) mod 4");
}

TEST(Reasons, AGridTellsDimensions) {
  const auto words = reasons("HyperX(4x4; hosts=2)", "dor", 0, 31);
  EXPECT_EQ(words[1], "dimension 1: from 0 to 3, as the destination has it");
  EXPECT_EQ(words[2], "dimension 2: from 0 to 3, as the destination has it");
}

TEST(Reasons, GroupsTellWhichOfThemAHopCrosses) {
  const auto words = reasons("Dragonfly+(2,4,4,2)", "minhop", 0, 71);
  ASSERT_EQ(words.size(), 5u);
  EXPECT_TRUE(words[1].starts_with("within group 0, to the switch with the cable out; port ")) << words[1];
  EXPECT_TRUE(words[2].starts_with("from group 0 to 8, the destination's; port ")) << words[2];
  EXPECT_TRUE(words[3].starts_with("within group 8, the destination's; port ")) << words[3];
}

TEST(Reasons, EveryEngineHasAWordForEveryHop) {
  for (const char* fabric :
       {"4-ary 2-tree", "HyperX(3x3; hosts=2)", "Torus(4x4)", "Dragonfly(2,4,2)", "Dragonfly+(2,4,4,2)"}) {
    const Topology topology = make_topology(fabric);
    for (const Engine& engine : engines::engines()) {
      const RouteResult result = route(topology, engine.name);
      if (!std::holds_alternative<Routing>(result)) continue;
      const Routing& routing = std::get<Routing>(result);
      const Nic from{0}, to{topology.fabric.nics() - 1};
      for (const RoutedPath& path : paths(topology.fabric, routing, from, to)) {
        const auto words = hop_reasons(topology, routing, from, to, path);
        ASSERT_EQ(words.size(), path.channels.size());
        for (const std::string& word : words) EXPECT_FALSE(word.empty()) << fabric << ' ' << engine.name;
      }
    }
  }
}

TEST(ShortestPaths, AreAllThereAre) {
  for (const char* fabric : {"4-ary 3-tree", "PGFT(2; 4,4; 1,2; 1,2)", "HyperX(4x4; hosts=2)", "Torus(4x4)",
                             "Jellyfish(16,4; hosts=2)"}) {
    const Fabric f = make_topology(fabric).fabric;
    for (u32 b = 1; b < f.hosts(); b += 5) {
      const auto found = shortest_paths(f, f.nic(Host{0}), f.nic(Host{b}), 100'000);
      const PairDistance distance = search_distance(f, Nic{0}, Nic{b});
      EXPECT_EQ(found.size(), distance.paths) << fabric;
      EXPECT_EQ((std::set<std::vector<Channel>>(found.begin(), found.end()).size()), found.size());
      for (const auto& path : found) {
        ASSERT_EQ(path.size(), distance.channels);
        for (std::size_t i = 1; i < path.size(); ++i) EXPECT_EQ(f.to(path[i - 1]), f.from(path[i]));
      }
    }
  }
}

TEST(ShortestPaths, AreAnEvenSampleWhereThereAreMore) {
  const Fabric f = make_topology("4-ary 3-tree").fabric;
  const auto all = shortest_paths(f, Nic{0}, Nic{63}, 100), some = shortest_paths(f, Nic{0}, Nic{63}, 4);
  ASSERT_EQ(all.size(), 16u);
  ASSERT_EQ(some.size(), 4u);
  std::set<Node> roots;
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i], all[4 * i]);
    roots.insert(f.to(some[i][1]));
  }
  EXPECT_EQ(roots.size(), 4u) << "one over each switch above the first leaf";
}

TEST(ShortestPaths, AreAsManyAsAskedFor) {
  const Fabric f = make_topology("4-ary 3-tree").fabric;
  EXPECT_EQ(shortest_paths(f, Nic{0}, Nic{63}, 5).size(), 5u);
  EXPECT_TRUE(shortest_paths(f, Nic{0}, Nic{0}, 5).empty());
}

}  // namespace
}  // namespace banyan::tests
