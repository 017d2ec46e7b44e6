#include "flit/router.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/path_hash.hpp"
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

// The same of the usual setting: flits move one by one, no output has a queue, all missing credits count, and
// the bias is 0.
class PlainCosts {
 public:
  static bool hold(const State& state) {
    const NetworkOptions& options = state.options;
    return state.mode != Mode::packets && options.hop_credits == HopCredits::all &&
           options.output_flits == 0 && options.ejection == Ejection::finite && options.hop_bias == 0;
  }
  PlainCosts(const State& state, Node node)
      : outputs_(&state.output(state.layout.exit(node, 0))),
        lanes_(&state.out_lane(state.layout.first_lane(node))),
        shift_(state.layout.shift),
        buffer_flits_(state.options.buffer_flits) {}

  [[gnu::always_inline]] void permit(u16 lanes) {
    first_ = lanes == 0 ? 0 : static_cast<u32>(std::countr_zero(lanes));  // none: whatever it costs, it fails
    others_ = lanes & (lanes - 1u);
  }
  [[gnu::always_inline]] u64 operator()(u32 port) const {
    const Output& out = outputs_[port];
    const OutLane* lanes = lanes_ + (std::size_t{port} << shift_);
    u64 sum = out.routed - static_cast<u32>(out.flits);
    sum += buffer_flits_ - lanes[first_].room;
    for (u32 rest = others_; rest != 0; rest &= rest - 1)
      sum += buffer_flits_ - lanes[std::countr_zero(rest)].room;
    return sum;
  }

 private:
  const Output* const outputs_;
  const OutLane* const lanes_;
  const u32 shift_, buffer_flits_;
  u32 first_ = 0, others_ = 0;  // permitted lanes
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

// Those of any switch, as they were before packets were routed in this cycle.
class EarlierCosts {
 public:
  EarlierCosts(const State& state, Node node, u64 now, const RoutedNow& routed)
      : costs_(state, node, now), first_exit_(index(state.layout.exit(node, 0))), routed_(routed) {}

  void permit(u16 lanes) { costs_.permit(lanes); }
  u64 operator()(u32 port) const { return costs_(port) - routed_[Channel{first_exit_ + port}]; }

