#include "flit/router.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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

// What decides between the hops of a node: docs/simulator.md, "Choosing among hops".
class HopCosts {
 public:
  HopCosts(const State& state, Node node, u64 now)
      : state_(state),
        outputs_(&state.output(state.layout.exit(node, 0))),
        buffer_(state.options.buffer_flits),
        has_packets_(state.mode == Mode::packets),
        now_(now) {}

  // Flits that are queued for the port, and missing credits of these lanes.
  [[gnu::always_inline]] u64 operator()(u32 port, u16 permitted) const {
    return queued(port) + missing(port, permitted);
  }
  [[gnu::always_inline]] u64 queued(u32 port) const {
    const Output& out = outputs_[port];
    return has_packets_ && out.until > now_ ? out.queued + (out.until - now_) : out.queued;
  }
  // Does not change while packets are routed.
  [[gnu::always_inline]] u64 missing(u32 port, u16 permitted) const {
    const Output& out = outputs_[port];
    return out.is_endless ? 0 : missing(out, permitted);
  }

 private:
  [[gnu::always_inline]] u64 missing(const Output& out, u16 permitted) const {
    const OutLane* lane = &state_.out_lane(out.first_lane);
    u64 sum = 0;
    if (out.has_queue) {
      for (u32 rest = permitted; rest != 0; rest >>= 1, ++lane)
        if (rest & 1) sum += buffer_ - lane->credits;
    } else {
      for (u32 rest = permitted; rest != 0; rest >>= 1, ++lane)
        if (rest & 1) sum += buffer_ - lane->room;
    }
    if (has_packets_) sum -= trickled(out.first_lane, permitted);
    if (state_.options.hop_credits == HopCredits::all) return sum;
    return sum - std::min(sum, state_.layout.round_trip_flits(state_.layout.exit_of(out.first_lane)));
  }
  // Packets as the unit: credits that have come one by one, and are not counted yet.
  u64 trickled(LaneId first, u16 permitted) const {
    u64 sum = 0;
    for (u32 rest = permitted, place = index(first); rest != 0; rest >>= 1, ++place)
      if (const u64 end = state_.trickle_end[place]; (rest & 1) != 0 && end > now_)
        sum += state_.packet_flits - (end - now_);
    return sum;
  }

  const State& state_;
  const Output* const outputs_;
  const u64 buffer_;
  const bool has_packets_;
  const u64 now_;
};

// Missing credits by port of one node, each counted once for all packets that choose there in a cycle. A port
// keeps two sets of lanes: those of an escape and the others.
class KeptCredits {
 public:
  void forget() { node_ = none<Node>; }
  void begin(Node node, u32 ports) {
    if (node == node_) return;
    node_ = node;
    ++stamp_;
    if (kept_.size() < 2 * ports) kept_.resize(2 * ports);
  }
  [[gnu::always_inline]] u64 operator()(const HopCosts& costs, u32 port, u16 permitted) {
    Kept& kept = kept_[2 * port + (permitted & 1)];
    if (kept.stamp != stamp_ || kept.permitted != permitted)
      kept = {stamp_, costs.missing(port, permitted), permitted};
    return kept.missing;
  }

 private:
  struct Kept {
    u64 stamp = 0, missing = 0;
    u16 permitted = 0;
  };
  Node node_ = none<Node>;
  u64 stamp_ = 0;
  std::vector<Kept> kept_;
};

// The eight bytes of a number, the lowest first.
void put_bytes(u64 value, u8* out) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(out, &value, 8);
}

// Channels that follow on the shortest of the ways that are offered.
u32 least_left(const Hops& hops, u32 ports) {
  u32 out = 255;
  for (u32 i = 0; i < hops.size(); ++i)
    if (index(hops[i].port) < ports) out = std::min<u32>(out, hops[i].left);
  return out;
}

struct NoHops {};  // a deterministic forward needs no space for them
struct OfferedHops {
  Hops hops;
  KeptCredits credits;
};

