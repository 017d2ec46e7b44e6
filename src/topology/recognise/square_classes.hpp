// Cables of a product of graphs, such as a torus: those that are opposite in a square run along the same
// dimension, between the same two layers. Classes of such cables, and the dimensions that they form.
#pragma once
#include <optional>
#include <vector>

#include "topology/recognise/hyperx_planes.hpp"

namespace banyan::topology {

// A dimension: the classes of cables between its layers, in order. A ring of k layers has k classes, or one
// if k is 2; a line of k layers has k - 1.
struct LayeredDimension {
  std::vector<u32> classes;
  bool is_ring = false;

  u32 width() const { return static_cast<u32>(classes.size()) + !is_ring; }
};

struct SquareClasses {
  // By switch and neighbour in the order of the graph: the class, or nowhere for a cable in too few squares.
  std::vector<std::vector<u32>> of_cable;
  std::vector<LayeredDimension> dimensions;
};

// None if the classes form no rings or lines. `ignored`: two switches whose cable is not looked at.
struct IgnoredCable {
  u32 a = nowhere, b = nowhere;
};
std::optional<SquareClasses> square_classes(const SwitchNeighbours& graph, const IgnoredCable& ignored = {});

// Cables whose number of squares is unusual, the most unusual first: a wrong cable may be among them.
std::vector<IgnoredCable> odd_cables(const SwitchNeighbours& graph, std::size_t maximum);

// By dimension and switch: its layer, or nowhere.
std::vector<std::vector<u32>> layers(const SwitchNeighbours& graph, const SquareClasses& classes);

}  // namespace banyan::topology
