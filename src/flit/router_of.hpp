// The router of one forward; a file for each of them instantiates it.
#pragma once
#include <algorithm>

#include "flit/choice.hpp"
#include "flit/router.hpp"

namespace banyan {

// What decides between hops: docs/simulator.md, "Choosing among hops".
struct HopCosts {
  const State& state;
  u64 now;

  u64 queued(u32 exit) const {
    const Output& out = state.outputs[exit];
    if (state.mode == Mode::packets && out.until > now) return out.queued + (out.until - now);
    return out.queued;
  }
  u64 missing(u32 exit, u16 permitted) const {
    const Output& out = state.outputs[exit];
    u64 sum = 0;
    if (out.is_endless) return 0;
    for (u32 l = 0; l < state.options.lanes; ++l) {
      if ((permitted >> l & 1) == 0) continue;
      const u32 place = (exit << state.layout.shift) + l;
      const OutLane& lane = state.lanes[place];
      sum += state.options.buffer_flits - (out.has_queue ? lane.credits : lane.room);
      if (state.mode == Mode::packets && state.trickle_end[place] > now)
        sum -= state.packet_flits - (state.trickle_end[place] - now);
    }
    return sum;
  }
};

struct NoHops {};  // a deterministic forward needs no space for them

template <class F>
Hop choose_hop(const F& forward, const RouteSetting& setting, u32 node, const Packet& packet,
               [[maybe_unused]] u64 now, [[maybe_unused]] auto& hops) {
  if constexpr (Deterministic<F>) {
    return forward.next(Node{node}, packet.header);
  } else {
    hops.clear();
    forward.hops(Node{node}, packet.header, hops);
    const HopCosts costs{setting.state, now};
    const u32 first = setting.state.layout.first_exit[node], ports = setting.state.layout.ports(node);
    u64 least = ~u64{0};
    u32 left = 0, count = 0;
    std::array<u16, 512> best;
    for (u32 i = 0; i < hops.size(); ++i) {
      const Hop& hop = hops[i];
      if (index(hop.port) >= ports) continue;
      const u32 exit = first + index(hop.port);
      const u64 cost = (costs.queued(exit) + costs.missing(exit, setting.permits(hop))) * (hop.left + u64{1});
      if (cost < least || (cost == least && hop.left < left)) least = cost, left = hop.left, count = 0;
      if (cost == least && hop.left == left) best[count++] = static_cast<u16>(i);
    }
    if (count == 0) return {none<Port>, 0, 0, 0};
    return hops[best[mix(setting.seed, packet.source, packet.number, Node{node}) % count]];
  }
}

[[noreturn]] void no_way(const RouteSetting& setting, u32 node, const Packet& packet);

template <class F>
void Router<F>::route(const void* forward, const RouteSetting& setting, std::span<const RouteJob> jobs,
                      Entry* entries, u64 now) {
  const F& f = *static_cast<const F*>(forward);
  State& state = setting.state;
  std::conditional_t<Deterministic<F>, NoHops, Hops> hops;
  for (const RouteJob& job : jobs) {
    Entry& entry = entries[job.entry];
    Packet& packet = state.packets[entry.packet];
    const u32 node = state.outputs[job.lane >> state.layout.shift].node;
    const Hop hop = choose_hop(f, setting, node, packet, now, hops);
    const u32 exit = state.layout.first_exit[node] + index(hop.port);
    entry.lanes = setting.permits(hop);
    if (index(hop.port) >= state.layout.ports(node) || state.outputs[exit].far == absent || entry.lanes == 0)
      no_way(setting, node, packet);
    packet.header.state = hop.state;
    entry.exit = exit;
    state.outputs[exit].queued += entry.left;
  }
}

}  // namespace banyan
