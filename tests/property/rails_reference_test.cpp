// Hosts with several NICs: the fast engine against the reference of docs/rails.md. The same bits, on random
// fabrics, policies, buses and loads, also when a rail dies.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "flit/rails/policy.hpp"
#include "support/random_simulation.hpp"
#include "support/reference_rails.hpp"
#include "traffic/pattern.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

Topology any_topology() {
  const Topology t =
      draw(0, 5) == 0 ? build(random_several_nics(3)) : with_link_kinds(small_topology(draw(1, 4)));
  if (draw(0, 5) > 0) return t;
  // One host has lost the cables of a rail.
  const Fabric& whole = t.fabric;
  const Host host{draw(0, whole.hosts() - 1)};
  const Node nic = whole.node(whole.nic(host, draw(0, whole.columns() - 1)));
  std::vector<Link> cut;
  whole.each_link([&](const Link& link) {
    if (whole.from(link.a) == nic || whole.from(link.b) == nic) cut.push_back(link);
  });
  Topology out = t;
  if (whole.columns() > 1) out.fabric = without(whole, cut);
  return out;
}

std::string any_policy(const Fabric& fabric, u64 mean_bytes) {
  const auto& all = rail_policies();
  const std::string name(all[draw(0, static_cast<u32>(all.size()) - 1)].name);
  const u32 maximum[] = {0, 1, 2, 3, 6};  // hosts that static allocation connects by so many rails
  bool is_whole = true;
  for (const Node nic : fabric.nic_nodes()) is_whole &= fabric.cabled_ports(nic) > 0;
  if (name == "static" && (fabric.columns() > 4 || fabric.hosts() > maximum[fabric.columns()] || !is_whole))
    return "basic";
  return name == "hybrid" ? fmt::format("hybrid:{}", mean_bytes * draw(0, 3) / 2) : name;
}

RailOptions any_rails(const Fabric& fabric, const MessageOptions& messages) {
  RailOptions out;
  out.policy =
      any_policy(fabric, u64{messages.packet_flits} * messages.message_packets * messages.flit_bytes);
  out.stripe = 0.25 * draw(0, 4);
  out.processes = draw(1, 4);
  out.sends = draw(0, 1) == 0 ? Sends::queued : Sends::awaited;
  out.bus = draw(0, 2) == 0 ? Bus::full : Bus::half;
  out.bus_burst = draw(1, 8);
  out.control_flits = draw(1, messages.packet_flits);
  out.nic_cycles = draw(0, 2) == 0 ? 0 : draw(1, 40);
  out.timeout_cycles = draw(0, 1) == 0 ? draw(1, 60) : 400;
  return out;
}

// Whether every host could still reach every other one without the rail.
bool can_spare(const Fabric& fabric, u32 dying) {
  for (u32 a = 0; a < fabric.hosts(); ++a)
    for (u32 b = 0; b < fabric.hosts(); ++b) {
      bool is_joined = false;
      for (u32 rail = 0; rail < fabric.columns(); ++rail)
        is_joined |= rail != dying && fabric.cabled_ports(fabric.node(fabric.nic(Host{a}, rail))) > 0 &&
                     fabric.cabled_ports(fabric.node(fabric.nic(Host{b}, rail))) > 0;
      if (!is_joined) return false;
    }
  return true;
}

template <class AnyWorkload = Workload>
AnyWorkload any_workload(const Topology& t, const SimulationSetup& setup, bool ends, u32 kind) {
  const u32 processes = setup.rails->processes, ranks = t.fabric.hosts() * processes;
  Placement placement;
  for (u32 rank = 0; rank < ranks; ++rank) placement.push_back(Host{rank / processes});
  const char* names[] = {"uniform", "permutation", "shift:1", "bisection"};
  const Traffic traffic = make_traffic({t, ranks}, names[kind]);
  return ends ? AnyWorkload::closed(t.fabric, traffic, placement, setup.messages, 7, processes)
              : AnyWorkload::open(t.fabric, traffic, placement, setup.messages, 7, processes);
}

std::string told(const SimulationSetup& s, bool ends, u32 kind) {
  const NetworkOptions& n = s.network;
  const RailOptions& r = *s.rails;
  return fmt::format(
      "{} hosts, {} rails, {} switches; forward {}; flow control {}, lanes {}, buffers {}, output queues {}, "
      "writers {}, switch cycles {}, queueing {}, ejection {}, path choice {}; arrivals {}, sizes {}, load "
      "{}, packet flits {}, message packets {}; ends {}, pattern {}; policy {}, stripe {}, processes {}, "
      "sends "
      "{}, bus {}, burst {}, control flits {}, nic cycles {}, timeout {}, dies '{}'",
      s.fabric.hosts(), s.fabric.columns(), s.fabric.switches(), s.routing.forward.index(),
      int(n.flow_control), n.lanes, n.buffer_flits, n.output_flits, n.writers, n.switch_cycles,
      int(n.queueing), int(n.ejection), int(n.path_choice), int(s.messages.arrivals), int(s.messages.sizes),
      s.messages.load, s.messages.packet_flits, s.messages.message_packets, ends, kind, r.policy, r.stripe,
      r.processes, int(r.sends), int(r.bus), r.bus_burst, r.control_flits, r.nic_cycles, r.timeout_cycles,
      r.dies);
}

