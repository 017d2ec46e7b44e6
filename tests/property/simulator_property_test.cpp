// The fast engines against the reference simulator: the same bits, on random networks, options and loads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fabric/faults.hpp"
#include "support/memory_exchange.hpp"
#include "support/random_simulation.hpp"
#include "support/reference_simulator.hpp"
#include "traffic/pattern.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

// Workload, with the seats that are mine, or ReferenceWorkload.
template <class AnyWorkload = Workload, class... Mine>
AnyWorkload random_workload(const Topology& t, const MessageOptions& messages, bool ends, u32 kind,
                            const Mine&... mine) {
  const u32 hosts = t.fabric.hosts();
  const char* names[] = {"uniform", "permutation", "shift:1", "bisection"};
  const Traffic traffic = make_traffic({t, hosts}, names[kind]);
  const Placement placement = place_linearly(hosts);
  return ends ? AnyWorkload::closed(t.fabric, traffic, placement, messages, 7, 0, mine...)
              : AnyWorkload::open(t.fabric, traffic, placement, messages, 7, 0, mine...);
}

std::string told(const SimulationSetup& s, bool ends, u32 kind) {
  const NetworkOptions& n = s.network;
  return fmt::format(
      "{} hosts, {} switches; forward {}, lanes needed {}; flow control {}, lanes {}, buffers {}, output "
      "queues {}, "
      "writers {}, switch cycles {}, queueing {}, ejection {}, path choice {} (marks {}, memory {}, time-out "
      "{}), "
      "flowlet gap {}, hop view {}, hop credits {}, hop bias {}, "
      "allocator {}, "
      "crossing cycles {}, input speed-up {}, switch speed-up {}, head cycles {}, lane cycles {}, "
      "speculation {}, hold {}, "
      "priority {}; arrivals {}, sizes {}, load "
      "{}, "
      "packet flits {}, message packets {}, lengths {}, reply flits {}, reply cycles {}, requests {}; ends "
      "{}, "
      "pattern {}",
      s.fabric.hosts(), s.fabric.switches(), s.routing.forward.index(), s.routing.lanes, int(n.flow_control),
      n.lanes, n.buffer_flits, n.output_flits, n.writers, n.switch_cycles, int(n.queueing), int(n.ejection),
      int(n.path_choice), n.mark_flits, n.path_memory, n.path_timeout, n.flowlet_gap, int(n.hop_view),
      int(n.hop_credits), n.hop_bias, n.allocator, n.crossing_cycles, n.input_speedup, n.switch_speedup,
      n.head_cycles, n.lane_cycles, int(n.speculation), int(n.switch_hold), int(n.priority),
      int(s.messages.arrivals), int(s.messages.sizes), s.messages.load, s.messages.packet_flits,
      s.messages.message_packets, s.messages.packet_lengths, s.messages.reply_flits, s.messages.reply_cycles,
      s.messages.max_requests, ends, kind);
}

// A routing whose packets choose again while they wait.
Routing random_escape(const Topology& t) {
  const char* names[] = {"tera", "surepath", "surepath:lanes=3", "surepath:candidates=omniwar",
                         "surepath:candidates=omniwar,lanes=4,extra=1"};
  RouteResult result = route(t, names[draw(0, 4)]);
  if (!std::holds_alternative<Routing>(result)) result = route(t, "surepath");
  RC_PRE(std::holds_alternative<Routing>(result));
  return std::get<Routing>(result);
}

// A routing with several ways between hosts, whose switches do not choose.
Routing random_ways(const Topology& t) {
  const char* names[] = {"ecmp:paths=5", "ecmp:paths=40", "umulti", "updn:lmc=2", "layered"};
  RouteResult result = route(t, names[draw(0, 4)]);
  if (!std::holds_alternative<Routing>(result)) result = route(t, "ecmp:paths=16");
  return std::get<Routing>(result);
}

// A routing by which packets choose once at each switch.
Routing random_choices(const Topology& t) {
  const char* names[] = {"ugal", "ugal", "par", "minadaptive", "valiant", "adaptive", "omniwar", "polarized"};
  RouteResult result = route(t, names[draw(0, 7)]);
  if (!std::holds_alternative<Routing>(result)) result = route(t, "minadaptive");
  if (!std::holds_alternative<Routing>(result)) result = route(t, "adaptive");
  RC_PRE(std::holds_alternative<Routing>(result));
  return std::get<Routing>(result);
}

