#include "routing/grid_detours.hpp"

#include <algorithm>

namespace banyan::routing {
namespace {

// The state by a middle: the half in two bits (detour.hpp), and behind them the datelines that were crossed.
constexpr u8 first_lanes = Detour::to_goal(0), second_lanes = Detour::to_goal(1);
constexpr u8 half_of(u8 state) { return state & 3; }
constexpr u8 crossed_of(u8 state) { return static_cast<u8>(state >> 2); }

}  // namespace

GridDetours::GridDetours(const Torus& grid, u32 planes, Kind kind)
    : kind_(kind), hosts_per_switch_(grid.hosts_per_switch), order_lanes_(1), order_(grid, planes) {
  for (const u32 width : grid.grid.widths) {
    lines_.push_back({width, grid.wraps && width > 2});
    if (lines_.back().is_ring) order_lanes_ = 2;
  }
  for (u32 v = 0; v < grid.grid.size(); ++v)
    for (u32 d = 0; d < lines_.size(); ++d) {
      const auto [width, is_ring] = lines_[d];
      const u32 own = grid.grid.coordinate(v, d);
      const auto towards = [&](bool exists, u32 to) {
        ports_.push_back(exists ? grid.port_towards(v, d, to) : none<Port>);
      };
      towards(own > 0 || is_ring, (own + width - 1) % width);
      towards(own + 1 < width || is_ring, (own + 1) % width);
    }
}

u32 GridDetours::at(Node node) const {
  const Planes& planes = order_.planes();
  return planes.is_nic(node) ? planes.number(Nic{index(node)}) / hosts_per_switch_
                             : planes.switch_number(node);
}

inline u32 GridDetours::Line::distance(u32 a, u32 b) const {
  const u32 straight = a < b ? b - a : a - b;
  return is_ring ? std::min(straight, width - straight) : straight;
}

// A way to a middle is that to its host 0: of two equal ones around a ring it rises from even coordinates.
inline bool GridDetours::Line::passes(u32 own, u32 middle, u32 x) const {
  if (!is_ring) return own < middle ? own <= x && x <= middle : middle <= x && x <= own;
  const auto rise = [&](u32 to) { return to < own ? to + width - own : to - own; };
  const u32 all = rise(middle), part = rise(x);
  const bool rises = 2 * all == width ? own % 2 == 0 : 2 * all < width;
  return rises ? part <= all : part == 0 || part >= all;
}

u32 GridDetours::distance(u32 v, u32 w) const {
  u32 out = 0;
  for (const Line& line : lines_) {
    out += line.distance(v % line.width, w % line.width);
    v /= line.width, w /= line.width;
  }
  return out;
}

// The way moves in one dimension after the other. So it passes a goal that has the middle's coordinates in
// the first dimensions, one on the way in the next, and those of v in the rest.
u32 GridDetours::around(u32 v, u32 middle, u32 goal) const {
  u32 to_goal = 0, to_middle = 0, onwards = 0;
  bool is_first = true, passes = true;
  for (const Line& line : lines_) {
    const u32 own = v % line.width, at_middle = middle % line.width, at_goal = goal % line.width;
    to_goal += line.distance(own, at_goal);
    to_middle += line.distance(own, at_middle);
    onwards += line.distance(at_middle, at_goal);
    passes = passes && (is_first ? line.passes(own, at_middle, at_goal) : own == at_goal);
    is_first = is_first && at_middle == at_goal;
    v /= line.width, middle /= line.width, goal /= line.width;
  }
  return passes ? to_goal : to_middle + onwards;
}

Hop GridDetours::step(u32 v, u32 host, u8 crossed) const {
  return order_.next(order_.planes()[0].switch_(v), {.to = Address{host}, .state = crossed});
}

void GridDetours::go(u32 v, u32 host, const Header& header, u8 half, Hops& out) const {
  Hop hop = step(v, host, half_of(header.state) == half ? crossed_of(header.state) : u8{0});
  hop.state = static_cast<u8>(hop.state << 2 | half);
  if (half == second_lanes) hop.lanes = static_cast<u16>(hop.lanes << order_lanes_);
  out.push_back(hop);
}

void GridDetours::go_around(u32 v, u32 goal, const Header& header, Hops& out) const {
  const u32 middle = static_cast<u32>(header.tag);
  Hop hop = step(v, middle * hosts_per_switch_, crossed_of(header.state));
  hop.state = static_cast<u8>(hop.state << 2 | Detour::to_middle);
  hop.left = static_cast<u8>(around(v, middle, goal));
  out.push_back(hop);
}

void GridDetours::offer_by_middle(u32 v, u32 host, const Header& header, Hops& out) const {
  const u32 goal = host / hosts_per_switch_, middle = static_cast<u32>(header.tag);
  const u8 half = half_of(header.state);
  if (v == goal) return out.push_back({Port{host % hosts_per_switch_}, all_lanes(), header.state, 0});
  if (half == Detour::to_middle)
    return v == middle ? go(v, host, header, second_lanes, out) : go_around(v, goal, header, out);
  if (half != Detour::undecided) return go(v, host, header, half, out);
  go(v, host, header, first_lanes, out);
  go(v, host, header, second_lanes, out);
  if (v != middle && goal != middle) go_around(v, goal, header, out);
}

void GridDetours::offer_minimal(u32 v, u32 host, const Header& header, Hops& out) const {
  const u32 goal = host / hosts_per_switch_;
  if (v == goal) return out.push_back({Port{host % hosts_per_switch_}, all_lanes(), header.state, 0});
  const u8 left = static_cast<u8>(distance(v, goal));
  if (!(header.state & escaped)) {
    const Port* port = ports_.data() + std::size_t{v} * 2 * lines_.size();
    u32 own = v, wanted = goal;
    for (const auto& [width, is_ring] : lines_) {
      const u32 up = (wanted % width + width - own % width) % width, down = (width - up) % width;
      const bool rises = up > 0 && (is_ring ? up <= down : wanted % width > own % width);
      const bool falls = up > 0 && (is_ring ? down <= up : !rises);
      if (falls) out.push_back({port[0], 1, 0, left});
      if (rises) out.push_back({port[1], 1, 0, left});
      port += 2, own /= width, wanted /= width;
    }
  }
  Hop hop = step(v, host, header.state & static_cast<u8>(~escaped));
  hop.lanes = static_cast<u16>(hop.lanes << 1);
  hop.state |= escaped;
  out.push_back(hop);
}

void GridDetours::offer(u32 v, const Header& header, Hops& out) const {
  const u32 host = order_.planes().number(Nic{index(header.to)});
  kind_ == Kind::minimal ? offer_minimal(v, host, header, out) : offer_by_middle(v, host, header, out);
}

void GridDetours::hops(Node node, const Header& header, Hops& out) const {
  offer(at(node), header, out);
  if (!order_.planes().is_nic(node)) return;
  u32 left = 0xff;
  for (const Hop& hop : out) left = std::min<u32>(left, hop.left + 1u);
  out.clear();
  out.push_back({Port{0}, all_lanes(), header.state, static_cast<u8>(left)});
}

}  // namespace banyan::routing
