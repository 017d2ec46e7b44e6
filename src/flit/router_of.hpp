// The router of one forward; a file for each of them instantiates it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>

#include "flit/choice.hpp"
#include "flit/router.hpp"

namespace banyan::flit {

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

// The eight bytes of a number, the lowest first.
inline void put_bytes(u64 value, u8* out) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(out, &value, 8);
}

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
      const u64 cost =
          (costs.queued(exit) + costs.missing(exit, setting.permits(hop.lanes))) * (hop.left + u64{1});
      if (cost < least || (cost == least && hop.left < left)) least = cost, left = hop.left, count = 0;
      if (cost == least && hop.left == left) best[count++] = static_cast<u16>(i);
    }
    if (count == 0) return {none<Port>, 0, 0, 0};
    return hops[best[mix(setting.seed, packet.source, packet.number, Node{node}) % count]];
  }
}

template <class F>
void Router<F>::route(const void* forward, const RouteSetting& setting, std::span<RouteJob> jobs, u64 now) {
  const F& f = *static_cast<const F*>(forward);
  State& state = setting.state;
  Output* const outputs = state.outputs.data();
  const u32* const first_exit = state.layout.first_exit.data();
  const u32 shift = state.layout.shift;
  std::conditional_t<Deterministic<F>, NoHops, Hops> hops;
  for (RouteJob& job : jobs) {
    Packet& packet = state.packets[job.packet];
    const u32 node = outputs[job.lane >> shift].node;
    u32 port;
    if constexpr (KnowsWay<F>) {
      const auto way = f.way(Node{node}, packet.header);
      put_bytes(way.ascent, packet.ports.data());
      put_bytes(way.descent, packet.ports.data() + way.up);
      port = packet.ports[0];
      packet.hop = 1;
      packet.lanes = job.lanes = setting.permits(u32{1} << packet.header.lane);
    } else {
      const Hop hop = choose_hop(f, setting, node, packet, now, hops);
      port = index(hop.port);
      packet.header.state = hop.state;
      job.lanes = setting.permits(hop.lanes);
    }
    job.exit = first_exit[node] + port;
    job.flits = packet.flits;
    if (port >= state.layout.ports(node) || outputs[job.exit].far == absent || job.lanes == 0)
      no_way(setting, node, packet);
    outputs[job.exit].queued += packet.flits;
  }
}

}  // namespace banyan::flit