enum class BitsOf : u8 { any, in_stages, with_escape, recycled, flowlets, global };

Routing routing_for(BitsOf what, const Topology& t) {
  if (what == BitsOf::with_escape) return random_escape(t);
  if (what == BitsOf::global) return draw(0, 3) == 0 ? random_escape(t) : random_choices(t);
  if (what == BitsOf::flowlets) return draw(0, 2) == 0 ? random_choices(t) : random_ways(t);
  return what == BitsOf::recycled ? random_ways(t) : random_routing(t);
}

void expect_the_bits_of_the_reference(BitsOf what) {
  Topology t = with_link_kinds(what == BitsOf::with_escape && draw(0, 2) == 0 ? build(random_hyperx(1, 5))
                                                                              : small_topology());
  const u32 percent = what == BitsOf::global && draw(0, 2) == 0 ? draw(1, 10) : 0;
  if (percent > 0) t.fabric = broken(t.fabric, percent, draw(0, 1000));
  // the reference routes all that wait each time
  const u32 max_hosts = what == BitsOf::with_escape || what == BitsOf::global ? 12 : 40;
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= max_hosts);
  const Routing routing = routing_for(what, t);
  RC_PRE(routing.lanes <= 8);
  if (percent > 0) RC_PRE(judge(t.fabric, routing).disconnected_pairs == 0u);
  MessageOptions messages = random_messages();
  NetworkOptions network = random_network(routing, messages.packet_flits);
  if (what == BitsOf::in_stages && !has_escape(routing)) allocate_in_stages(network);
  if (what == BitsOf::recycled) {
    recycle_paths(network, routing);
    if (draw(0, 3) == 0) allocate_in_stages(network);
  }
  if (what == BitsOf::flowlets) {
    network.path_choice = PathChoice::flowlet;
    network.flowlet_gap = draw(0, 60);
  }
  if (what == BitsOf::global) network.hop_view = HopView::global;
  draw_lengths_or_replies(messages, network);
  keep_creatable(messages, t.fabric);
  SimulationSetup setup{t.fabric, routing, network, messages, draw(1, 1000)};
  if (setup.seed % 2 == 0) setup.large_fabric = 0;
  if (setup.seed % 3 != 0) setup.block_channels = static_cast<u32>(1 + setup.seed % 40);
  const bool ends = draw(0, 3) == 0;
  const u32 kind = draw(0, 3);
  const unsigned several = draw(2, 4);
  RC_LOG() << told(setup, ends, kind) << std::endl;

  ReferenceSimulator reference(setup, random_workload<ReferenceWorkload>(t, messages, ends, kind));
  reference.advance(150);
  const Tally first = reference.take_tally();
  reference.advance(250);
  const Tally second = reference.take_tally();

  for (const Granularity granularity : {Granularity::flits, Granularity::automatic})
    for (const unsigned threads : {1u, several}) {
      if (threads > 1 && granularity == Granularity::flits && draw(0, 3) > 0) continue;  // they cost the most
      setup.granularity = granularity;
      setup.threads = threads;
      RC_LOG() << "granularity " << int(granularity) << ", threads " << threads << std::endl;
      Simulation simulation(setup, random_workload(t, messages, ends, kind));
      simulation.advance(150);
      RC_ASSERT(simulation.take_tally() == first);
      simulation.advance(250);
      RC_ASSERT(simulation.take_tally() == second);
      RC_ASSERT(simulation.flits_inside() == reference.flits_inside());
    }
}

RC_GTEST_PROP(Simulator, EnginesGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::any);
}
RC_GTEST_PROP(Simulator, SwitchesInStagesGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::in_stages);
}
RC_GTEST_PROP(Simulator, PacketsThatChooseAgainGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::with_escape);
}

RC_GTEST_PROP(Simulator, RecycledPathsGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::recycled);
}

RC_GTEST_PROP(Simulator, FlowletsGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::flowlets);
}
RC_GTEST_PROP(Simulator, PacketsThatSeeTheWholeWayGiveTheBitsOfTheReference, ()) {
  expect_the_bits_of_the_reference(BitsOf::global);
}