template <class F>
Hop choose_hop(const F& forward, const RouteSetting& setting, Node node, const Packet& packet,
               [[maybe_unused]] u64 now, [[maybe_unused]] auto& space) {
  if constexpr (Deterministic<F>) {
    return forward.next(node, packet.header);
  } else {
    Hops& hops = space.hops;
    hops.clear();
    forward.hops(node, packet.header, hops);
    if (hops.size() == 1) return hops[0];
    const HopCosts cost_of(setting.state, node, now);
    const u32 ports = setting.state.layout.ports(node), bias = setting.state.options.hop_bias;
    const bool all_choose = has_escape(forward);
    if (all_choose) space.credits.begin(node, ports);
    const u32 shortest = bias > 0 ? least_left(hops, ports) : 255;
    u64 least = ~u64{0};
    u32 left = 0, count = 0, classes = ~u32{0};
    u16 permitted = 0;
    std::array<u16, Hops::maximum> best;
    for (u32 i = 0; i < hops.size(); ++i) {
      const Hop& hop = hops[i];
      if (index(hop.port) >= ports) continue;
      if (hop.lanes != classes) permitted = setting.permits(classes = hop.lanes);
      const u32 port = index(hop.port);
      u64 cost = all_choose ? cost_of.queued(port) + space.credits(cost_of, port, permitted)
                            : cost_of(port, permitted);
      cost *= hop.left + u64{1};
      if (hop.left > shortest) cost += bias;
      if (cost > least || (cost == least && hop.left > left)) continue;
      if (cost < least || hop.left < left) least = cost, left = hop.left, count = 0;
      best[count++] = static_cast<u16>(i);
    }
    if (count == 0) return {none<Port>, 0, 0, 0};
    if (count == 1) return hops[best[0]];
    return hops[best[mix(setting.seed, packet.source, packet.number, node) % count]];
  }
}

// A packet that chooses again is as it was before it was routed; another one keeps the state it comes with.
void forget_choice(const RouteJob& job, Packet& packet, Output* outputs) {
  if (!job.again) {
    packet.hop = packet.header.state;
    return;
  }
  outputs[index(job.exit)].queued -= packet.flits;
  packet.header.state = packet.hop;
}

template <class F>
void route_jobs(const void* forward, const RouteSetting& setting, std::span<RouteJob> jobs, u64 now) {
  const F& f = *static_cast<const F*>(forward);
  State& state = setting.state;
  Output* const outputs = state.outputs.data();
  const u32 shift = state.layout.shift;
  static thread_local std::conditional_t<Deterministic<F>, NoHops, OfferedHops> storage;
  auto& space = storage;  // emptied before each use
  if constexpr (MayHaveEscape<F>) space.credits.forget();
  for (RouteJob& job : jobs) {
    Packet& packet = state.packets[job.packet];
    const Node node = outputs[index(job.lane) >> shift].node;
    u32 port;
    if constexpr (KnowsWay<F>) {
      const auto way = f.way(node, packet.header);
      put_bytes(way.ascent, packet.ports.data());
      put_bytes(way.descent, packet.ports.data() + way.up);
      port = packet.ports[0];
      packet.hop = 1;
      packet.lanes = job.lanes = setting.permits(u32{1} << packet.header.lane);
    } else {
      if constexpr (MayHaveEscape<F>)
        if (f.has_escape()) forget_choice(job, packet, outputs);
      const Hop hop = choose_hop(f, setting, node, packet, now, space);
      port = index(hop.port);
      packet.header.state = hop.state;
      job.lanes = setting.permits(hop.lanes);
    }
    job.exit = state.layout.exit(node, port);
    job.flits = packet.flits;
    if (port >= state.layout.ports(node) || outputs[index(job.exit)].far == none<LaneId> || job.lanes == 0)
      no_way(setting, node, packet);
    outputs[index(job.exit)].queued += packet.flits;
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

RouteFunction route_function(const Forward& forward) {
  return std::visit([]<class F>(const F&) -> RouteFunction { return &route_jobs<F>; }, forward);
}

}  // namespace banyan::flit
