// Replicas as a GPU simulates them, in loops over threads, against the processors' engine: the same bits.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "flit/device_replicas.hpp"
#include "support/host_device.hpp"
#include "support/random_simulation.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct ReplicaCase {
  ReplicaCase()
      : topology(with_latencies(small_topology())),
        messages{.arrivals = Arrivals{static_cast<u8>(draw(0, 2))}, .packet_flits = draw(1, 7)} {
    keep_creatable(messages, topology.fabric);
    const bool are_mixed = draw(0, 1) == 0;  // patterns, and numbers of ranks
    const u32 hosts = topology.fabric.hosts();
    for (u32 i = draw(1, 7); i > 0; --i) {
      loads.push_back(0.05 * draw(1, 20));
      seeds.push_back(draw(1, 1000));
      const bool is_other = are_mixed || patterns.empty();
      patterns.push_back(is_other ? std::array{"uniform", "permutation", "shift:1", "bisection"}[draw(0, 3)]
                                  : patterns.back());
      ranks.push_back(are_mixed && hosts > 2 ? hosts - draw(0, 1) : hosts);
    }
  }
  Workload workload(u32 replica) const {
    MessageOptions own = messages;
    own.load = loads[replica];
    const u32 count = ranks[replica];
    return Workload::open(topology.fabric, make_traffic({topology, count}, patterns[replica]),
                          place_linearly(count), own, seeds[replica]);
  }

  Topology topology;
  MessageOptions messages;
  std::vector<std::string> patterns;
  std::vector<u32> ranks;
  std::vector<double> loads;
  std::vector<u64> seeds;
};

RC_GTEST_PROP(Replicas, GiveTheBitsOfTheEngine, ()) {
  const ReplicaCase given;
  const Fabric& fabric = given.topology.fabric;
  RC_PRE(fabric.hosts() > 1 && fabric.hosts() <= 40);
  const Routing routing = random_routing(given.topology);
  NetworkOptions network;
  network.lanes = routing.lanes + draw(0, 3);
  network.buffer_flits = given.messages.packet_flits * draw(1, 5);
  if (draw(0, 2) == 0) {
    network.flow_control = FlowControl::wormhole;
    network.buffer_flits = draw(1, 20);
  }
  network.switch_cycles = draw(0, 3);
  const SimulationSetup setup{fabric, routing, network, given.messages};
  const u32 count = static_cast<u32>(given.loads.size());
  std::vector<Workload> workloads;
  std::vector<const Workload*> pointers;
  for (u32 i = 0; i < count; ++i) workloads.push_back(given.workload(i));
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  const auto made = ReplicaArrays::make(setup, pointers, 4000);
  if (const auto* reason = std::get_if<NotApplicable>(&made)) {
    RC_TAG(std::string("refused"));
    RC_ASSERT(reason->why.starts_with("a GPU simulates routings") ||
              reason->why.starts_with("a GPU simulates wormhole with") ||
              reason->why == "a GPU simulates NICs of one port");  // all else is what it takes
    return;
  }
  RC_TAG(std::string("compared"));
  const bool by_ports = draw(0, 1) == 1;
  RC_TAG(std::string(network.flow_control == FlowControl::wormhole              ? "flits"
                     : by_ports && std::get<ReplicaArrays>(made).fabric().route ? "by ports"
                                                                                : "by switches"));
  const auto device = gpu::Device::find(by_ports ? HostDevice<4>::calls() : HostDevice<4, false>::calls());
  DeviceReplicas replicas(std::get<gpu::Device>(device), setup, std::get<ReplicaArrays>(made), 0, count);
  std::vector<std::unique_ptr<Simulation>> simulations;
  for (u32 i = 0; i < count; ++i)
    simulations.push_back(std::make_unique<Simulation>(setup, given.workload(i)));
  RC_LOG() << fmt::format(
                  "{} hosts, {} switches, {} replicas; forward {}, {} lanes, buffers {}, packets {}, {}",
                  fabric.hosts(), fabric.switches(), count, routing.forward.index(), network.lanes,
                  network.buffer_flits, given.messages.packet_flits, fmt::join(given.patterns, " "))
           << std::endl;
  for (u32 step = 0; step < 3; ++step) {
    std::vector<u64> cycles;
    for (u32 i = 0; i < count; ++i) cycles.push_back(draw(0, 3) == 0 ? 0 : draw(1, 300));
    replicas.advance(cycles);
    for (u32 i = 0; i < count; ++i) {
      if (cycles[i] == 0) continue;
      simulations[i]->advance(cycles[i]);
      RC_ASSERT(simulations[i]->take_tally() == replicas.tally(i));
      RC_ASSERT(simulations[i]->created_flits() ==
                workloads[i].in_flits(replicas.created(i), replicas.now(i)));
      RC_ASSERT(!simulations[i]->deadlock());
      for (u32 nic = 0; nic < fabric.nics(); ++nic)
        RC_ASSERT(simulations[i]->waits_since(Nic{nic}) == replicas.waits_since(i, Nic{nic}));
    }
  }
}

}  // namespace
}  // namespace banyan::tests