// What the judge proves by an escape, for virtual cut-through: with hosts that always have something to send
// and buffers for hardly more than a packet, packets go on moving.
RC_GTEST_PROP(Simulator, RoutingsWithAnEscapeDoNotDeadlock, ()) {
  Topology t = draw(0, 2) == 0 ? build(random_hyperx(1, 5)) : small_topology();
  if (draw(0, 1) == 0) t.fabric = broken_somewhere(t.fabric, 10);
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 30);
  const Routing routing = random_escape(t);
  const Verdict verdict = judge(t.fabric, routing);
  RC_PRE(verdict.disconnected_pairs == 0u);
  RC_ASSERT(verdict.deadlock_free);
  const u32 flits = draw(1, 12);
  NetworkOptions network;
  network.lanes = routing.lanes;
  network.buffer_flits = flits + draw(0, flits - 1);
  MessageOptions messages;
  messages.packet_flits = flits;
  messages.arrivals = Arrivals::back_to_back;
  const SimulationSetup setup{t.fabric, routing, network, messages, draw(1, 1000)};
  const u32 kind = draw(0, 3);
  RC_LOG() << told(setup, false, kind) << std::endl;
  Simulation simulation(setup, random_workload(t, messages, false, kind));
  simulation.advance(3000);
  RC_ASSERT(!simulation.deadlock());
}

// The judge's yes holds at every moment, whatever the options: what waits for a channel's rate, or for a flit
// on its way, waits for no lane.
RC_GTEST_PROP(Simulator, NoDeadlockIsFoundUnderARoutingThatHasNone, ()) {
  const Topology t = with_link_kinds(small_topology());
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 40);
  const Routing routing = random_routing(t);
  RC_PRE(judge(t.fabric, routing).deadlock_free);
  MessageOptions messages = random_messages();
  messages.packet_flits += draw(0, 8);
  NetworkOptions network = random_network(routing, messages.packet_flits);
  if (has_escape(routing)) {  // in wormhole the judge does not speak for it
    network.flow_control = FlowControl::vct;
    network.buffer_flits = std::max(network.buffer_flits, messages.packet_flits);
  } else if (draw(0, 1) == 0) {
    allocate_in_stages(network);
  }
  if (draw(0, 3) == 0) recycle_paths(network, routing);
  draw_lengths_or_replies(messages, network);
  keep_creatable(messages, t.fabric);
  SimulationSetup setup{t.fabric, routing, network, messages, draw(1, 1000)};
  setup.granularity = draw(0, 1) == 0 ? Granularity::flits : Granularity::automatic;
  const bool ends = draw(0, 3) == 0;
  const u32 kind = draw(0, 3), step = draw(1, 7);
  RC_LOG() << told(setup, ends, kind) << std::endl;
  Simulation simulation(setup, random_workload(t, messages, ends, kind));
  for (u32 now = 0; now < 400; now += step) {
    simulation.advance(step);
    RC_ASSERT(simulation.deadlock().value_or("") == "");
  }
}

// A network with output queues and one lane, which has one owner at a time: an output takes one packet at a
// time.
class OneOwner {
 public:
  explicit OneOwner(const Topology& topology) : t_(topology), routing_(random_routing(topology)) {
    RC_PRE(routing_.lanes == 1);
    network.lanes = 1;
    network.output_flits = messages.packet_flits + draw(0, 9);
    const bool is_staged = draw(0, 2) > 0 && !has_escape(routing_);
    if (is_staged) allocate_in_stages(network);
    if (!is_staged) network.flow_control = FlowControl::wormhole;
    if (network.allocator == "wavefront") network.queueing = Queueing::fifo;
    draw_lengths_or_replies(messages, network);
    keep_creatable(messages, t_.fabric);
  }
  Tally counted(const NetworkOptions& with) const {
    const SimulationSetup setup{t_.fabric, routing_, with, messages, seed_};
    RC_LOG() << told(setup, false, kind_) << std::endl;
    Simulation simulation(setup, random_workload(t_, messages, false, kind_));
    simulation.advance(400);
    return simulation.take_tally();
  }

 private:
  const Topology& t_;
  const Routing routing_;
  const u64 seed_ = draw(1, 1000);
  const u32 kind_ = draw(0, 3);

 public:
  MessageOptions messages = random_messages();
  NetworkOptions network = random_network(routing_, messages.packet_flits);
};

RC_GTEST_PROP(Simulator, WithOneLaneThatHasAnOwnerWritersChangeNothing, ()) {
  const Topology t = with_link_kinds(small_topology());
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 40);
  OneOwner one(t);
  NetworkOptions other = one.network;
  one.network.writers = 1;
  other.writers = draw(2, 9);
  RC_ASSERT(one.counted(one.network) == one.counted(other));
}

