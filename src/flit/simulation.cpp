#include "flit/simulation.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "flit/inspect.hpp"
#include "flit/rail_machine.hpp"

namespace banyan::flit {
namespace {

void check(bool holds, const std::string& why) {
  if (!holds) throw InputError(why);
}

void check_packet_fits(u32 packet, u32 space, const char* where) {
  check(packet <= space, "virtual cut-through needs room for a whole packet: packets have " +
                             std::to_string(packet) + " flits, " + where + " " + std::to_string(space));
}

// Options of switches in stages say nothing about others.
void check_stages(const NetworkOptions& network) {
  check(network.input_speedup >= 1 && network.input_speedup <= NetworkOptions::max_lanes,
        "an input port sends from 1 to 16 lanes in a cycle, not " + std::to_string(network.input_speedup));
  check(network.switch_speedup >= 1 && network.switch_speedup <= 64,
        "a switch is allocated 1 to 64 times in a cycle, not " + std::to_string(network.switch_speedup));
  check(network.switch_speedup == 1 || network.output_flits > 0,
        "switch-speedup needs output queues: the channel takes one flit in a cycle");
  if (!allocator_of(network.allocator).is_joint()) return;
  const auto needs_stages = [](bool is_given, const char* key) {
    check(!is_given, std::string(key) +
                         " is for an allocator in stages: input-first, output-first, islip or "
                         "wavefront");
  };
  needs_stages(network.input_speedup > 1, "input-speedup");
  needs_stages(network.switch_speedup > 1, "switch-speedup");
  needs_stages(network.head_cycles > 0, "head-cycles");
  needs_stages(network.lane_cycles > 0, "lane-cycles");
  needs_stages(network.speculation != Speculation::off, "speculation");
  needs_stages(network.switch_hold != SwitchHold::flit, "switch-hold");
  needs_stages(network.priority != Priority::none, "priority");
}

// Likewise those of recycled paths.
void check_recycled(const SimulationSetup& setup) {
  const NetworkOptions& network = setup.network;
  if (network.path_choice == PathChoice::recycled) {
    check(!is_adaptive(setup.routing),
          "path-choice recycled is for routings whose switches do not choose, such as ecmp:paths=64");
    check(!setup.rails, "path-choice recycled is for hosts with one NIC and one process");
    check(network.path_memory >= 1 && network.path_memory <= 4096,
          "a NIC remembers 1 to 4096 paths to another one, not " + std::to_string(network.path_memory));
    return;
  }
  const NetworkOptions plain;
  const auto needs_it = [](bool is_given, const char* key) {
    check(!is_given, std::string(key) + " is for path-choice recycled");
  };
  needs_it(network.mark_flits != plain.mark_flits, "mark-flits");
  needs_it(network.path_memory != plain.path_memory, "path-memory");
  needs_it(network.path_timeout != plain.path_timeout, "path-timeout");
}

void check_flowlets(const SimulationSetup& setup) {
  const bool has_them = setup.network.path_choice == PathChoice::flowlet;
  check(!has_them || !setup.rails, "path-choice flowlet is for hosts with one NIC and one process");
  check(has_them || setup.network.flowlet_gap == NetworkOptions{}.flowlet_gap,
        "flowlet-gap is for path-choice flowlet");
}

// A NIC consumes what arrives: it would swallow what another one is to pass on.
void check_hosts_at_switches(const Fabric& fabric) {
  for (const Node nic : fabric.nic_nodes())
    for (const Channel c : fabric.channels(nic))
      if (fabric.cabled(c) && !fabric.is_switch(fabric.to(c)))
        throw InputError(fabric.name(nic) + " is cabled to " + fabric.name(fabric.to(c)) +
                         ", which is no switch: this is not simulated");
}

}  // namespace

void check_setup(const SimulationSetup& setup) {
  check_sizes(setup.messages);
  const NetworkOptions& network = setup.network;
  check(network.lanes >= 1 && network.lanes <= NetworkOptions::max_lanes,
        "a channel has 1 to 16 lanes, not " + std::to_string(network.lanes));
  check(setup.routing.lanes <= network.lanes, "the routing needs " + std::to_string(setup.routing.lanes) +
                                                  " lanes, the channels have " +
                                                  std::to_string(network.lanes));
  check(network.buffer_flits >= 1, "a buffer has at least one flit");
  check_stages(network);
  check_recycled(setup);
  check_flowlets(setup);
  check(network.hop_view == HopView::local || !setup.exchange || setup.exchange->ranks == 1,
        "hop-view global is for one process: a packet looks at queues of the whole network");
  if (has_escape(setup.routing)) {
    check(network.queueing == Queueing::fifo,
          "a routing with an escape is simulated with queueing fifo: packets that wait choose again");
    check(allocator_of(network.allocator).is_joint(),
          "a routing with an escape is simulated with allocator joint: packets that wait choose again");
  }
  check(network.writers >= 1, "an output queue has at least one writer");
  constexpr u32 maximum = 1u << 20;  // cycles and flits that the wheel of what is due can hold
  for (const u32 cycles :
       {network.switch_cycles, network.crossing_cycles, network.head_cycles, network.lane_cycles})
    check(cycles <= maximum, "a switch takes at most " + std::to_string(maximum) + " cycles");
  check(setup.messages.packet_flits <= maximum, "a packet has at most " + std::to_string(maximum) + " flits");
  check(network.buffer_flits <= maximum && network.output_flits <= maximum,
        "a buffer has at most " + std::to_string(maximum) + " flits");
  for (const LinkClass& link : setup.fabric.link_classes())
    check(link.latency <= maximum, "a link takes at most " + std::to_string(maximum) + " cycles");
  check_hosts_at_switches(setup.fabric);
  if (network.flow_control == FlowControl::vct) {
    check_packet_fits(setup.messages.packet_flits, network.buffer_flits, "a buffer has");
    if (network.output_flits > 0)
      check_packet_fits(setup.messages.packet_flits, network.output_flits, "an output queue has");
  }
  check(!setup.rails || setup.messages.reply_flits == 0, "requests and replies are for hosts with one NIC");
  check(network.priority != Priority::replies || setup.messages.reply_flits > 0,
        "priority class puts replies before requests: expected reply-flits");
  check(!setup.rails || !setup.exchange, "several NICs a host are for one process");
  check(!(setup.rails && setup.messages.arrivals == Arrivals::back_to_back),
        "back-to-back arrivals are for hosts with one NIC; expected poisson or bernoulli");
  if (setup.rails)
    check(setup.rails->control_flits <= setup.messages.packet_flits,
          "a control packet is not larger than a packet, of " + std::to_string(setup.messages.packet_flits) +
              " flits");
  for (const Node v : setup.fabric.switch_nodes())
    check(setup.fabric.ports(v) <= 256, setup.fabric.name(v) + " has more than 256 ports");
}

std::string needs_flits(const SimulationSetup& setup, const Workload& workload) {
  const NetworkOptions& network = setup.network;
  const u32 packet = setup.messages.packet_flits;
  if (setup.rails) return "control packets are shorter than others";
  if (network.flow_control == FlowControl::wormhole) return "wormhole moves single flits";
  if (!allocator_of(network.allocator).is_joint()) return "switches in stages move single flits";
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

namespace {

Mode mode_of(const SimulationSetup& setup, const Workload& workload) {
  check_setup(setup);
  if (setup.granularity != Granularity::flits) {
    const std::string reason = needs_flits(setup, workload);
    if (reason.empty()) return Mode::packets;
    check(setup.granularity == Granularity::automatic, "packets cannot be the unit: " + reason);
  }
  return setup.network.flow_control == FlowControl::wormhole ? Mode::wormhole : Mode::vct;
}

Share share_of(const SimulationSetup& setup) {
  const u32 ranks = setup.exchange ? setup.exchange->ranks : 1;
  const u32 maximum = std::max(1u, std::min(setup.fabric.switches(), 256u));
  check(ranks <= maximum, "the fabric can be shared by at most " + std::to_string(maximum) +
                              " processes, not " + std::to_string(ranks));
  // a view of the whole network is one of a single part
  const u32 threads = setup.network.hop_view == HopView::global ? 1 : setup.threads;
  const u32 own = std::clamp(threads, 1u, maximum / ranks);
  return {ranks * own, setup.exchange ? setup.exchange->rank * own : 0, own};
}

// With packets as the unit a cycle touches little; what chooses again, allocates in stages or chooses by the
// queues of whole ways looks at all switches together.
Share blocks_of(const SimulationSetup& setup, Mode mode) {
  Share out = share_of(setup);
  if (mode != Mode::packets && !has_escape(setup.routing) && setup.network.hop_view == HopView::local &&
      allocator_of(setup.network.allocator).is_joint())
    out.block_channels = setup.block_channels;
  return out;
}

std::vector<bool> own_nodes(const SimulationSetup& setup) {
  std::vector<bool> out(setup.fabric.nodes().size(), true);
  if (!setup.exchange) return out;
  const Share share = share_of(setup);
  const std::vector<u16> part_of = split_nodes(setup.fabric, share.parts);
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = u32{part_of[v]} - share.first < share.own;
  return out;
}

// What was counted by all processes in the same cycles.
Tally together(const Tally& own, const Exchange& exchange) {
  std::string bytes;
  own.pack(bytes);
  Tally out;
  for (std::string_view in : exchange.to_all(bytes)) out.add(Tally::unpack(in));
  out.cycles = own.cycles;
  return out;
}

}  // namespace

std::vector<bool> own_nics(const SimulationSetup& setup) {
  std::vector<bool> out = own_nodes(setup);
  out.resize(setup.fabric.nics());
  if (!setup.rails) return out;
  std::vector<bool> seats;  // by process and host
  for (u32 process = 0; process < setup.rails->processes; ++process)
    seats.insert(seats.end(), out.begin(), out.begin() + setup.fabric.hosts());
  return seats;
}

std::vector<Channel> own_channels(const SimulationSetup& setup) {
  const std::vector<bool> own = own_nodes(setup);
  std::vector<Channel> out;
  for (const Node v : setup.fabric.nodes())
    if (own[index(v)])
      for (const Channel c : setup.fabric.channels(v)) out.push_back(c);
  return out;
}

struct Simulation::Impl {
  Impl(const SimulationSetup& setup, Workload workload)
      : mode(mode_of(setup, workload)),
        // stripes and control packets are shorter
        even(!setup.rails && workload.has_only_multiples_of(setup.messages.packet_flits)),
        exchange(setup.exchange),
        machine(setup, std::move(workload), mode, blocks_of(setup, mode), even),
        parts(machine, setup.exchange) {}

  // Packets as the unit: flits that were counted when their packet began, but come later.
  u64 to_come(u64 until) const { return mode == Mode::packets && until > now ? until - now : 0; }
  // Of this process:
  u64 being_consumed() const {
    u64 sum = 0;
    const Layout& layout = machine.state.layout;
    if (mode == Mode::packets)
      for (const Node nic : IdRange<Node>(layout.nics))
        if (layout.is_own(nic))
          for (const Channel exit : layout.exits_of(nic))
            sum += to_come(machine.state.consuming[index(exit)]);
    return sum;
  }
  u64 consumed() const {
    u64 sum = consumed_before;
    for (const auto& part : parts) sum += part->tally.flits;
    sum -= being_consumed();
    return sum;
  }
  u64 messages() const {
    u64 sum = messages_before;
    for (const auto& part : parts) sum += part->tally.message_latency.count();
    return sum;
  }
  Presence presence() const {
    Presence out;
    for (const auto& part : parts) out += part->presence;
    return out;
  }
  Tally take();
  template <class F>
  void each_own_exit(F&& f) const {
    const Layout& layout = machine.state.layout;
    for (const Node v : IdRange<Node>(layout.nodes))
      if (layout.is_own(v))
        for (const Channel exit : layout.exits_of(v)) f(exit);
  }

  const Mode mode;
  const bool even;
  const Exchange* const exchange;
  Machine machine;
  Parts parts;
  u64 now = 0, tally_from = 0, messages_before = 0, consumed_before = 0, packet_cycles_before = 0;
};

Tally Simulation::Impl::take() {
  State& state = machine.state;
  Tally out;
  out.cycles = now - tally_from;
  consumed_before = consumed();
  messages_before = messages();
  for (const auto& part : parts) out.add(part->take_tally());
  const u64 packet_cycles = presence().packet_cycles(now);
  out.packet_cycles = packet_cycles - std::exchange(packet_cycles_before, packet_cycles);
  const u64 late = being_consumed();
  out.flits -= late;
  (*parts.begin())->tally.flits = late;
  u32 own = 0, next = 0;
  each_own_exit([&](Channel) { ++own; });
  IdVector<Channel, u64> flits(own);
  each_own_exit([&](Channel exit) {
    Output& output = state.outputs[index(exit)];
    const u64 rest = to_come(output.until);
    flits[Channel{next++}] = output.flits - rest;
    if (!state.layout.is_nic(output.node)) out.flit_hops += output.flits - rest;
    output.routed -= static_cast<u32>(output.flits - rest);
    output.flits = rest;
  });
  if (exchange) out = together(out, *exchange);
  out.channel_flits = std::move(flits);
  tally_from = now;
  return out;
}

Simulation::Simulation(const SimulationSetup& setup, Workload workload)
    : impl_(std::make_unique<Impl>(setup, std::move(workload))) {}
Simulation::~Simulation() = default;

void Simulation::advance(u64 cycles) {
#ifdef NDEBUG
  const u64 step = cycles;
#else
  const bool is_small = impl_->machine.state.lanes.size() < 4096 && impl_->machine.state.layout.parts == 1;
  const bool is_whole = impl_->exchange == nullptr;
  const u64 step = is_small ? 1 : cycles;  // credits are counted after each
#endif
  for (const u64 end = impl_->now + cycles; impl_->now < end;) {
    Workload& workload = impl_->machine.workload;
    workload.read_until(impl_->now + 1);
    const u64 next = std::min({end, impl_->now + step, workload.horizon()});
    impl_->parts.advance(impl_->now, next);
    impl_->now = next;
    BANYAN_HOT_ASSERT(!is_whole || lost_credit().empty(), "no credit is lost");
  }
}

std::optional<std::string> Simulation::deadlock() const {
  return find_deadlock(impl_->machine, impl_->parts, impl_->exchange);
}
std::string Simulation::lost_credit() const { return find_lost_credit(impl_->machine, impl_->parts); }

double Simulation::created_flits() const {
  const Workload& workload = impl_->machine.workload;
  return workload.in_flits(sum_of(impl_->exchange, workload.created(impl_->now)), impl_->now);
}
u64 Simulation::now() const { return impl_->now; }
Tally Simulation::take_tally() { return impl_->take(); }

u64 Simulation::flits_inside() const {
  u64 sum = 0;
  for (const auto& part : impl_->parts) sum += part->flits_taken;
  return sum_of(impl_->exchange, sum - impl_->consumed());  // of one process it may be less than nothing
}

u64 Simulation::stripes_remembered() const {
  u64 sum = 0;
  if (impl_->machine.rails)
    for (const RailPort& port : impl_->machine.rails->ports) sum += port.unsettled.size();
  return sum;
}

bool Simulation::is_done() const {
  const Workload& workload = impl_->machine.workload;
  return workload.ends() && sum_of(impl_->exchange, impl_->messages()) == workload.messages();
}

std::optional<u64> Simulation::waits_since(Nic nic) const {
  const State& state = impl_->machine.state;
  const Node node{index(nic)};
  if (impl_->machine.rails || !state.layout.is_own(node)) return std::nullopt;
  const Part& part = impl_->parts[state.layout.part(node)];
  const EntryId front = part.front(nic, 0);
  if (front == none<EntryId>) return std::nullopt;
  const Packet& packet = state.packets[part.entries[front].packet];
  if (packet.message != none<MessageId>) return state.messages[packet.message].created;
  const u64 now = impl_->now;
  return now - (static_cast<u32>(now) - packet.created);
}

double Simulation::program_end() { return impl_->machine.workload.program_end(); }

Granularity Simulation::granularity() const {
  return impl_->mode == Mode::packets ? Granularity::packets : Granularity::flits;
}

}  // namespace banyan::flit
