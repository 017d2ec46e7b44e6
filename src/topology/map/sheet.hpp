// Sheet: a drawing in progress, shared by the layouts. The planes of its fabric are copies of each other.
#pragma once
#include <numbers>

#include "topology/map/fabric_map.hpp"

namespace banyan::topology {

constexpr double pi = std::numbers::pi;

struct Sheet {
  Sheet(const Topology& topology, FabricMap::Kind kind);

  u32 add_group(std::string name, u32 parent, double detail);
  void place(Node node, MapPoint at, u32 level, u32 group);
  FabricMap finish() &&;  // computes boxes and counts of groups

  const Topology& topology;
  FabricMap map;
};

// One plane to draw. Each function below draws it where it likes; the caller moves the planes apart.
struct PlanePlace : Plane {
  u32 group;
};
void draw_tree(Sheet& sheet, const Pgft& tree, const PlanePlace& plane);
void draw_grid(Sheet& sheet, const Grid& grid, u32 hosts_per_switch, const PlanePlace& plane);
void draw_dragonfly(Sheet& sheet, const Dragonfly& shape, const PlanePlace& plane);
void draw_dragonfly(Sheet& sheet, const DragonflyPlus& shape, const PlanePlace& plane);
void draw_graph(Sheet& sheet, const GraphShape& shape, const PlanePlace& plane);

// Draws a fabric without a shape: by layers where every cable joins neighbouring ones, else by stress.
FabricMap draw_irregular(const Topology& topology);

}  // namespace banyan::topology
