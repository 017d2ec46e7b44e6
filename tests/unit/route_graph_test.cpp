// RouteGraph against the forward that it was made from, and LaneDependencies against a search.
#include "flit/route_graph.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <set>

#include "base/random.hpp"
#include "fabric/faults.hpp"
#include "flit/lane_dependencies.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

using flit::LaneDependencies;
using flit::RouteGraph;

// Follows all hops of a vertex and of the header that it stands for, side by side.
class SideBySide {
 public:
  SideBySide(const SimulationSetup& setup, const RouteGraph& graph) : setup_(setup), graph_(graph) {}

  void follow(u32 vertex, Node node, const Header& header) {
    if (!seen_.insert(vertex).second) return;
    Hops hops;
    std::visit([&](const auto& forward) { offered(forward, node, header, hops); }, setup_.routing.forward);
    ASSERT_EQ(graph_.first_hop[vertex + 1] - graph_.first_hop[vertex], hops.size());
    for (u32 i = 0; i < hops.size(); ++i) {
      const gpu::ModelHop& own = graph_.hop[graph_.first_hop[vertex] + i];
      ASSERT_EQ(own.port, index(hops[i].port));
      ASSERT_EQ(own.left, hops[i].left);
      ASSERT_EQ(own.lanes, permitted(hops[i].lanes));
      const Node next = setup_.fabric.to(setup_.fabric.channel(node, hops[i].port));
      Header after = header;
      after.state = hops[i].state;
      if (setup_.fabric.is_switch(next)) follow(own.next, next, after);
    }
  }
  std::size_t vertices() const { return seen_.size(); }

 private:
  // Class c of a routing with C of them stands for lanes c, c + C, c + 2 C, ...
  u32 permitted(u32 classes) const {
    u32 out = 0;
    for (u32 lane = 0; lane < setup_.network.lanes; ++lane)
      if (classes >> (lane % setup_.routing.lanes) & 1) out |= 1u << lane;
    return out;
  }

  const SimulationSetup& setup_;
  const RouteGraph& graph_;
  std::set<u32> seen_;
};

std::vector<bool> pairs_of_all(const Fabric& fabric) {
  std::vector<bool> out(std::size_t{fabric.nics()} * fabric.nics(), true);
  for (u32 nic = 0; nic < fabric.nics(); ++nic) out[std::size_t{nic} * (fabric.nics() + 1)] = false;
  return out;
}

TEST(RouteGraph, OffersWhatTheForwardOffers) {
  const std::pair<const char*, const char*> cases[] = {
      {"HyperX(3x3; hosts=2)", "ugal"}, {"Dragonfly(1,3,1)", "ugal"},        {"Torus(4x3)", "valiant"},
      {"Dragonfly(1,3,1)", "par"},      {"HyperX(3x2; hosts=1)", "omniwar"}, {"4-ary 2-tree", "adaptive"},
      {"Kautz(2,2)", "minadaptive"},    {"4-ary 2-tree", "ecmp:paths=3"}};
  for (const auto& [notation, engine] : cases) {
    const Topology topology = make_topology(notation);
    const Fabric& fabric = topology.fabric;
    const Routing routing = routed(topology, engine);
    const SimulationSetup setup{fabric, routing, {.lanes = 2 * routing.lanes}, {}};
    const auto made = RouteGraph::make(setup, pairs_of_all(fabric), 0);
    ASSERT_TRUE(std::holds_alternative<RouteGraph>(made)) << std::get<NotApplicable>(made).why;
    const RouteGraph& graph = std::get<RouteGraph>(made);
    SideBySide walk(setup, graph);
    for (u32 from = 0; from < fabric.nics(); ++from)
      for (u32 to = 0; to < fabric.nics(); ++to) {
        const u32 pair = from * fabric.nics() + to, count = graph.first_way[pair + 1] - graph.first_way[pair];
        if (from == to) {
          ASSERT_EQ(count, 0u);
          continue;
        }
        ASSERT_EQ(count, routing.source.count(Nic{from}, Nic{to}, 0)) << notation << " " << engine;
        for (u32 i = 0; i < count; ++i)
          walk.follow(graph.way[graph.first_way[pair] + i], fabric.node(Nic{from}),
                      routing.source.way(Nic{from}, Nic{to}, 0, i));
      }
    EXPECT_EQ(walk.vertices() + 1, graph.first_hop.size()) << notation << " " << engine;  // and no others
  }
}

