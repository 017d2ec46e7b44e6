// Forward in dimension order on HyperX, mesh and torus: one dimension after the other. On a torus a packet
// that crosses the dateline of a ring, the cable between its last and first switch, continues on a second
// lane (Dally and Seitz 1987).
#pragma once
#include <variant>

#include "routing/header.hpp"
#include "topology/hyperx.hpp"
#include "topology/torus.hpp"

namespace banyan::routing {

class DimensionOrder {
 public:
  static constexpr u32 max_dimensions = 8;  // a bit of the state for each: dateline crossed

  DimensionOrder(HyperX grid, u32 planes) : planes_(planes_of(grid, planes)), shape_(std::move(grid)) {}
  DimensionOrder(Torus grid, u32 planes) : planes_(planes_of(grid, planes)), shape_(std::move(grid)) {}

  // On a HyperX the header's tag chooses among the cables of a trunk.
  Hop next(Node node, const Header& header) const;
  bool enters_alike() const { return true; }
  const Planes& planes() const { return planes_; }

 private:
  Planes planes_;
  std::variant<HyperX, Torus> shape_;
};

}  // namespace banyan::routing
