// Rail policies under fuzzed timing: random orders of events without a clock, and random times in the
// simulator. Whatever the order, everything arrives and no reservation is lost or doubled.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "flit/rails/world.hpp"
#include "flit/simulation.hpp"

namespace banyan::tests {
namespace {

std::string any_policy() {
  return *rc::gen::element<std::string>("basic", "local-dynamic", "dynamic", "dynamic", "hybrid:500",
                                        "hybrid:500", "rail-local", "own", "same-slot", "all", "hash");
}

Exploration any_case() {
  Exploration out;
  out.policy = any_policy();
  out.hosts = *rc::gen::inRange<u32>(2, 6);
  out.rails = *rc::gen::inRange<u32>(1, 4);
  out.processes = *rc::gen::inRange<u32>(1, 4);
  out.stripe = *rc::gen::element(0.0, 0.5, 1.0);
  const u32 count = *rc::gen::inRange<u32>(1, 25);
  for (u32 i = 0; i < count; ++i) {
    const u32 from = *rc::gen::inRange<u32>(0, out.hosts);
    const u32 to = (from + *rc::gen::inRange<u32>(1, out.hosts)) % out.hosts;
    out.wishes.push_back({from, *rc::gen::inRange<u32>(0, out.processes), to, *rc::gen::inRange<u32>(1, 9),
                          *rc::gen::element<u64>(100, 1000), *rc::gen::inRange<u32>(0, out.processes)});
  }
  if (*rc::gen::arbitrary<bool>())  // hosts that lack some of the rails
    for (u32 host = 0; host < out.hosts; ++host)
      out.live.push_back(*rc::gen::inRange<u64>(1, u64{1} << out.rails));
  return out;
}

RC_GTEST_PROP(RailsUnderFuzzedTiming, EveryOrderOfEventsDelivers, ()) {
  const Exploration what = any_case();
  const Walk walk(what);
  Random random(*rc::gen::arbitrary<u32>());
  World world = walk.start();
  for (u32 step = 0; !walk.is_over(world); ++step) {
    RC_ASSERT(step < 100'000u);
    const auto events = walk.events(world);
    RC_ASSERT(!events.empty());
    world = walk.after(world, events[random.below(events.size())]);
    RC_ASSERT(walk.wrong(world) == "");
  }
  for (const u32 flits : world.missing) RC_ASSERT(flits == 0u);
}

// Everyone sends to the two behind it, in messages of random size.
Traffic any_traffic(u32 ranks, u32 processes, u64 seed) {
  Traffic out;
  out.ranks = ranks;
  out.list = [=](u64, u64, u64, std::vector<Demand>& demands) {
    Random random(seed);
    for (u32 from = 0; from < ranks; ++from)
      for (u32 i = 1; i <= 2; ++i)
        demands.push_back({Rank{from}, Rank{(from + i * processes) % ranks}, 1.0 + random.unit() * 4});
  };
  return out;
}

RC_GTEST_PROP(RailsUnderFuzzedTiming, TheSimulatorDelivers, ()) {
  const Topology topology =
      make_topology(std::to_string(*rc::gen::inRange<u32>(1, 4)) + " x XGFT(2; 2,3; 1,2)");
  const Routing routing = std::get<Routing>(route(topology, *rc::gen::element("adaptive", "dmodk")));
  NetworkOptions network;
  network.flow_control = *rc::gen::element(FlowControl::wormhole, FlowControl::vct);
  network.lanes = *rc::gen::inRange<u32>(1, 4);
  network.buffer_flits = *rc::gen::inRange<u32>(12, 30);
  network.switch_cycles = *rc::gen::inRange<u32>(0, 7);
  MessageOptions messages;
  messages.packet_flits = *rc::gen::inRange<u32>(4, 12);
  RailOptions rails;
  rails.policy = any_policy();
  rails.stripe = *rc::gen::element(0.0, 0.5, 1.0);
  rails.processes = *rc::gen::inRange<u32>(1, 4);
  rails.sends = *rc::gen::element(Sends::queued, Sends::begun, Sends::awaited);
  rails.turns = *rc::gen::element(Turns::host, Turns::process);
  rails.nic_messages = *rc::gen::inRange<u32>(1, 3);
  rails.bus_turn = *rc::gen::inRange<u32>(0, 4);
  rails.bus = *rc::gen::element(Bus::half, Bus::full);
  rails.bus_burst = *rc::gen::inRange<u32>(1, 20);
  rails.control_flits = *rc::gen::inRange<u32>(1, 5);
  rails.nic_cycles = *rc::gen::inRange<u32>(0, 100);
  rails.timeout_cycles = *rc::gen::inRange<u32>(1, 500);
  if (topology.fabric.columns() > 1 && *rc::gen::arbitrary<bool>())
    rails.dies = "0@" + std::to_string(*rc::gen::inRange<u32>(0, 1500));
  const u32 ranks = topology.fabric.hosts() * rails.processes;
  Placement placement;
  for (u32 rank = 0; rank < ranks; ++rank) placement.push_back(Host{rank / rails.processes});
  const Traffic traffic = any_traffic(ranks, rails.processes, *rc::gen::arbitrary<u32>());
  Simulation simulation({topology.fabric, routing, network, messages, 1, 1, Granularity::automatic, rails},
                        Workload::closed(topology.fabric, traffic, placement, messages, 1, rails.processes));
  for (u32 i = 0; i < 3000 && !simulation.is_done(); ++i) {
    simulation.advance(50);
    RC_ASSERT(simulation.lost_credit() == "");
  }
  RC_ASSERT(simulation.is_done());
  simulation.advance(5000);
  RC_ASSERT(simulation.take_tally().messages == 2 * ranks);
  RC_ASSERT(simulation.flits_inside() == 0u);
  RC_ASSERT(simulation.lost_credit() == "");
}

}  // namespace
}  // namespace banyan::tests
