#include "flit/router.hpp"

#include <algorithm>
#include <bit>

#include "flit/choice.hpp"

namespace banyan::flit {

std::vector<u16> permitted_lanes(u32 classes, u32 lanes) {
  std::vector<u16> out(std::size_t{1} << classes, 0);
  for (u32 mask = 0; mask < u32{1} << classes; ++mask)
    for (u32 lane = 0; lane < lanes; ++lane)
      if (mask >> (lane % classes) & 1) out[mask] = static_cast<u16>(out[mask] | 1u << lane);
  return out;
}

void no_way(const RouteSetting& setting, Node node, const Packet& packet) {
  const Fabric& fabric = setting.fabric;
  throw InputError("the routing has no way on at " + fabric.name(node) + " for a packet from " +
                   fabric.name(fabric.node(packet.source)) + " to " +
                   fabric.name(fabric.node(nic_of(packet.header.to, setting.lmc))));
}

void no_way(const RouteSetting& setting, Nic from, Nic to) {
  const Fabric& fabric = setting.fabric;
  throw InputError("the routing has no way from " + fabric.name(fabric.node(from)) + " to " +
                   fabric.name(fabric.node(to)));
}

namespace {

// Flits that are routed to an output and have not entered its channel.
[[gnu::always_inline]] inline u64 queued_flits(const Output& out, bool has_packets, u64 now) {
  const u32 waiting = out.routed - static_cast<u32>(out.flits);
  return has_packets && out.until > now ? waiting + (out.until - now) : waiting;
}

// What decides between the hops of a node: docs/simulator.md, "Choosing among hops".
class HopCosts {
 public:
  HopCosts(const State& state, Node node, u64 now)
      : state_(state),
        outputs_(&state.output(state.layout.exit(node, 0))),
        has_packets_(state.mode == Mode::packets),
        counts_all_(state.options.hop_credits == HopCredits::all),
        now_(now) {}

  // The lanes that count from now on.
  void permit(u16 lanes) {
    permitted_ = lanes;
    count_ = static_cast<u32>(std::popcount(lanes));
    are_first_ = (lanes & (lanes + 1)) == 0;
    buffers_ = u64{count_} * state_.options.buffer_flits;
  }
  // Flits that are queued for the port, and missing credits of these lanes.
  [[gnu::always_inline]] u64 operator()(u32 port) const { return queued(port) + missing(port); }
  [[gnu::always_inline]] u64 queued(u32 port) const {
    return queued_flits(outputs_[port], has_packets_, now_);
  }
  // Does not change while packets are routed.
  [[gnu::always_inline]] u64 missing(u32 port) const {
    const Output& out = outputs_[port];
    return out.is_endless ? 0 : missing(out);
  }

 private:
  [[gnu::always_inline]] u64 missing(const Output& out) const {
    const OutLane* lanes = &state_.out_lane(out.first_lane);
    u64 sum = buffers_ - (out.has_queue ? sum_of(lanes, &OutLane::credits) : sum_of(lanes, &OutLane::room));
    if (has_packets_) sum -= trickled(out.first_lane);
    if (counts_all_) return sum;
    return sum - std::min(sum, state_.layout.round_trip_flits(state_.layout.exit_of(out.first_lane)));
  }
  [[gnu::always_inline]] u64 sum_of(const OutLane* lanes, u32 OutLane::*what) const {
    u64 sum = 0;
    if (are_first_)
      for (const OutLane* const end = lanes + count_; lanes != end; ++lanes) sum += lanes->*what;
    else
      for (u32 rest = permitted_; rest != 0; rest &= rest - 1) sum += lanes[std::countr_zero(rest)].*what;
    return sum;
  }
  // Packets as the unit: credits that have come one by one, and are not counted yet.
  u64 trickled(LaneId first) const {
    u64 sum = 0;
    for (u32 rest = permitted_, place = index(first); rest != 0; rest >>= 1, ++place)
      if (const u64 end = state_.trickle_end[place]; (rest & 1) != 0 && end > now_)
        sum += state_.packet_flits - (end - now_);
    return sum;
  }

  const State& state_;
  const Output* const outputs_;
  const bool has_packets_, counts_all_;
  const u64 now_;
  u16 permitted_ = 0;
  bool are_first_ = false;  // they are 0 .. count_ - 1
  u32 count_ = 0;
  u64 buffers_ = 0;  // flits that the buffers of these lanes hold
};

// The same where all packets that wait choose in every cycle.
class KeptCosts {
 public:
  KeptCosts(const State& state, Node node, u64 now, KeptCredits& kept)
      : costs_(state, node, now), kept_(kept) {
    kept.begin(node, state.layout.ports(node));
  }
  void permit(u16 lanes) { costs_.permit(permitted_ = lanes); }
  u64 operator()(u32 port) const {
    return costs_.queued(port) + kept_(port, permitted_, [&] { return costs_.missing(port); });
  }

