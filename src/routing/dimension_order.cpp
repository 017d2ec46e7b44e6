#include "routing/dimension_order.hpp"

#include <algorithm>

namespace banyan::routing {

DimensionOrder::DimensionOrder(const HyperX& grid, u32 planes)
    : planes_(planes_of(grid, planes)), hosts_per_switch_(grid.hosts_per_switch) {
  for (u32 d = 0; d < grid.grid.dimensions(); ++d)
    lines_.push_back({.width = grid.grid.widths[d], .trunk = grid.trunk[d]});
}

DimensionOrder::DimensionOrder(const Torus& grid, u32 planes)
    : planes_(planes_of(grid, planes)), hosts_per_switch_(grid.hosts_per_switch) {
  for (const u32 width : grid.grid.widths) {
    const bool closes = grid.wraps && width > 2;
    lines_.push_back({.width = width, .is_ring = closes, .is_mesh = !closes});
  }
}

[[gnu::always_inline]] inline u32 DimensionOrder::distance(const Line& line, const Place& at) const {
  const u32 straight = at.own < at.goal ? at.goal - at.own : at.own - at.goal;
  if (line.is_ring) return std::min(straight, line.width - straight);
  return line.is_mesh ? straight : straight != 0;
}

[[gnu::always_inline]] inline u32 DimensionOrder::ports(const Line& line, u32 own) const {
  if (line.is_ring) return 2;
  return line.is_mesh ? (own > 0) + (own + 1 < line.width) : (line.width - 1) * line.trunk;
}

[[gnu::always_inline]] inline Hop DimensionOrder::step_on_ring(u32 dimension, const Place& at, u32 first_port,
                                                               u32 goal_host, const Header& header) const {
  const u32 width = lines_[dimension].width, rise = at.goal + (at.goal < at.own ? width : 0) - at.own;
  const bool rises = 2 * rise == width ? (at.own + goal_host) % 2 == 0 : 2 * rise < width;
  const u32 above = at.own + 1 == width ? 0 : at.own + 1, below = (at.own == 0 ? width : at.own) - 1;
  const u8 bit = static_cast<u8>(1u << dimension);
  const bool has_crossed = (header.state & bit) != 0;
  const bool will_cross = rises ? at.goal < at.own : at.goal > at.own;
  const u32 lane = has_crossed ? 1 : will_cross ? 0 : at.goal % 2;
  const bool crosses = rises ? above == 0 : at.own == 0;
  const u8 state = crosses ? static_cast<u8>(header.state | bit) : header.state;
  return {Port{first_port + (rises ? above > below : below > above)}, static_cast<u16>(1u << lane), state, 0};
}

// The ports of a switch in a dimension are in order of their neighbours' coordinates.
[[gnu::always_inline]] inline Hop DimensionOrder::step(u32 dimension, const Place& at, u32 first_port,
                                                       u32 goal_host, const Header& header) const {
  const Line& line = lines_[dimension];
  if (line.is_ring) return step_on_ring(dimension, at, first_port, goal_host, header);
  const u32 past = line.is_mesh ? at.goal > at.own && at.own > 0
                                : (at.goal - (at.goal > at.own)) * line.trunk +
                                      (line.trunk == 1 ? 0 : static_cast<u32>(header.tag % line.trunk));
  return {Port{first_port + past}, static_cast<u16>(1u << header.lane), header.state, 0};
}

// One pass over the dimensions: the first that differs decides, all that differ count for the hops that are
// left. It is asked at every hop of a packet, so nothing in it is called.
Hop DimensionOrder::next(Node node, const Header& header) const {
  const u32 to_host = planes_.number(Nic{index(header.to)});
  u32 to = to_host / hosts_per_switch_;
  const u32 goal_host = to_host - to * hosts_per_switch_;
  const bool at_nic = planes_.is_nic(node);
  u32 v = at_nic ? planes_.number(Nic{index(node)}) / hosts_per_switch_ : planes_.switch_number(node);
  Hop hop{Port{at_nic ? 0 : goal_host}, static_cast<u16>(1u << header.lane), header.state, at_nic};
  if (v == to) return hop;
  const Line* line = lines_.data();
  const auto take = [&] {  // the coordinates in a dimension
    const u32 above = v / line->width, goal_above = to / line->width;
    const Place at{v - above * line->width, to - goal_above * line->width};
    v = above, to = goal_above;
    return at;
  };
  u32 first_port = hosts_per_switch_, decides = 0;
  Place at = take();
  for (; at.own == at.goal; at = take(), ++decides) first_port += ports(*line++, at.own);
  if (!at_nic) hop = step(decides, at, first_port, goal_host, header);
  u32 left = distance(*line, at) + at_nic;
  while (v != to) {
    ++line;
    at = take();
    left += distance(*line, at);
  }
  hop.left = static_cast<u8>(left);
  return hop;
}

}  // namespace banyan::routing
