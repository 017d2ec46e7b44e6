// A HyperX in flat arrays, with or without missing cables, for the queries of its forwards at every hop.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/header.hpp"
#include "topology/hyperx.hpp"

namespace banyan::routing {

class HyperXPlan {
 public:
  HyperXPlan(const HyperX& shape, u32 planes);            // complete
  HyperXPlan(const HyperX& shape, const Fabric& fabric);  // one plane; cables may be missing

  bool is_complete() const { return live_.empty(); }
  u32 dimensions() const { return static_cast<u32>(lines_.size()); }
  u32 switches() const { return planes_.switches(); }
  u32 width(u32 d) const { return lines_[d].width; }
  u32 at(u32 v, u32 d) const { return coordinate_[std::size_t{v} * lines_.size() + d]; }
  u32 distance(u32 a, u32 b) const;
  std::vector<u32> nearest_first(u32 goal) const;  // all switches
  u32 moved(u32 v, u32 d, u32 coordinate) const {
    return v + (coordinate - at(v, d)) * lines_[d].stride;  // modulo 2^32
  }
  bool is_linked(u32 v, u32 d, u32 coordinate) const;  // by at least one cable

  // Switches are given by their number in the plane.
  u32 switch_of(Nic nic) const { return planes_.number(nic) / hosts_per_switch_; }
  bool is_nic(Node node) const { return planes_.is_nic(node); }
  u32 switch_at(Node node) const { return planes_.switch_number(node); }
  Port host_port(Nic nic) const { return Port{planes_.number(nic) % hosts_per_switch_}; }

  // Offers the hop towards the neighbour with that coordinate, once for every cable that leads there.
  void offer(u32 v, u32 d, u32 coordinate, Hop hop, Hops& out) const {
    const u32 first = port_towards(v, d, coordinate);
    for (u32 t = 0; t < lines_[d].trunk; ++t) {
      if (!is_complete() && !is_live(v, first + t)) continue;
      hop.port = Port{first + t};
      out.push_back(hop);
    }
  }

 private:
  struct Line {
    u32 width, trunk, first_port, stride;
  };
  u32 port_towards(u32 v, u32 d, u32 coordinate) const {
    const Line& line = lines_[d];
    return line.first_port + (coordinate - (coordinate > at(v, d))) * line.trunk;
  }
  bool is_live(u32 v, u32 port) const { return live_[std::size_t{v} * ports_ + port]; }

  Planes planes_;
  u32 hosts_per_switch_;
  std::vector<Line> lines_;      // by dimension
  std::vector<u32> coordinate_;  // by switch and dimension
  u32 ports_ = 0;                // of a switch
  std::vector<bool> live_;       // by switch and port; empty: all
};

}  // namespace banyan::routing
