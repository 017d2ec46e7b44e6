#include "routing/dimension_order.hpp"

namespace banyan::routing {
namespace {

u32 distance(u32 a, u32 b, u32 width, bool wraps) {
  const u32 straight = a < b ? b - a : a - b;
  return wraps ? std::min(straight, width - straight) : straight;
}

u32 distance(const HyperX& shape, u32 v, u32 to, u32 d) {
  return shape.grid.coordinate(v, d) != shape.grid.coordinate(to, d);
}

u32 distance(const Torus& shape, u32 v, u32 to, u32 d) {
  return distance(shape.grid.coordinate(v, d), shape.grid.coordinate(to, d), shape.grid.widths[d],
                  shape.wraps);
}

Hop step(const HyperX& shape, u32 v, u32 to, u32 d, const Header& header) {
  const Port first = shape.port_towards(v, d, shape.grid.coordinate(to, d));
  const u32 cable = static_cast<u32>(header.tag % shape.trunk[d]);
  return {Port{index(first) + cable}, static_cast<u16>(1u << header.lane), header.state, 0};
}

// The shorter way around; of two equal ones the rising one.
Hop step(const Torus& shape, u32 v, u32 to, u32 d, const Header& header) {
  const u32 own = shape.grid.coordinate(v, d), goal = shape.grid.coordinate(to, d),
            width = shape.grid.widths[d];
  const u32 rising = (goal + width - own) % width;
  const bool up = shape.wraps ? 2 * rising <= width : goal > own;
  const u32 coordinate = up ? (own + 1) % width : (own + width - 1) % width;
  const bool crosses = up ? coordinate == 0 : own == 0;
  const u8 bit = static_cast<u8>(1u << d);
  const u16 lane = header.state & bit ? 2 : 1;
  const u8 state = crosses ? static_cast<u8>(header.state | bit) : header.state;
  return {shape.port_towards(v, d, coordinate), lane, state, 0};
}

template <class S>
Hop next_on(const S& shape, const Planes& planes, Node node, const Header& header) {
  const u32 to_host = planes.number(Nic{index(header.to)}), to = shape.leaf(to_host);
  const bool at_nic = planes.is_nic(node);
  const u32 v = at_nic ? shape.leaf(planes.number(Nic{index(node)})) : planes.switch_number(node);
  u32 hops = 1;
  for (u32 d = 0; d < shape.grid.dimensions(); ++d) hops += distance(shape, v, to, d);
  Hop hop{Port{0}, static_cast<u16>(1u << header.lane), header.state, 0};
  if (!at_nic) {
    hop.port = Port{to_host % shape.hosts_per_switch};
    for (u32 d = 0; d < shape.grid.dimensions(); ++d)
      if (distance(shape, v, to, d) != 0) {
        hop = step(shape, v, to, d, header);
        break;
      }
    --hops;
  }
  hop.left = static_cast<u8>(hops);
  return hop;
}

}  // namespace

Hop DimensionOrder::next(Node node, const Header& header) const {
  return std::visit([&](const auto& shape) { return next_on(shape, planes_, node, header); }, shape_);
}

}  // namespace banyan::routing
