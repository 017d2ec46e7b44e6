// Forward in dimension order on HyperX, mesh and torus: one dimension after the other.
//
// On a torus a packet goes the shorter way around. Of two equal ones it rises from even coordinates and falls
// from odd ones, shifted by the number of its host at the destination, so that ties are spread evenly. Lanes
// of a ring (Dally and Seitz 1987): a packet that crosses the dateline, the cable between the last and the
// first switch, takes lane 0 before it and lane 1 behind it. Packets that do not cross it take the lane of
// their destination's parity all the way, so that both lanes are used: neither lane leads all around, and
// nobody changes from lane 1 to lane 0.
#pragma once
#include <vector>

#include "routing/header.hpp"
#include "topology/hyperx.hpp"
#include "topology/torus.hpp"

namespace banyan::routing {

class DimensionOrder {
 public:
  static constexpr u32 max_dimensions = 8;  // a bit of the state for each: dateline crossed

  DimensionOrder(const HyperX& grid, u32 planes);
  DimensionOrder(const Torus& grid, u32 planes);

  // On a HyperX the header's tag chooses among the cables of a trunk.
  Hop next(Node node, const Header& header) const;
  bool enters_alike() const { return true; }
  const Planes& planes() const { return planes_; }

 private:
  struct Line {  // one dimension
    u32 width;
    u32 trunk = 1;         // of a HyperX
    bool is_ring = false;  // it closes, with two cables at every switch
    bool is_mesh = false;  // of a torus that does not close there
  };
  // One switch and its goal in a dimension.
  struct Place {
    u32 own, goal;
  };
  u32 distance(const Line& line, const Place& at) const;
  u32 ports(const Line& line, u32 own) const;
  Hop step(u32 dimension, const Place& at, u32 first_port, u32 goal_host, const Header& header) const;
  Hop step_on_ring(u32 dimension, const Place& at, u32 first_port, u32 goal_host, const Header& header) const;

  Planes planes_;
  u32 hosts_per_switch_;
  std::vector<Line> lines_;
};

}  // namespace banyan::routing