 private:
  HopCosts costs_;
  const u32 first_exit_;
  const RoutedNow& routed_;
};

// A hop of either kind: whether the node has its port, and the lanes that it may take.
bool is_port(const Hop& hop, u32 ports) { return index(hop.port) < ports; }
bool is_port(const ListedHop&, u32) { return true; }
u32 port_of(const Hop& hop) { return index(hop.port); }
u32 port_of(const ListedHop& hop) { return hop.port; }
u16 lanes_of(const Hop& hop, const RouteSetting& setting) { return setting.permits(hop.lanes); }
u16 lanes_of(const ListedHop& hop, const RouteSetting&) { return hop.lanes; }

// Channels that follow on the shortest of the ways that are offered.
template <class H>
u32 least_left(std::span<const H> hops, u32 ports) {
  u32 out = 255;
  for (const H& hop : hops)
    if (is_port(hop, ports)) out = std::min<u32>(out, hop.left);
  return out;
}

// The hop that costs least; of several, those with the fewest channels left, of which one is drawn. None: no
// hop has a port.
template <class H, class Costs>
[[gnu::noinline]] const H* cheapest_hop(std::span<const H> hops, const RouteSetting& setting, Node node,
                                        const Packet& packet, Costs cost_of) {
  const u32 ports = setting.state.layout.ports(node), bias = setting.state.options.hop_bias;
  const u32 shortest = bias > 0 ? least_left(hops, ports) : 255;
  u64 least = ~u64{0};
  u32 left = 0, count = 0, classes = ~u32{0};
  std::array<const H*, Hops::maximum> best;
  for (const H& hop : hops) {
    if (!is_port(hop, ports)) continue;
    if (hop.lanes != classes) cost_of.permit(lanes_of(hop, setting)), classes = hop.lanes;
    u64 cost = 0;
    if constexpr (requires { cost_of.of_way(hop); })
      cost = cost_of.of_way(hop);
    else
      cost = cost_of(port_of(hop)) * (hop.left + u64{1});
    if (hop.left > shortest) cost += bias;
    if (cost > least || (cost == least && hop.left > left)) continue;
    if (cost < least || hop.left < left) least = cost, left = hop.left, count = 0;
    best[count++] = &hop;
  }
  if (count == 0) return nullptr;
  if (count == 1) return best[0];
  return best[mix(setting.seed, packet.source, packet.number, node) % count];
}

// Credits that are missing in the lanes that a listed hop permits. `lanes`: those of its row; `at`: the lanes
// of its port.
template <u32 lanes>
[[gnu::always_inline]] inline u32 missing_credits(const ListedHop& hop, const OutLane* at, u32 buffer_flits) {
  if constexpr (lanes == 4) {
    return 4 * buffer_flits - (at[0].room + at[1].room + at[2].room + at[3].room);
  } else if constexpr (lanes == 2) {
    return 2 * buffer_flits - (at[hop.first].room + at[hop.second].room);
  } else if constexpr (lanes == 1) {
    return buffer_flits - at[hop.first].room;
  } else {
    u32 sum = 0;
    for (u32 rest = hop.lanes; rest != 0; rest &= rest - 1)
      sum += buffer_flits - at[std::countr_zero(rest)].room;
    return sum;
  }
}

// The cheapest of a row, with plain costs. A key has the cost and, below it, how many channels are left; the
// first hops have the fewest, so that none behind one with more than the least key can win.
template <u32 lanes, bool differ>
const ListedHop* plain_choice(std::span<const ListedHop> hops, const RouteSetting& setting, Node node,
                              const Packet& packet, u64) {
  const State& state = setting.state;
  const Output* const outputs = &state.output(state.layout.exit(node, 0));
  const OutLane* const own = &state.out_lane(outputs->first_lane);
  const u32 shift = state.layout.shift, buffer_flits = state.options.buffer_flits;
  u64 least = ~u64{0};
  u32 count = 0;
  std::array<const ListedHop*, Hops::maximum> best;
  for (const ListedHop& hop : hops) {
    if (differ && hop.left > least) break;
    const Output& out = outputs[hop.port];
    const u64 cost = (out.routed - static_cast<u32>(out.flits)) +
                     u64{missing_credits<lanes>(hop, own + (std::size_t{hop.port} << shift), buffer_flits)};
    const u64 key = differ ? cost * (hop.left + u64{1}) << 8 | hop.left : cost;
    if (key > least) continue;
    if (key < least) least = key, count = 0;
    best[count++] = &hop;
  }
  return best[count == 1 ? 0 : mix(setting.seed, packet.source, packet.number, node) % count];
}
const ListedHop* any_choice(std::span<const ListedHop> hops, const RouteSetting& setting, Node node,
                            const Packet& packet, u64 now) {
  return cheapest_hop(hops, setting, node, packet, HopCosts(setting.state, node, now));
}

// Answers for a packet whose hops are listed; false: the forward has to be asked.
template <Listed F>
[[gnu::always_inline]] inline bool answer_from_lists(const RouteSetting& setting, Node node, Packet& packet,
                                                     RouteJob& job, [[maybe_unused]] u64 now) {
  const HopLists& lists = setting.lists;
  const Header& header = packet.header;
  u32 port = 0;
  if (setting.state.layout.is_nic(node)) {
    job.lanes = lists.nic_lanes(header);
    if (job.lanes == 0) return false;
  } else {
    const ListedHop* hop = nullptr;
    if constexpr (std::same_as<F, HashedNextHops>) {
      const HopLists::Row& row = lists.row_of_hash(node, header);
      if (row.count == 0 || (row.count > 1 && header.state > 1)) return false;
      hop = lists.hops(row);
      if (row.count > 1)
        hop += PathHash{HashKind::mix, header.state == 1}.choice(header.tag, 0, index(node), row.count);
    } else {
      hop = listed_hop(setting, node, packet, now);
      if (hop == nullptr) return false;
      packet.header.state = hop->state;
    }
    port = lists.port(*hop, header.to);
    job.lanes = hop->lanes;
  }
  job.exit = setting.state.layout.exit(node, port);
  return true;
}

std::span<const Hop> all_of(const Hops& hops) { return {hops.begin(), hops.size()}; }

// The node at the end of an exit; none where no cable is.
Node node_behind(const State& state, Channel exit) {
  const LaneId far = state.output(exit).far;
  return far == none<LaneId> ? none<Node> : state.outputs[index(far) >> state.layout.shift].node;
}

// What hops cost with hop-view global: all queues of the way that follows.
template <class F, class Own>
class WayCosts {
 public:
  WayCosts(const F& forward, const RouteSetting& setting, Node node, const Packet& packet, u64 now,
           RouteSpace& space, Own own)
      : forward_(forward),
        setting_(setting),
        node_(node),
        packet_(packet),
        now_(now),
        space_(space),
        own_(std::move(own)) {}

  void permit(u16 lanes) { own_.permit(lanes); }
  u64 of_way(const Hop& hop) const { return own_(index(hop.port)) + behind(hop); }

 private:
  static constexpr u32 max_way = 255;  // channels

  u64 behind(const Hop& first) const {
    const State& state = setting_.state;
    Header header = packet_.header;
    header.state = first.state;
    Node at = node_behind(state, state.layout.exit(node_, index(first.port)));
    u64 sum = 0;
    for (u32 channels = 1; channels < max_way && at != none<Node> && !state.layout.is_nic(at); ++channels) {
      EarlierCosts costs(state, at, now_, space_.routed);
      space_.ahead.clear();
      forward_.hops(at, header, space_.ahead);
      const Hop* const hop = cheapest_hop(all_of(space_.ahead), setting_, at, packet_, costs);
      if (hop == nullptr) break;
      costs.permit(setting_.permits(hop->lanes));
      sum += costs(index(hop->port));
      header.state = hop->state;
      at = node_behind(state, state.layout.exit(at, index(hop->port)));
    }
    return sum;
  }

