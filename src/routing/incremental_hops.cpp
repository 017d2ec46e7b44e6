#include "routing/incremental_hops.hpp"

#include <algorithm>

namespace banyan::routing {

IncrementalHops::IncrementalHops(SwitchCables graph, const IncrementalOptions& options)
    : graph_(std::move(graph)),
      options_(options),
      lanes_(options.adaptive_lanes ? options.adaptive_lanes : options.max_hops),
      distance_(graph_.distances()) {}

IncrementalHops::IncrementalHops(SwitchCables graph, const IncrementalOptions& options, UpDownEscape escape,
                                 bool has_own_cables)
    : IncrementalHops(std::move(graph), options) {
  escape_ = std::make_shared<const UpDownEscape>(std::move(escape));
  own_cables_ = has_own_cables;
  lanes_ += !has_own_cables;
}

// Asked for every cable of a switch by every packet that chooses.
[[gnu::always_inline]] inline bool IncrementalHops::permits(u32 v, u32 next, u32 goal, u32 source) const {
  const int t = distance(goal, next) - distance(goal, v);
  if (options_.rule == IncrementalRule::no_farther) return t <= 0;
  const int s = distance(source, next) - distance(source, v);
  if (s != t) return s > t;
  return s == (distance(source, v) < distance(goal, v) ? 1 : -1);
}

void IncrementalHops::offer_adaptive(u32 v, u32 goal, u32 source, u32 used, Hops& out) const {
  const u8 here = distance(goal, v);
  if (used + here > options_.max_hops) return;
  const u32 lanes = options_.adaptive_lanes ? (1u << options_.adaptive_lanes) - 1 : 1u << used;
  bool has_shortest = false;
  const auto look = [&](bool by_rule) {
    graph_.each_cable(
        v, [&](u32 cable, u32 next) __attribute__((always_inline)) {
          const u8 then = distance(goal, next);
          const bool is_shortest = then < here;
          if ((own_cables_ && escape_->has(cable)) || used + 1 + then > options_.max_hops) return;
          if (by_rule ? !permits(v, next, goal, source) : !is_shortest) return;
          has_shortest |= is_shortest;
          out.push_back({graph_.port(v, cable), static_cast<u16>(lanes), static_cast<u8>(used + 1),
                         static_cast<u8>(then + 1)});
        });
  };
  look(true);
  if (!has_shortest) look(false);
}

void IncrementalHops::offer(u32 v, u32 goal, const Header& header, Hops& out) const {
  const bool escaped = escape_ && header.state >= descends;
  if (!escaped)
    offer_adaptive(v, goal, static_cast<u32>(header.tag), header.state, out);
  else if (own_cables_)
    offer_adaptive(v, goal, static_cast<u32>(header.tag), options_.max_hops - 1, out);
  if (!escape_) return;
  const auto lane = static_cast<u16>(own_cables_ ? (1u << lanes_) - 1 : 1u << (lanes_ - 1));
  escape_->each_hop(graph_, goal, v, header.state != descends, [&](u32 cable, bool up, u8 left) {
    out.push_back({graph_.port(v, cable), lane, up ? ascends : descends, static_cast<u8>(left + 1)});
  });
}

void IncrementalHops::hops(Node node, const Header& header, Hops& out) const {
  const u32 to = index(header.to), goal = graph_.leaf[to];
  const bool is_nic = index(node) < graph_.nics;
  const u32 v = is_nic ? graph_.leaf[index(node)] : index(node) - graph_.nics;
  if (goal == SwitchCables::nowhere || v == SwitchCables::nowhere || distance(goal, v) == SwitchCables::far)
    return;
  if (v == goal)
    out.push_back({graph_.host_port[to], all_lanes(), header.state, 0});
  else
    offer(v, goal, header, out);
  if (!is_nic) return;
  u32 left = SwitchCables::far;
  for (const Hop& hop : out) left = std::min<u32>(left, hop.left + 1u);
  const bool has_any = out.size() > 0;
  out.clear();
  if (has_any) out.push_back({Port{0}, all_lanes(), header.state, static_cast<u8>(left)});
}

}  // namespace banyan::routing
