// Forward on a complete mesh or torus, with few lanes however far it is.
//
// By a middle (Valiant, SIAM J. Computing 1982; Singh, Stanford 2005): to the middle and from there to the
// goal, both in dimension order, each half on lanes of its own: one of a mesh, two of a torus
// (dimension_order.hpp). The direct way is in dimension order on the lanes of either half. A packet that
// passes its destination on the way to the middle stops there.
//
// Minimal (Duato, IEEE TPDS 1993): any dimension that is not right yet, on lane 0, and an escape in dimension
// order on the lanes behind it: one of a mesh, two of a torus. A packet that took the escape stays there.
#pragma once
#include <vector>

#include "routing/detour.hpp"
#include "routing/dimension_order.hpp"

namespace banyan::routing {

class GridDetours {
 public:
  enum class Kind : u8 { by_middle, minimal };
  static constexpr u32 max_dimensions = 6;  // a bit of the state for each, and two for the half

  GridDetours(const Torus& grid, u32 planes, Kind kind);

  // By a middle, the header's tag is the number of the middle's switch in its plane.
  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }
  bool has_escape() const { return kind_ == Kind::minimal; }
  bool is_escape(const Hop& hop) const { return (hop.state & escaped) != 0; }
  u32 lanes() const { return kind_ == Kind::minimal ? 1 + order_lanes_ : 2 * order_lanes_; }

 private:
  static constexpr u8 escaped = 128;  // a bit of the state of a minimal packet

  u32 at(Node node) const;  // the switch in its plane, or that of a NIC
  u32 distance(u32 v, u32 w) const;
  // Channels between switches from v to the goal, by way of the middle or to the goal if it is passed before.
  u32 around(u32 v, u32 middle, u32 goal) const;
  u16 all_lanes() const { return static_cast<u16>((1u << lanes()) - 1); }
  // The hop in dimension order; `crossed`: the datelines that the packet is behind.
  Hop step(u32 v, u32 host, u8 crossed) const;
  void go(u32 v, u32 host, const Header& header, u8 half, Hops& out) const;
  void go_around(u32 v, u32 goal, const Header& header, Hops& out) const;
  void offer_by_middle(u32 v, u32 host, const Header& header, Hops& out) const;
  void offer_minimal(u32 v, u32 host, const Header& header, Hops& out) const;
  void offer(u32 v, const Header& header, Hops& out) const;  // at a switch

  struct Line {  // one dimension
    u32 width;
    bool is_ring;
    u32 distance(u32 a, u32 b) const;
    // Whether the way of dimension order from `own` to the middle comes to x, both ends included.
    bool passes(u32 own, u32 middle, u32 x) const;
  };

  Kind kind_;
  u32 hosts_per_switch_, order_lanes_;
  std::vector<Line> lines_;
  std::vector<Port> ports_;  // by switch, dimension, and down or up; none<Port> where a line ends
  DimensionOrder order_;
};

}  // namespace banyan::routing
