// The polarity graph ER_q of Erdos and Renyi over a prime power q: the points of the projective plane, with
// a cable between two points whose scalar product is 0. It has diameter 2; PolarFly is this graph, and
// PolarStar is built on it.
#pragma once
#include "topology/graph_shape.hpp"

namespace banyan::topology {

struct PolarGraph {
  explicit PolarGraph(u32 q);

  u32 points() const { return static_cast<u32>(is_quadric.size()); }  // q^2 + q + 1

  std::vector<GraphShape::Edge> edges;  // a < b, ascending
  std::vector<bool> is_quadric;         // points at right angles to themselves; they have one cable less
};

}  // namespace banyan::topology