  const F& forward_;
  const RouteSetting& setting_;
  const Node node_;
  const Packet& packet_;
  const u64 now_;
  RouteSpace& space_;
  Own own_;
};

// The hop whose whole way costs least.
template <class F>
[[gnu::noinline]] const Hop* cheapest_way(const F& forward, const RouteSetting& setting, Node node,
                                          const Packet& packet, u64 now, RouteSpace& space) {
  const auto with = [&]<class Own>(Own own) {
    return cheapest_hop(all_of(space.hops), setting, node, packet,
                        WayCosts<F, Own>(forward, setting, node, packet, now, space, std::move(own)));
  };
  if (has_escape(forward)) return with(KeptCosts(setting.state, node, now, space.credits));
  return with(HopCosts(setting.state, node, now));
}

template <class F>
[[gnu::always_inline]] inline Hop choose_hop(const F& forward, const RouteSetting& setting, Node node,
                                             const Packet& packet, [[maybe_unused]] u64 now,
                                             [[maybe_unused]] RouteSpace& space,
                                             [[maybe_unused]] bool is_global) {
  if constexpr (std::same_as<F, DimensionOrder>) {
    const HopTable& table = setting.table;
    return table.has(packet.header) ? table.next(node, packet.header) : forward.next(node, packet.header);
  } else if constexpr (Deterministic<F>) {
    return forward.next(node, packet.header);
  } else {
    const State& state = setting.state;
    Hops& hops = space.hops;
    hops.clear();
    forward.hops(node, packet.header, hops);
    if (hops.size() == 1) return hops[0];
    const std::span<const Hop> all = all_of(hops);
    const Hop* const best =
        is_global ? cheapest_way(forward, setting, node, packet, now, space)
        : has_escape(forward)
            ? cheapest_hop(all, setting, node, packet, KeptCosts(state, node, now, space.credits))
        : setting.choices.are_plain ? cheapest_hop(all, setting, node, packet, PlainCosts(state, node))
                                    : cheapest_hop(all, setting, node, packet, HopCosts(state, node, now));
    return best ? *best : Hop{none<Port>, 0, 0, 0};
  }
}

// Whether the lists have given the answer.
template <class F>
[[gnu::always_inline]] inline bool is_listed(const RouteSetting& setting, const F&, Node node, Packet& packet,
                                             RouteJob& job, u64 now) {
  if constexpr (Listed<F>)
    return !setting.lists.is_empty() && answer_from_lists<F>(setting, node, packet, job, now);
  else
    return false;
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
  const typename SharedPool<PacketId, Packet>::View packets(state.packets);
  Output* const outputs = state.outputs.data();
  const u32 shift = state.layout.shift;
  if constexpr (MayHaveEscape<F>) space.credits.forget();
  const bool is_global = Adaptive<F> && state.options.hop_view == HopView::global;
  if (is_global) space.routed.begin(state.outputs.size());
  for (RouteJob& job : jobs) {
    Packet& packet = packets[job.packet];
    const Node node = outputs[index(job.lane) >> shift].node;
    if constexpr (KnowsWay<F> && !with_trails) {
      job.exit = start_packet(f, setting, node, packet);
      job.lanes = packet.lanes;
    } else if (!is_listed(setting, f, node, packet, job, now)) {
      if constexpr (MayHaveEscape<F>)
        if (f.has_escape()) {
          if (is_global && job.again) space.routed.add(job.exit, -u64{packet.flits});
          forget_choice(job, packet, outputs);
        }
      const Hop hop = choose_hop(f, setting, node, packet, now, space, is_global);
      packet.header.state = hop.state;
      job.lanes = setting.permits(hop.lanes);
      job.exit = checked_exit(setting, node, index(hop.port), job.lanes, packet);
    }
    job.flits = packet.flits;
    if constexpr (with_trails) follow(packet, state, outputs[index(job.exit)], now);
    if constexpr (Adaptive<F> || with_trails) outputs[index(job.exit)].routed += packet.flits;
    if (is_global) space.routed.add(job.exit, packet.flits);
  }
}

}  // namespace

ListChoices::ListChoices(const State& state) : are_plain(PlainCosts::hold(state)) {
  of.fill(any_choice);
  if (!are_plain) return;
  const auto put = [&]<u32 lanes>() {
    of[2 * lanes] = plain_choice<lanes, false>;
    of[2 * lanes + 1] = plain_choice<lanes, true>;
  };
  put.template operator()<0>();
  put.template operator()<1>();
  put.template operator()<2>();
  put.template operator()<4>();
}

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