 private:
  HopCosts costs_;
  KeptCredits& kept_;
  u16 permitted_ = 0;
};

// Channels that follow on the shortest of the ways that are offered.
u32 least_left(const Hops& hops, u32 ports) {
  u32 out = 255;
  for (u32 i = 0; i < hops.size(); ++i)
    if (index(hops[i].port) < ports) out = std::min<u32>(out, hops[i].left);
  return out;
}

// The hop that costs least; of several, those with the fewest channels left, of which one is drawn.
template <class Costs>
Hop cheapest_hop(const Hops& hops, const RouteSetting& setting, Node node, const Packet& packet,
                 Costs cost_of) {
  const u32 ports = setting.state.layout.ports(node), bias = setting.state.options.hop_bias;
  const u32 shortest = bias > 0 ? least_left(hops, ports) : 255;
  u64 least = ~u64{0};
  u32 left = 0, count = 0, classes = ~u32{0};
  std::array<const Hop*, Hops::maximum> best;
  for (const Hop& hop : hops) {
    if (index(hop.port) >= ports) continue;
    if (hop.lanes != classes) cost_of.permit(setting.permits(classes = hop.lanes));
    u64 cost = cost_of(index(hop.port)) * (hop.left + u64{1});
    if (hop.left > shortest) cost += bias;
    if (cost > least || (cost == least && hop.left > left)) continue;
    if (cost < least || hop.left < left) least = cost, left = hop.left, count = 0;
    best[count++] = &hop;
  }
  if (count == 0) return {none<Port>, 0, 0, 0};
  if (count == 1) return *best[0];
  return *best[mix(setting.seed, packet.source, packet.number, node) % count];
}

template <class F>
[[gnu::always_inline]] inline Hop choose_hop(const F& forward, const RouteSetting& setting, Node node,
                                             const Packet& packet, [[maybe_unused]] u64 now,
                                             [[maybe_unused]] RouteSpace& space) {
  if constexpr (std::same_as<F, DimensionOrder>) {
    const PortTable& ports = setting.ports;
    return ports.has(packet.header) ? ports.next(node, packet.header) : forward.next(node, packet.header);
  } else if constexpr (Deterministic<F>) {
    return forward.next(node, packet.header);
  } else {
    const State& state = setting.state;
    Hops& hops = space.hops;
    hops.clear();
    forward.hops(node, packet.header, hops);
    if (hops.size() == 1) return hops[0];
    if (has_escape(forward))
      return cheapest_hop(hops, setting, node, packet, KeptCosts(state, node, now, space.credits));
    return cheapest_hop(hops, setting, node, packet, HopCosts(state, node, now));
  }
}

// A packet that chooses again is as it was before it was routed; another one keeps the state it comes with.
void forget_choice(const RouteJob& job, Packet& packet, Output* outputs) {
  if (!job.again) {
    packet.hop = packet.header.state;
    return;
  }
  outputs[index(job.exit)].routed -= packet.flits;
  packet.header.state = packet.hop;
}

// A packet is routed to this output, before its flits count there.
void follow(Packet& packet, const State& state, const Output& out, u64 now) {
  packet.trail.cycles += out.flight;
  if (!state.layout.is_nic(out.node) &&
      queued_flits(out, state.mode == Mode::packets, now) > state.options.mark_flits)
    packet.trail.is_marked = 1;
}

template <class F, bool with_trails>
void route_jobs(const void* forward, const RouteSetting& setting, std::span<RouteJob> jobs, u64 now,
                RouteSpace& space) {
  const F& f = *static_cast<const F*>(forward);
  State& state = setting.state;
  Output* const outputs = state.outputs.data();
  const u32 shift = state.layout.shift;
  if constexpr (MayHaveEscape<F>) space.credits.forget();
  for (RouteJob& job : jobs) {
    Packet& packet = state.packets[job.packet];
    const Node node = outputs[index(job.lane) >> shift].node;
    if constexpr (KnowsWay<F> && !with_trails) {
      job.exit = start_packet(f, setting, node, packet);
      job.lanes = packet.lanes;
    } else {
      if constexpr (MayHaveEscape<F>)
        if (f.has_escape()) forget_choice(job, packet, outputs);
      const Hop hop = choose_hop(f, setting, node, packet, now, space);
      packet.header.state = hop.state;
      job.lanes = setting.permits(hop.lanes);
      job.exit = checked_exit(setting, node, index(hop.port), job.lanes, packet);
    }
    job.flits = packet.flits;
    if constexpr (with_trails) follow(packet, state, outputs[index(job.exit)], now);
    if constexpr (Adaptive<F> || with_trails) outputs[index(job.exit)].routed += packet.flits;
  }
}

}  // namespace

std::vector<PermittedExit> choices_of(const Forward& forward, const RouteSetting& setting, Node node,
                                      const Packet& packet) {
  Header header = packet.header;
  header.state = packet.hop;
  Hops hops;
  std::visit([&](const auto& f) { offered(f, node, header, hops); }, forward);
  std::vector<PermittedExit> out;
  for (const Hop& hop : hops)
    if (index(hop.port) < setting.state.layout.ports(node))
      out.push_back({setting.state.layout.exit(node, index(hop.port)), setting.permits(hop.lanes)});
  return out;
}

RouteFunction route_function(const Forward& forward, bool with_trails) {
  return std::visit(
      [&]<class F>(const F&) -> RouteFunction {
        if constexpr (Deterministic<F>)
          if (with_trails) return &route_jobs<F, true>;
        return &route_jobs<F, false>;
      },
      forward);
}

}  // namespace banyan::flit