TEST(RouteGraph, HoldsOnlyThePairsThatWereAskedFor) {
  const Topology topology = make_topology("HyperX(3x3; hosts=1)");
  const Routing routing = routed(topology, "dor");
  const SimulationSetup setup{topology.fabric, routing, {}, {}};
  std::vector<bool> pairs(81, false);
  pairs[0 * 9 + 8] = true;
  const auto made = RouteGraph::make(setup, pairs, 0);
  const RouteGraph& graph = std::get<RouteGraph>(made);
  EXPECT_EQ(graph.way.size(), 1u);
  EXPECT_EQ(graph.first_way.size(), 82u);
  EXPECT_EQ(graph.first_hop.size(), 5u);  // the NIC, three switches, and one past the last
}

TEST(RouteGraph, SaysWhyThereIsNone) {
  const Topology ring = make_topology("Torus(5)");
  const auto why = [](const Topology& topology, const char* engine) {
    const Routing routing = routed(topology, engine);
    const SimulationSetup setup{topology.fabric, routing, {.lanes = routing.lanes}, {}};
    const auto made = RouteGraph::make(setup, pairs_of_all(topology.fabric), 0);
    return std::holds_alternative<NotApplicable>(made) ? std::get<NotApplicable>(made).why : "";
  };
  EXPECT_EQ(why(ring, "dfsssp"), "");
  EXPECT_NE(why(ring, "minhop").find("circle"), std::string::npos);
  Topology cut = ring;
  cut.fabric = without(ring.fabric, std::vector<std::string>{"links=4,seed=2"});
  EXPECT_NE(why(cut, "updn").find("a way for each pair"), std::string::npos);
}

// Whether some channel and class leads back to itself, by a search from each.
bool leads_back(const std::map<u32, std::set<u32>>& follows) {
  for (const auto& [start, _] : follows) {
    std::set<u32> seen;
    const std::function<bool(u32)> search = [&](u32 at) {
      const auto found = follows.find(at);
      if (found == follows.end()) return false;
      for (const u32 next : found->second)
        if (next == start || (seen.insert(next).second && search(next))) return true;
      return false;
    };
    if (search(start)) return true;
  }
  return false;
}

TEST(LaneDependencies, HaveACircleWhereASearchFindsOne) {
  const Topology topology = make_topology("Torus(3x3)");
  const Fabric& fabric = topology.fabric;
  constexpr u32 classes = 3;
  Random random(5);
  u32 circles = 0;
  for (u32 i = 0; i < 200; ++i) {
    LaneDependencies dependencies(fabric, classes);
    std::map<u32, std::set<u32>> follows;
    const u32 count = 10 + static_cast<u32>(random.below(60));
    for (u32 k = 0; k < count; ++k) {
      const Channel from{static_cast<u32>(random.below(fabric.channels().size()))};
      const Node node = fabric.to(from);
      const u32 port = static_cast<u32>(random.below(fabric.ports(node)));
      const u32 a = 1 + static_cast<u32>(random.below(7)), b = 1 + static_cast<u32>(random.below(7));
      dependencies.add(from, a, port, b);
      for (u32 x = a; x != 0; x &= x - 1)
        for (u32 y = b; y != 0; y &= y - 1)
          follows[index(from) * classes + static_cast<u32>(std::countr_zero(x))].insert(
              index(fabric.channel(node, Port{port})) * classes + static_cast<u32>(std::countr_zero(y)));
    }
    ASSERT_EQ(dependencies.have_a_circle(), leads_back(follows)) << i;
    circles += dependencies.have_a_circle();
  }
  EXPECT_GT(circles, 20u);
  EXPECT_LT(circles, 180u);
}

// A ring on one class is a circle; a second class behind a dateline opens it.
TEST(LaneDependencies, OfARingNeedADateline) {
  const Topology topology = make_topology("Torus(4)");
  const Fabric& fabric = topology.fabric;
  std::vector<Channel> around;
  for (u32 v = 0; v < 4; ++v)
    for (const Channel c : fabric.channels(Node{fabric.nics() + v}))
      if (fabric.is_switch(fabric.to(c)) && index(fabric.to(c)) == fabric.nics() + (v + 1) % 4)
        around.push_back(c);
  ASSERT_EQ(around.size(), 4u);
  const auto have_a_circle = [&](u32 behind) {
    LaneDependencies dependencies(fabric, 2);
    for (u32 v = 0; v < 4; ++v)
      dependencies.add(around[v], 1, index(fabric.port(around[(v + 1) % 4])), v == 3 ? behind : 1);
    return dependencies.have_a_circle();
  };
  EXPECT_TRUE(have_a_circle(1));
  EXPECT_FALSE(have_a_circle(2));
}

}  // namespace
}  // namespace banyan::tests
