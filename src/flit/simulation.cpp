#include "flit/simulation.hpp"

#include <cassert>

#include "flit/inspect.hpp"

namespace banyan {
namespace {

void check(bool holds, const std::string& why) {
  if (!holds) throw InputError(why);
}

void check_packet_fits(u32 packet, u32 space, const char* where) {
  check(packet <= space, "virtual cut-through needs room for a whole packet: packets have " +
                             std::to_string(packet) + " flits, " + where + " " + std::to_string(space));
}

}  // namespace

void check_setup(const SimulationSetup& setup) {
  check_sizes(setup.messages);
  const NetworkOptions& network = setup.network;
  check(network.lanes >= 1 && network.lanes <= NetworkOptions::most_lanes,
        "a channel has 1 to 16 lanes, not " + std::to_string(network.lanes));
  check(setup.routing.lanes <= network.lanes, "the routing needs " + std::to_string(setup.routing.lanes) +
                                                  " lanes, the channels have " +
                                                  std::to_string(network.lanes));
  check(network.buffer_flits >= 1, "a buffer has at least one flit");
  check(network.writers >= 1, "an output queue has at least one writer");
  constexpr u32 most = 1u << 20;  // cycles and flits that the wheel of what is due can hold
  check(network.switch_cycles <= most, "a switch takes at most " + std::to_string(most) + " cycles");
  check(setup.messages.packet_flits <= most, "a packet has at most " + std::to_string(most) + " flits");
  check(network.buffer_flits <= most && network.output_flits <= most,
        "a buffer has at most " + std::to_string(most) + " flits");
  for (const LinkClass& link : setup.fabric.link_classes())
    check(link.latency <= most, "a link takes at most " + std::to_string(most) + " cycles");
  if (network.flow_control == FlowControl::vct) {
    check_packet_fits(setup.messages.packet_flits, network.buffer_flits, "a buffer has");
    if (network.output_flits > 0)
      check_packet_fits(setup.messages.packet_flits, network.output_flits, "an output queue has");
  }
  if (setup.rails)
    check(setup.rails->control_flits <= setup.messages.packet_flits,
          "a control packet is not larger than a packet, of " + std::to_string(setup.messages.packet_flits) +
              " flits");
  for (const Node v : setup.fabric.switch_nodes())
    check(setup.fabric.ports(v) <= 256, setup.fabric.name(v) + " has more than 256 ports");
}

namespace {

// Why packets cannot be the unit; empty if they can.
std::string needs_flits(const SimulationSetup& setup, const Workload& workload) {
  const NetworkOptions& network = setup.network;
  const u32 packet = setup.messages.packet_flits;
  if (setup.rails) return "control packets are shorter than others";
  if (network.flow_control == FlowControl::wormhole) return "wormhole moves single flits";
  if (!workload.has_only_multiples_of(packet)) return "packets have different sizes";
  if (network.buffer_flits % packet != 0) return "buffers do not hold a whole number of packets";
  if (network.output_flits % packet != 0) return "output queues do not hold a whole number of packets";
  double fastest = 0;
  for (const LinkClass& link : setup.fabric.link_classes()) fastest = std::max(fastest, link.capacity);
  for (const Channel c : setup.fabric.channels())
    if (setup.fabric.cabled(c) && setup.fabric.link_class(c).capacity != fastest)
      return "channels have different rates";
  return {};
}

Mode mode_of(const SimulationSetup& setup, const Workload& workload) {
  check_setup(setup);
  if (setup.granularity != Granularity::flits) {
    const std::string reason = needs_flits(setup, workload);
    if (reason.empty()) return Mode::packets;
    check(setup.granularity == Granularity::automatic, "packets cannot be the unit: " + reason);
  }
  return setup.network.flow_control == FlowControl::wormhole ? Mode::wormhole : Mode::vct;
}

u32 parts_of(const SimulationSetup& setup) {
  return std::clamp(setup.threads, 1u, std::max(1u, std::min(setup.fabric.switches(), 256u)));
}

}  // namespace

struct Simulation::Body {
  Body(const SimulationSetup& setup, Workload workload)
      : mode(mode_of(setup, workload)),
        even(workload.has_only_multiples_of(setup.messages.packet_flits)),
        machine(setup, std::move(workload), mode, parts_of(setup), even),
        parts(machine) {}

  // Packets as the unit: flits that were counted when their packet began, but come later.
  u64 to_come(u64 until) const { return mode == Mode::packets && until > now ? until - now : 0; }
  u64 consumed() const {
    u64 sum = consumed_before;
    for (const auto& part : parts) sum += part->tally.flits;
    for (const u64 until : machine.state.consuming) sum -= to_come(until);
    return sum;
  }
  u64 messages() const {
    u64 sum = messages_before;
    for (const auto& part : parts) sum += part->tally.messages;
    return sum;
  }
  Tally take();

  const Mode mode;
  const bool even;
  Machine machine;
  Parts parts;
  u64 now = 0, tally_from = 0, messages_before = 0, consumed_before = 0;
};

Tally Simulation::Body::take() {
  State& state = machine.state;
  Tally out;
  out.cycles = now - tally_from;
  consumed_before = consumed();
  messages_before = messages();
  for (const auto& part : parts) {
    out.add(part->tally);
    part->tally = Tally{};
  }
  u64 late = 0;
  for (const u64 until : state.consuming) late += to_come(until);
  out.flits -= late;
  (*parts.begin())->tally.flits = late;
  out.channel_flits.resize(state.outputs.size());
  for (u32 exit = 0; exit < state.outputs.size(); ++exit) {
    Output& output = state.outputs[exit];
    const u64 rest = to_come(output.until);
    out.channel_flits[Channel{exit}] = output.flits - rest;
    if (exit >= state.layout.first_exit[state.layout.nics]) out.flit_hops += output.flits - rest;
    output.flits = rest;
  }
  tally_from = now;
  return out;
}

Simulation::Simulation(const SimulationSetup& setup, Workload workload)
    : body_(std::make_unique<Body>(setup, std::move(workload))) {}
Simulation::~Simulation() = default;

void Simulation::advance(u64 cycles) {
#ifdef NDEBUG
  const u64 step = cycles;
#else
  const bool is_small = body_->machine.state.lanes.size() < 4096 && body_->machine.state.layout.parts == 1;
  const u64 step = is_small ? 1 : cycles;  // credits are counted after each
#endif
  for (const u64 end = body_->now + cycles; body_->now < end;) {
    const u64 next = std::min(end, body_->now + step);
    body_->parts.advance(body_->now, next);
    body_->now = next;
    assert(lost_credit().empty());
  }
}

std::optional<std::string> Simulation::deadlock() const {
  return find_deadlock(body_->machine, body_->parts);
}
std::string Simulation::lost_credit() const { return find_lost_credit(body_->machine, body_->parts); }

double Simulation::created_flits() const { return body_->machine.workload.created(body_->now); }
u64 Simulation::now() const { return body_->now; }
Tally Simulation::take_tally() { return body_->take(); }

u64 Simulation::flits_inside() const {
  u64 sum = 0;
  for (const auto& part : body_->parts) sum += part->flits_taken;
  return sum - body_->consumed();
}

bool Simulation::is_done() const {
  const Workload& workload = body_->machine.workload;
  return workload.ends() && body_->messages() == workload.messages();
}

Granularity Simulation::granularity() const {
  return body_->mode == Mode::packets ? Granularity::packets : Granularity::flits;
}

}  // namespace banyan
