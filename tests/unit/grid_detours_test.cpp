// GridDetours: every way that they offer on small meshes and tori, against distances by search.
#include "routing/grid_detours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

constexpr const char* small_grids[] = {"Mesh(4)",  "Mesh(3x3; hosts=2)",  "Torus(5)",    "Torus(4x3)",
                                       "Torus(6)", "Torus(4x4; hosts=2)", "Torus(2x3x2)"};

class SearchedGrid {
 public:
  SearchedGrid(const char* notation, GridDetours::Kind kind)
      : topology(make_topology(notation)),
        fabric(topology.fabric),
        forward(*topology.as<Torus>(), 1, kind),
        order(*topology.as<Torus>(), 1) {
    is_torus = topology.as<Torus>()->wraps;
    for (const Node v : fabric.switch_nodes()) distances[v] = from(v);
  }

  u32 switches() const { return fabric.switches(); }
  Node switch_(u32 v) const { return Node{fabric.nics() + v}; }
  Node leaf(Nic nic) const { return fabric.to(fabric.channel(fabric.node(nic), Port{0})); }
  u32 distance(Node a, Node b) const { return distances.at(a).at(b); }
  Node next(Node at, const Hop& hop) const { return fabric.to(fabric.channel(at, hop.port)); }
  std::vector<Hop> hops(Node at, const Header& header) const {
    Hops out;
    forward.hops(at, header, out);
    return {out.begin(), out.end()};
  }
  // In dimension order to the switch of a host; both ends are included.
  std::vector<Node> in_order(Node at, Nic to) const {
    std::vector<Node> out = {at};
    for (Header header{.to = Address{index(to)}}; at != leaf(to); out.push_back(at)) {
      const Hop hop = order.next(at, header);
      header.state = hop.state;
      at = next(at, hop);
    }
    return out;
  }
  // The switches of the way to the middle, or to the goal if that is passed before.
  std::vector<Node> first_half(Node start, u32 middle, Nic to) const {
    std::vector<Node> out = in_order(start, Nic{middle * topology.as<Torus>()->hosts_per_switch});
    const auto goal = std::find(out.begin(), out.end(), leaf(to));
    if (goal != out.end()) out.erase(goal + 1, out.end());
    return out;
  }

  Topology topology;
  const Fabric& fabric;
  GridDetours forward;
  DimensionOrder order;
  bool is_torus = false;

 private:
  std::map<Node, u32> from(Node start) const {
    std::map<Node, u32> out = {{start, 0}};
    std::vector<Node> front = {start};
    for (std::size_t i = 0; i < front.size(); ++i)
      for (const Channel c : fabric.channels(front[i]))
        if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) &&
            out.emplace(fabric.to(c), out[front[i]] + 1).second)
          front.push_back(fabric.to(c));
    return out;
  }

  std::map<Node, std::map<Node, u32>> distances;
};

// The nodes and lanes of a packet that is offered one hop at every switch from here on.
struct GridWalk {
  std::vector<Node> nodes;
  std::vector<u16> lanes;
};
GridWalk follow_single_hops(const SearchedGrid& grid, Node at, Header header, Hop hop) {
  GridWalk out{{at}, {}};
  for (u32 channels = hop.left;; --channels) {
    EXPECT_EQ(hop.left, channels);
    out.lanes.push_back(hop.lanes);
    at = grid.next(at, hop);
    out.nodes.push_back(at);
    header.state = hop.state;
    if (!grid.fabric.is_switch(at) || channels == 0) return out;
    const std::vector<Hop> hops = grid.hops(at, header);
    EXPECT_EQ(hops.size(), 1u);
    hop = hops.at(0);
  }
}

