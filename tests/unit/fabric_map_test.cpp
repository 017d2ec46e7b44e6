// Drawings: what stands where, and which groups hold what.
#include "topology/map/fabric_map.hpp"

#include <gtest/gtest.h>

#include <set>

namespace banyan::tests {
namespace {

const std::vector<std::string> fabrics = {"4-ary 3-tree",
                                          "PGFT(3; 4,4,3; 1,4,2; 1,1,2)",
                                          "XGFT(1; 8; 1)",
                                          "GFT(4; 2; 2)",
                                          "HyperX(4x3; hosts=2)",
                                          "Torus(3x3x3; hosts=2)",
                                          "Torus(5; hosts=2)",
                                          "Mesh(4x4)",
                                          "Hypercube(5)",
                                          "Dragonfly(2,4,2)",
                                          "Dragonfly+(2,4,4,2)",
                                          "Jellyfish(16,4; hosts=2)",
                                          "2 x XGFT(2; 3,4; 1,2)",
                                          "XGFT(3; 4,4,4; 1,4,4; rails=2)",
                                          "XGFT(3; 4,4,4; 1,4,4; nics=4, leaves=2)",
                                          "HyperX(4x4; hosts=1) + 2 x RLFT(8 ports, 16 hosts)",
                                          "Dragonfly+(3,2,2,1) + SlimFly(3; hosts=1) + Torus(6x3)"};

TEST(FabricMap, NoTwoNodesStandInTheSamePlace) {
  for (const std::string& fabric : fabrics) {
    const Topology topology = make_topology(fabric);
    const FabricMap drawing = fabric_map(topology);
    std::set<std::pair<double, double>> places;
    for (const Node node : topology.fabric.nodes())
      EXPECT_TRUE(places.emplace(drawing.at[node].x, drawing.at[node].y).second)
          << fabric << ": " << topology.fabric.name(node);
  }
}

TEST(FabricMap, GroupsHoldTheirMembersAndCountThem) {
  for (const std::string& fabric : fabrics) {
    const Topology topology = make_topology(fabric);
    const FabricMap drawing = fabric_map(topology);
    std::vector<MapGroup> counted(drawing.groups.size());
    std::vector<std::set<Host>> hosts(drawing.groups.size());
    for (const Node node : topology.fabric.nodes()) {
      const MapPoint at = drawing.at[node];
      for (u32 g = drawing.group[node]; g != MapGroup::none; g = drawing.groups[g].parent) {
        const MapBox& box = drawing.groups[g].box;
        EXPECT_TRUE(box.left <= at.x && at.x <= box.right && box.top <= at.y && at.y <= box.bottom) << fabric;
        if (topology.fabric.is_switch(node))
          ++counted[g].switches;
        else
          hosts[g].insert(topology.fabric.host(Nic{index(node)}));
      }
    }
    for (std::size_t g = 0; g < counted.size(); ++g) {
      EXPECT_EQ(hosts[g].size(), drawing.groups[g].hosts) << fabric << ", " << drawing.groups[g].name;
      EXPECT_EQ(counted[g].switches, drawing.groups[g].switches) << fabric;
      EXPECT_TRUE(drawing.groups[g].parent == MapGroup::none || drawing.groups[g].parent < g) << fabric;
    }
  }
}

TEST(FabricMap, ATreeHasItsLevelsAboveEachOther) {
  const Topology topology = make_topology("PGFT(3; 4,4,3; 1,4,2; 1,1,2)");
  const FabricMap drawing = fabric_map(topology);
  EXPECT_EQ(drawing.kind, FabricMap::Kind::tree);
  topology.fabric.each_link([&](const Link& link) {
    const Node a = topology.fabric.from(link.a), b = topology.fabric.from(link.b);
    EXPECT_EQ(drawing.level[a]<drawing.level[b], drawing.at[a].y> drawing.at[b].y);
    EXPECT_EQ(std::max(drawing.level[a], drawing.level[b]) - std::min(drawing.level[a], drawing.level[b]),
              1u);
  });
}

TEST(FabricMap, SubtreesOfATreeDoNotOverlap) {
  const FabricMap drawing = fabric_map(make_topology("4-ary 3-tree"));
  for (const MapGroup& a : drawing.groups)
    for (const MapGroup& b : drawing.groups)
      if (&a != &b && a.parent == b.parent) {
        EXPECT_TRUE(a.box.right <= b.box.left || b.box.right <= a.box.left || a.box.bottom <= b.box.top ||
                    b.box.bottom <= a.box.top)
            << a.name << ", " << b.name;
      }
}

TEST(FabricMap, AHyperXIsItsGrid) {
  const Topology topology = make_topology("HyperX(4x3; hosts=2)");
  const FabricMap drawing = fabric_map(topology);
  const auto at = [&](u32 x, u32 y) { return drawing.at[Node{topology.fabric.nics() + 4 * y + x}]; };
  for (u32 y = 0; y < 3; ++y)
    for (u32 x = 1; x < 4; ++x) {
      EXPECT_EQ(at(x, y).y, at(0, y).y);
      EXPECT_GT(at(x, y).x, at(x - 1, y).x);
    }
  EXPECT_GT(at(0, 1).y, at(0, 0).y);
}

TEST(FabricMap, RailsAreTiledAndTheirHostsCountOnce) {
  const Topology topology = make_topology("8 x XGFT(2; 16,8; 1,16)");
  const FabricMap drawing = fabric_map(topology);
  EXPECT_EQ(drawing.levels[0].nodes, 128u);
  std::set<double> tops, lefts;
  for (const MapGroup& group : drawing.groups)
    if (group.parent == MapGroup::none) {
      EXPECT_EQ(group.hosts, 128u) << group.name;
      tops.insert(group.box.top), lefts.insert(group.box.left);
    }
  EXPECT_GE(tops.size() * lefts.size(), 8u);
  EXPECT_LE(tops.size() * lefts.size(), 9u);
  EXPECT_GT(lefts.size(), 1u);
  EXPECT_GT(tops.size(), 1u);
  EXPECT_EQ(fabric_map(make_topology("XGFT(2; 4,4; 1,4; rails=2)")).levels[0].nodes, 8u);
  EXPECT_EQ(fabric_map(make_topology("XGFT(2; 4,4; 1,4; nics=2)")).levels[0].nodes, 8u);
}

// A cable between switches of a grid is straight between neighbours, else it bends upwards or to the left by
// less than 6: the quarter below and to the right of a switch is free as far as 4.
TEST(FabricMap, HostsOfAGridStandBesideItsCables) {
  for (const char* notation : {"Torus(4x4; hosts=1)", "Torus(6x6x3; hosts=4)", "HyperX(4x4; hosts=20)"}) {
    const Topology topology = make_topology(notation);
    const Fabric& fabric = topology.fabric;
    const FabricMap drawing = fabric_map(topology);
    std::set<std::pair<Node, double>> directions;
    for (u32 nic = 0; nic < fabric.nics(); ++nic) {
      const Node host = fabric.node(Nic{nic}), leaf = fabric.to(fabric.channel(host, Port{0}));
      const double right = drawing.at[host].x - drawing.at[leaf].x,
                   below = drawing.at[host].y - drawing.at[leaf].y;
      EXPECT_TRUE(right > 0.3 && right < 4 && below > 0.3 && below < 4) << notation;
      EXPECT_TRUE(directions.emplace(leaf, right / below).second) << notation << ": behind another host";
    }
  }
}

// Each plane of a sum looks as it does alone, in a part of the sheet of its own.
TEST(FabricMap, PlanesOfDifferentShapesStandBesideEachOther) {
  const Topology sum = make_topology("2 x RLFT(8 ports, 16 hosts) + HyperX(4x4; hosts=1)");
  const FabricMap drawing = fabric_map(sum);
  std::vector<MapBox> rails;
  for (const MapGroup& group : drawing.groups)
    if (group.parent == MapGroup::none) {
      EXPECT_EQ(group.name, "rail " + std::to_string(rails.size()));
      EXPECT_EQ(group.hosts, 16u);
      rails.push_back(group.box);
    }
  ASSERT_EQ(rails.size(), 3u);
  for (std::size_t a = 0; a < rails.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_TRUE(rails[a].left > rails[b].right || rails[b].left > rails[a].right ||
                  rails[a].top > rails[b].bottom || rails[b].top > rails[a].bottom);
  const FabricMap alone = fabric_map(make_topology("HyperX(4x4; hosts=1)"));
  const Node first{16}, in_sum{48 + 12};  // switches
  for (u32 i = 1; i < 16; ++i) {
    const Node here{16 + i}, there{48 + 12 + i};
    EXPECT_DOUBLE_EQ(drawing.at[there].x - drawing.at[in_sum].x, alone.at[here].x - alone.at[first].x);
    EXPECT_DOUBLE_EQ(drawing.at[there].y - drawing.at[in_sum].y, alone.at[here].y - alone.at[first].y);
  }
  EXPECT_EQ(fabric_map(make_topology("Torus(4x4) + HyperX(4x4; hosts=1)")).kind, FabricMap::Kind::grid);
  EXPECT_EQ(drawing.kind, FabricMap::Kind::free);
}

TEST(FabricMap, FaultsMoveNothing) {
  for (const char* fabric :
       {"4-ary 3-tree", "HyperX(4x3; hosts=2)", "Dragonfly(2,4,2)", "Torus(4x4) + RLFT(8 ports, 16 hosts)"}) {
    Topology topology = make_topology(fabric);
    const FabricMap before = fabric_map(topology);
    Link first{};
    bool found = false;
    topology.fabric.each_link([&](const Link& link) {
      if (!found) first = link, found = true;
    });
    topology.fabric = without(topology.fabric, {first});
    const FabricMap after = fabric_map(topology);
    for (const Node node : topology.fabric.nodes()) {
      EXPECT_EQ(before.at[node].x, after.at[node].x);
      EXPECT_EQ(before.at[node].y, after.at[node].y);
    }
  }
}

}  // namespace
}  // namespace banyan::tests