// Where no queue before a NIC fills.
RC_GTEST_PROP(Simulator, WithOneLaneThatHasAnOwnerUnlimitedEjectionChangesNothing, ()) {
  const Topology t = with_latencies(small_topology());
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 40);
  OneOwner one(t);
  one.network.switch_speedup = 1;
  one.network.output_flits = 2 * one.messages.packet_flits + 2;
  one.network.buffer_flits = one.messages.packet_flits + 40;
  NetworkOptions other = one.network;
  one.network.ejection = Ejection::finite;
  other.ejection = Ejection::unlimited;
  RC_ASSERT(one.counted(one.network) == one.counted(other));
}

// All that a simulation can be asked.
struct Seen {
  Tally tally;
  double created;
  u64 inside;
  bool is_done;
  std::optional<std::string> deadlock;
  bool operator==(const Seen&) const = default;
};

Seen look(Simulation& simulation) {
  Tally tally = simulation.take_tally();
  return {std::move(tally), simulation.created_flits(), simulation.flits_inside(), simulation.is_done(),
          simulation.deadlock()};
}

RC_GTEST_PROP(Simulator, ProcessesGiveTheBitsOfOne, ()) {
  if (draw(0, 3) > 0) return;  // threads that wait for each other in every cycle
  const Topology t = with_link_kinds(small_topology());
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 40);
  const bool recycles = draw(0, 3) == 0;
  const Routing routing = recycles ? random_ways(t) : random_routing(t);
  RC_PRE(routing.lanes <= 8);
  MessageOptions messages = random_messages();
  NetworkOptions network = random_network(routing, messages.packet_flits);
  if (draw(0, 2) == 0 && !has_escape(routing)) allocate_in_stages(network);
  if (recycles) recycle_paths(network, routing);
  draw_lengths_or_replies(messages, network);
  keep_creatable(messages, t.fabric);
  SimulationSetup setup{t.fabric, routing, network, messages, draw(1, 1000)};
  setup.granularity = draw(0, 1) == 0 ? Granularity::flits : Granularity::automatic;
  const bool ends = draw(0, 3) == 0;
  const u32 kind = draw(0, 3);
  const std::vector<u64> moments = {60, 240};
  RC_LOG() << told(setup, ends, kind) << std::endl;

  Simulation alone(setup, random_workload(t, messages, ends, kind));
  std::vector<Seen> expected;
  for (const u64 cycles : moments) alone.advance(cycles), expected.push_back(look(alone));

  const u32 ranks = std::min(draw(2, 4), t.fabric.switches());
  RC_PRE(ranks > 1);
  setup.threads = draw(0, 2) == 0 ? 2 : 1;
  std::vector<std::vector<Seen>> seen(ranks);
  std::vector<std::vector<Channel>> channels(ranks);
  MemoryExchange(ranks).run([&](const Exchange& exchange) {
    SimulationSetup own = setup;
    own.exchange = &exchange;
    channels[exchange.rank] = own_channels(own);
    Simulation simulation(own, random_workload(t, messages, ends, kind, own_nics(own)));
    for (const u64 cycles : moments)
      simulation.advance(cycles), seen[exchange.rank].push_back(look(simulation));
  });
  RC_LOG() << ranks << " ranks of " << setup.threads << " threads" << std::endl;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    IdVector<Channel, u64> flits(t.fabric.channels().size());
    for (u32 rank = 0; rank < ranks; ++rank) {
      for (std::size_t c = 0; c < channels[rank].size(); ++c)
        flits[channels[rank][c]] +=
            *(seen[rank][i].tally.channel_flits.begin() + static_cast<std::ptrdiff_t>(c));
    }
    for (u32 rank = 0; rank < ranks; ++rank) {
      seen[rank][i].tally.channel_flits = flits;
      RC_ASSERT(seen[rank][i].tally == expected[i].tally);
      RC_ASSERT(seen[rank][i].created == expected[i].created);
      RC_ASSERT(seen[rank][i].inside == expected[i].inside);
      RC_ASSERT(seen[rank][i].is_done == expected[i].is_done);
      RC_ASSERT(seen[rank][i].deadlock == expected[i].deadlock);
    }
  }
}

}  // namespace
}  // namespace banyan::tests
