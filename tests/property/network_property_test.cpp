// One network as all blocks of a GPU simulate it, in loops over threads, against the processors' engine: the
// same bits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/engine.hpp"
#include "flit/device_network.hpp"
#include "support/host_device.hpp"
#include "support/random_simulation.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

RC_GTEST_PROP(Network, GivesTheBitsOfTheEngine, ()) {
  const Topology topology = with_latencies(small_topology());
  const Fabric& fabric = topology.fabric;
  const u32 hosts = fabric.hosts();
  RC_PRE(hosts > 1 && hosts <= 60);
  const auto closed = route(topology, "dmodk");  // of a tree
  const bool takes_closed = std::holds_alternative<Routing>(closed) && draw(0, 1) == 0;
  const Routing routing = takes_closed ? std::get<Routing>(closed) : random_routing(topology);
  MessageOptions messages{.arrivals = Arrivals{static_cast<u8>(draw(0, 2))},
                          .load = 0.05 * draw(1, 20),
                          .packet_flits = draw(0, 2) == 0 ? 1 : draw(1, 12)};
  keep_creatable(messages, fabric);
  NetworkOptions network;
  network.lanes = routing.lanes + draw(0, 3);
  network.buffer_flits = messages.packet_flits * draw(1, 5);
  network.switch_cycles = draw(0, 3);
  const std::string pattern = std::array{"uniform", "permutation", "shift:1", "bisection"}[draw(0, 3)];
  const SimulationSetup setup{fabric, routing, network, messages};
  const u64 seed = draw(1, 1000);
  const auto workload = [&] {
    return Workload::open(fabric, make_traffic({topology, hosts}, pattern), place_linearly(hosts), messages,
                          seed);
  };
  const Workload given = workload();
  const auto made = NetworkArrays::make(setup, given, 4000);
  if (const auto* reason = std::get_if<NotApplicable>(&made)) {
    RC_TAG(std::string("refused"));
    RC_ASSERT(reason->why.starts_with("a GPU simulates routings") ||
              reason->why.starts_with("a GPU simulates one large network under routings") ||
              reason->why.starts_with("a GPU simulates one large network with up to 4 lanes") ||
              reason->why == "a GPU simulates NICs of one port");  // all else is what it takes
    return;
  }
  HostNetworkCalls::max_blocks = draw(0, 4);
  HostNetworkCalls::warps = draw(1, 4);
  HostNetworkCalls::keeps_buffers = draw(0, 1) == 0;
  const auto device = gpu::Device::find(HostDevice<4>::calls());
  DeviceNetwork there(std::get<gpu::Device>(device), setup, std::get<NetworkArrays>(made));
  Simulation here(setup, workload());
  RC_TAG(std::string(std::holds_alternative<TreeForm>(routing.forward) ? "closed form" : "table"));
  for (u32 step = 0; step < 4; ++step) {
    const u64 cycles = draw(1, 300);
    there.advance(cycles);
    here.advance(cycles);
    RC_ASSERT(here.take_tally() == there.tally());
    RC_ASSERT(here.created_flits() == given.in_flits(there.created(), there.now()));
    RC_ASSERT(!here.deadlock());
    for (u32 nic = 0; nic < fabric.nics(); ++nic)
      RC_ASSERT(here.waits_since(Nic{nic}) == there.waits_since(Nic{nic}));
  }
}

}  // namespace
}  // namespace banyan::tests