TEST(GridDetours, GoToTheMiddleAndFromThereOnLanesOfTheirOwnButStopAtTheGoal) {
  for (const char* notation : small_grids) {
    const SearchedGrid grid(notation, GridDetours::Kind::by_middle);
    const bool has_rings = grid.is_torus;
    const u32 half = has_rings ? 2 : 1;
    EXPECT_EQ(grid.forward.lanes(), 2 * half) << notation;
    EXPECT_FALSE(grid.forward.has_escape());
    for (u32 from = 0; from < grid.fabric.nics(); ++from)
      for (u32 to = 0; to < grid.fabric.nics(); ++to)
        for (u32 middle = 0; from != to && middle < grid.switches(); ++middle) {
          const Header header{.to = Address{to}, .state = Detour::to_middle, .tag = middle};
          std::vector<Node> wanted = grid.first_half(grid.leaf(Nic{from}), middle, Nic{to});
          const std::size_t half_way = wanted.size();
          for (const Node v : grid.in_order(wanted.back(), Nic{to}))
            if (v != wanted.back()) wanted.push_back(v);
          wanted.insert(wanted.begin(), grid.fabric.node(Nic{from}));
          wanted.push_back(grid.fabric.node(Nic{to}));
          const std::vector<Hop> first = grid.hops(grid.fabric.node(Nic{from}), header);
          ASSERT_EQ(first.size(), 1u);
          const GridWalk walk = follow_single_hops(grid, grid.fabric.node(Nic{from}), header, first[0]);
          ASSERT_EQ(walk.nodes, wanted) << notation << " to " << to << " by " << middle;
          for (u32 i = 1; i + 1 < walk.lanes.size(); ++i)
            ASSERT_EQ(walk.lanes[i] >= 1u << half, i >= half_way) << notation;
        }
  }
}

TEST(GridDetours, OfferTheDirectWayOnBothHalvesAndTheMiddleOnceOnly) {
  for (const char* notation : small_grids) {
    const SearchedGrid grid(notation, GridDetours::Kind::by_middle);
    for (u32 v = 0; v < grid.switches(); ++v)
      for (u32 to = 0; to < grid.fabric.nics(); ++to)
        for (u32 middle = 0; middle < grid.switches(); ++middle) {
          const Header header{.to = Address{to}, .state = Detour::undecided, .tag = middle};
          const Node start = grid.switch_(v), goal = grid.leaf(Nic{to}), by = grid.switch_(middle);
          const std::vector<Hop> hops = grid.hops(start, header);
          if (start == goal) {
            ASSERT_EQ(hops.size(), 1u);
            ASSERT_EQ(grid.next(start, hops[0]), grid.fabric.node(Nic{to}));
            continue;
          }
          ASSERT_EQ(hops.size(), by == start || by == goal ? 2u : 3u) << notation;
          ASSERT_EQ(hops[0].lanes & hops[1].lanes, 0);
          for (u32 i = 0; i < hops.size(); ++i) {
            const GridWalk walk = follow_single_hops(grid, start, header, hops[i]);
            const std::vector<Node> half = grid.first_half(start, middle, Nic{to});
            const std::size_t around = half.size() - 1 + grid.distance(half.back(), goal);
            ASSERT_EQ(walk.nodes.size(), 2 + (i < 2 ? grid.distance(start, goal) : around)) << notation;
            ASSERT_EQ(walk.nodes.back(), grid.fabric.node(Nic{to}));
          }
        }
  }
}

TEST(GridDetours, OfferAllShortestHopsAndAnEscapeThatIsNotLeft) {
  for (const char* notation : small_grids) {
    const SearchedGrid grid(notation, GridDetours::Kind::minimal);
    EXPECT_TRUE(grid.forward.has_escape());
    EXPECT_EQ(grid.forward.lanes(), grid.is_torus ? 3u : 2u) << notation;
    for (u32 v = 0; v < grid.switches(); ++v)
      for (u32 to = 0; to < grid.fabric.nics(); ++to) {
        const Node start = grid.switch_(v), goal = grid.leaf(Nic{to});
        if (start == goal) continue;
        const Header header{.to = Address{to}};
        std::set<Node> wanted, found;
        for (const Channel c : grid.fabric.channels(start))
          if (const Node near = grid.fabric.to(c); grid.fabric.cabled(c) && grid.fabric.is_switch(near))
            if (grid.distance(near, goal) + 1 == grid.distance(start, goal)) wanted.insert(near);
        u32 escapes = 0;
        for (const Hop& hop : grid.hops(start, header)) {
          ASSERT_EQ(hop.left, grid.distance(start, goal)) << notation;
          if (grid.forward.is_escape(hop)) {
            ++escapes;
            ASSERT_EQ(hop.lanes & 1, 0);
            ASSERT_EQ(follow_single_hops(grid, start, header, hop).nodes.size(),
                      2 + grid.distance(start, goal));
          } else {
            ASSERT_EQ(hop.lanes, 1);
            found.insert(grid.next(start, hop));
          }
        }
        ASSERT_EQ(escapes, 1u) << notation;
        ASSERT_EQ(found, wanted) << notation;
      }
  }
}

}  // namespace
}  // namespace banyan::tests