// The options that the reference does not know, too.
SimulationSetup any_setup(const Topology& t, const Routing& routing) {
  MessageOptions messages = random_messages();
  messages.arrivals = Arrivals::poisson;
  messages.load = draw(0, 1) == 0 ? 1 : messages.load;
  messages.packet_flits += draw(0, 8);
  NetworkOptions network = random_network(routing, messages.packet_flits);
  if (draw(0, 2) == 0) {
    messages.sizes = Sizes::fixed;
    messages.message_packets = 1;
    messages.packet_lengths = fmt::format("1:3,{}", messages.packet_flits);
  }
  if (draw(0, 2) == 0 && !has_escape(routing)) allocate_in_stages(network);
  RailOptions rails = any_rails(t.fabric, messages);
  rails.sends = Sends{static_cast<u8>(draw(0, 2))};
  rails.turns = Turns{static_cast<u8>(draw(0, 1))};
  rails.nic_messages = draw(1, max_nic_messages);
  rails.bus_turn = draw(0, 1) == 0 ? 0 : draw(1, 20);
  SimulationSetup out{t.fabric, routing, network, messages, draw(1, 1000)};
  out.rails = rails;
  return out;
}

// A packet that waits for a bus, a channel's rate or a flit on its way waits for no lane.
RC_GTEST_PROP(Rails, NoDeadlockIsFoundUnderARoutingThatHasNone, ()) {
  const Topology t = any_topology();
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() * t.fabric.columns() <= 60);
  const Routing routing = random_routing(t);
  RC_PRE(judge(t.fabric, routing).deadlock_free);
  SimulationSetup setup = any_setup(t, routing);
  if (has_escape(routing)) setup.network.flow_control = FlowControl::vct;  // for which the judge speaks
  if (setup.network.flow_control == FlowControl::vct)
    setup.network.buffer_flits = std::max(setup.network.buffer_flits, setup.messages.packet_flits);
  const u32 kind = draw(0, 3), step = draw(1, 7);
  RC_LOG() << told(setup, false, kind) << "; allocator " << setup.network.allocator << ", lengths "
           << setup.messages.packet_lengths << ", NIC messages " << setup.rails->nic_messages
           << ", turn of the bus " << setup.rails->bus_turn << std::endl;
  Simulation simulation(setup, any_workload(t, setup, false, kind));
  for (u32 now = 0; now < 400; now += step) {
    simulation.advance(step);
    RC_ASSERT(simulation.deadlock().value_or("") == "");
  }
}

RC_GTEST_PROP(Rails, TheEngineGivesTheBitsOfTheReference, ()) {
  const Topology t = any_topology();
  const u32 hosts = t.fabric.hosts(), rails = t.fabric.columns();
  RC_PRE(hosts > 1 && hosts * rails <= 60);
  const Routing routing = random_routing(t);
  MessageOptions messages = random_messages();
  messages.arrivals = Arrivals{static_cast<u8>(draw(0, 1))};  // back to back would never end
  if (messages.arrivals != Arrivals::poisson) messages.burst.clear();
  keep_creatable(messages, t.fabric);
  SimulationSetup setup{t.fabric,
                        routing,
                        random_network(routing, messages.packet_flits),
                        messages,
                        draw(1, 1000),
                        1,
                        Granularity::automatic,
                        any_rails(t.fabric, messages)};
  if (setup.seed % 2 == 0) setup.large_fabric = 0;
  if (setup.seed % 3 != 0) setup.block_channels = static_cast<u32>(1 + setup.seed % 40);
  const bool ends = draw(0, 3) == 0;
  const u32 kind = draw(0, 3);
  const bool dies = rails > 1 && setup.rails->policy != "static" && draw(0, 2) == 0;
  const u32 dying = draw(0, rails - 1);
  if (dies && can_spare(t.fabric, dying)) setup.rails->dies = fmt::format("{}@{}", dying, draw(0, 300));
  const u32 step = draw(1, 60), cycles = setup.rails->dies.empty() ? 500 : 1700;
  RC_LOG() << told(setup, ends, kind) << std::endl;

  ReferenceRails reference(setup, any_workload<ReferenceWorkload>(t, setup, ends, kind));
  Simulation simulation(setup, any_workload(t, setup, ends, kind));
  Tally all;
  for (u32 now = 0; now < cycles; now += step) {
    reference.advance(step);
    simulation.advance(step);
    const Tally expected = reference.take_tally();
    all.append(expected);
    RC_LOG() << "from cycle " << now << std::endl;
    const Tally tally = simulation.take_tally();
    RC_ASSERT(tally.flits == expected.flits);
    RC_ASSERT(tally.messages == expected.messages);
    RC_ASSERT(tally == expected);
    RC_ASSERT(simulation.flits_inside() == reference.flits_inside());
  }
  if (draw(0, 15) > 0) return;  // threads that wait for each other in every cycle cost the most
  setup.threads = 2;
  Simulation threads(setup, any_workload(t, setup, ends, kind));
  threads.advance(all.cycles);
  RC_ASSERT(threads.take_tally() == all);
}

}  // namespace
}  // namespace banyan::tests
