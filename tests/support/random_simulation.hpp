// Random small networks with random options, for holding engines against reference simulators. Call inside a
// property.
#pragma once
#include <algorithm>
#include <utility>

#include "engines/engine.hpp"
#include "flit/simulation.hpp"
#include "support/random_topology.hpp"

namespace banyan::tests {

inline Topology small_topology(u32 planes = 1) {
  switch (draw(0, 3)) {
    case 0:
      return build(random_hyperx(2, 3), planes);
    case 1:
      return build(random_torus(2, 4), planes);
    case 2:
      return build(random_dragonfly(), planes);
    default:
      return build(random_pgft(3), planes);
  }
}

// Half of the fabrics have links of two kinds.
inline Topology with_link_kinds(const Topology& t) {
  if (draw(0, 1) == 0) return t;
  Topology out = t;
  const LinkClass slow{.capacity = draw(0, 1) == 0 ? 1.0 : 1.0 / draw(2, 5), .latency = 1.0 * draw(1, 4)};
  const LinkClass fast{.capacity = 1, .latency = 1.0 * draw(1, 3)};
  std::visit(
      [&](auto& shape) {
        if constexpr (requires { shape.links; })
          for (auto& link_class : shape.links) link_class = draw(0, 1) == 0 ? slow : fast;
      },
      out.shape);
  return std::holds_alternative<Irregular>(out.shape) ? t : build(out.shape, out.planes);
}

// Links of one rate and different latencies.
inline Topology with_latencies(Topology t) {
  std::visit(
      [&](auto& shape) {
        if constexpr (requires { shape.links; })
          for (auto& link_class : shape.links) link_class = {.capacity = 1, .latency = 1.0 * draw(1, 5)};
      },
      t.shape);
  return std::holds_alternative<Irregular>(t.shape) ? t : build(t.shape, t.planes);
}

// Some engine that routes this, with no more lanes than there may be.
inline Routing random_routing(const Topology& t) {
  const auto& all = engines::engines();
  for (u32 i = draw(0, static_cast<u32>(all.size()) - 1);; i = (i + 1) % static_cast<u32>(all.size())) {
    const bool several = draw(0, 1) == 1 && !all[i].options.empty() && all[i].options[0].key == "paths";
    RouteResult result = route(t, std::string(all[i].name) + (several ? ":paths=3" : ""));
    if (auto* routing = std::get_if<Routing>(&result); routing && routing->lanes <= 8) return *routing;
  }
}

inline NetworkOptions random_network(const Routing& routing, u32 packet_flits) {
  NetworkOptions out;
  out.flow_control = draw(0, 1) == 0 ? FlowControl::vct : FlowControl::wormhole;
  out.lanes = draw(0, 7) == 0 ? NetworkOptions::max_lanes : routing.lanes + draw(0, 3);
  out.buffer_flits = draw(0, 1) == 0 ? packet_flits * draw(1, 4) : packet_flits + draw(0, 9);
  if (out.flow_control == FlowControl::wormhole && draw(0, 1) == 0) out.buffer_flits = draw(1, 6);
  if (draw(0, 2) == 0) {
    out.output_flits = draw(0, 1) == 0 ? packet_flits * draw(1, 3) : packet_flits + draw(0, 5);
    out.writers = draw(1, 4);
  }
  out.switch_cycles = draw(0, 3);
  out.queueing = draw(0, 2) == 0 && !has_escape(routing) ? Queueing::voq : Queueing::fifo;
  out.ejection = draw(0, 2) == 0 ? Ejection::unlimited : Ejection::finite;
  out.path_choice = PathChoice{static_cast<u8>(draw(0, 3))};
  if (draw(0, 2) == 0) out.hop_credits = HopCredits::late;
  if (draw(0, 2) == 0) out.hop_bias = draw(1, 20);
  if (draw(0, 3) == 0) out.crossing_cycles = draw(1, 3);
  return out;
}

// NICs that remember paths, where switches do not choose.
inline void recycle_paths(NetworkOptions& out, const Routing& routing) {
  if (is_adaptive(routing)) return;
  out.path_choice = PathChoice::recycled;
  out.mark_flits = draw(0, 25);
  out.path_memory = draw(1, 9);
  if (draw(0, 1) == 0) out.path_timeout = draw(1, 60);
}

// Switches that allocate in stages, with the options that only they have.
inline void allocate_in_stages(NetworkOptions& out) {
  const char* names[] = {"input-first",        "output-first",       "islip",
                         "islip:iterations=2", "islip:iterations=5", "wavefront"};
  out.allocator = names[draw(0, 5)];
  out.input_speedup = draw(0, 1) == 0 ? 1 : draw(1, 4);
  if (out.output_flits > 0) out.switch_speedup = draw(1, 3);
  if (draw(0, 1) == 0) out.head_cycles = draw(1, 3);
  if (draw(0, 1) == 0) out.lane_cycles = draw(1, 3);
  out.speculation = Speculation{static_cast<u8>(draw(0, 1))};
  out.switch_hold = SwitchHold{static_cast<u8>(draw(0, 1))};
  out.priority = draw(0, 2) == 0 ? Priority::age : Priority::none;
}

// Packets of different lengths, or requests and replies: of messages at a load, in hosts with one NIC.
inline void draw_lengths_or_replies(MessageOptions& messages, NetworkOptions& network) {
  if (draw(0, 2) == 0) {
    messages.sizes = Sizes::fixed;
    messages.message_packets = 1;
    messages.packet_lengths = std::to_string(messages.packet_flits) + ':' + std::to_string(draw(1, 3)) +
                              (draw(0, 3) > 0 ? ",1:2" : "");
  }
  if (draw(0, 2) > 0) return;
  messages.reply_flits = draw(1, 3);
  if (draw(0, 1) == 0) messages.reply_flits *= messages.packet_flits;
  messages.reply_cycles = draw(0, 9);
  if (draw(0, 1) == 0) messages.max_requests = draw(1, 4);
  if (network.allocator != "joint" && draw(0, 1) == 0) network.priority = Priority::replies;
  if (const u32 shorter = std::exchange(messages.packet_flits, largest_packet(messages));
      messages.packet_flits > shorter && network.flow_control == FlowControl::vct) {
    network.buffer_flits += messages.packet_flits - shorter;  // it held the shorter ones
    if (network.output_flits > 0) network.output_flits += messages.packet_flits - shorter;
  }
}

inline MessageOptions random_messages() {
  MessageOptions out{.arrivals = Arrivals{static_cast<u8>(draw(0, 2))},
                     .sizes = draw(0, 2) == 0 ? Sizes::exponential : Sizes::fixed,
                     .load = 0.1 * draw(1, 10),
                     .packet_flits = draw(1, 5),
                     .message_packets = draw(1, 3)};
  if (out.arrivals == Arrivals::poisson && draw(0, 2) == 0) {
    const u32 on = draw(1, 60), off = draw(1, 60);
    out.burst = std::to_string(on) + ':' + std::to_string(off);
  }
  return out;
}

// Hosts of many links may want more than one message a cycle, which `arrivals bernoulli` cannot create: they
// get a Poisson process.
inline void keep_creatable(MessageOptions& messages, const Fabric& fabric) {
  u32 most = 0;  // ports of a host
  for (const Host host : IdRange<Host>(fabric.hosts())) {
    u32 ports = 0;
    for (u32 slot = 0; slot < fabric.nics(host); ++slot)
      ports += fabric.ports(fabric.node(fabric.nic(host, slot)));
    most = std::max(most, ports);
  }
  const u32 flits = messages.packet_lengths.empty() ? messages.packet_flits * messages.message_packets : 1;
  if (messages.arrivals == Arrivals::bernoulli && most > flits) messages.arrivals = Arrivals::poisson;
}

}  // namespace banyan::tests
