// FabricMap: the positions of the nodes of a fabric on a sheet. Trees are drawn by level with their subtrees
// side by side, grids as grids, dragonflies as a ring of groups, others by their cables. Groups nest; a
// viewer shows a group as one thing where its members would be too small to see.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_or_text.hpp"
#include "base/or_null.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

struct MapPoint {
  double x = 0, y = 0;  // y grows downwards
};

struct MapBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  void include(MapPoint p);
  void include(const MapBox& other);
  MapBox grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
};

struct MapGroup {
  static constexpr u32 none = ~u32{0};
  std::string name;
  u32 parent = none;  // an earlier group
  double detail = 1;  // distance between its members: a viewer opens the group where this is visible
  u32 hosts = 0, switches = 0;
  MapBox box;
};

struct FabricMap {
  enum class Kind : u8 { tree, grid, ring, layers, free };
  Kind kind = Kind::free;
  IdVector<Node, MapPoint> at;
  IdVector<Node, u32>
      level;  // distance from the hosts in a tree or in layers; else 0 for NICs, 1 for switches
  IdVector<Node, u32> group;  // the innermost one, or MapGroup::none
  std::vector<MapGroup> groups;
  struct Level {
    u32 nodes = 0;
    double y = 0;
  };
  std::vector<Level> levels;  // of a tree or of layers, from the hosts up
  MapBox box;
};

constexpr std::array<std::string_view, 5> option_names(FabricMap::Kind) {
  return {"tree", "grid", "ring", "layers", "free"};
}

FabricMap fabric_map(const Topology& topology);

// A map as pages read it: flat arrays by node and by cable. Places are rounded to a hundredth.
struct MapData {
  struct Group {
    std::string name{};
    std::optional<u32> parent{};
    u32 hosts = 0, switches = 0;
    double detail = 1;
    std::vector<double> box{};

    static void fields(auto& self, auto&& f) {
      f("name", self.name, "", "name of the group");
      f("parent", or_null(self.parent), "", "number of the group around it; null: none");
      f("hosts", self.hosts, "", "hosts in the group");
      f("switches", self.switches, "", "switches in the group");
      f("detail", self.detail, "", "distance between its members on the sheet");
      f("box", self.box, "", "left, top, right and bottom edge");
    }
  };
  struct Level {
    u32 nodes = 0;
    double y = 0;

    static void fields(auto& self, auto&& f) {
      f("nodes", self.nodes, "", "nodes on the level");
      f("y", self.y, "", "place of the level on the sheet");
    }
  };
  FabricMap::Kind kind = FabricMap::Kind::free;
  u32 hosts = 0, rails = 0, nics = 0, switches = 0, links = 0, channels = 0;
  std::vector<double> box{};
  std::vector<std::string> names{};
  std::vector<double> x{}, y{};
  std::vector<i64> group{};
  std::vector<u32> first_channel{}, cables{}, taken{};
  std::optional<std::vector<NumberOrText>> port_labels{};
  std::vector<Group> groups{};
  std::vector<Level> levels{};

  static void fields(auto& self, auto&& f) {
    f("kind", self.kind, "", "how the fabric is laid out");
    f("hosts", self.hosts, "", "hosts of the fabric");
    f("rails", self.rails, "", "NICs of a host");
    f("nics", self.nics, "", "NICs of all hosts");
    f("switches", self.switches, "", "switches of the fabric");
    f("links", self.links, "", "cables that are in place");
    f("box", self.box, "", "left, top, right and bottom edge of the drawing");
    f("names", self.names, "", "names by node, NICs first");
    f("x", self.x, "", "place by node, to the right");
    f("y", self.y, "", "place by node, downwards");
    f("group", self.group, "", "innermost group by node; -1: none");
    f("first_channel", self.first_channel, "", "channel of port 0 by node; the other ports follow");
    f("channels", self.channels, "", "number of channels, those of empty ports included");
    f("cables", self.cables, "", "two channels of each cable, one leaving each end");
    f("taken", self.taken, "", "two channels of each cable that was taken away");
    f("port_labels", self.port_labels, "",
      "labels of ports by channel, numbers or texts, unless they are port + 1");
    f("groups", self.groups, "", "groups of nodes, outer ones first");
    f("levels", self.levels, "", "of a tree or of layers, from the hosts up");
  }
};
MapData map_data(const Fabric& fabric, const FabricMap& map);

}  // namespace banyan::topology
