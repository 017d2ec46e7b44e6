// FabricMap: the positions of the nodes of a fabric on a sheet. Trees are drawn by level with their subtrees
// side by side, grids as grids, dragonflies as a ring of groups, others by their cables. Groups nest; a
// viewer shows a group as one thing where its members would be too small to see.
#pragma once
#include <string>
#include <vector>

#include "base/json_writer.hpp"
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

std::string_view name_of(FabricMap::Kind kind);

FabricMap fabric_map(const Topology& topology);

// The fields of `banyan draw` that pages draw from, into an object that is open.
void write_map(JsonWriter& json, const Fabric& fabric, const FabricMap& map);

}  // namespace banyan::topology
