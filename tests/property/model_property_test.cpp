// The whole model as a GPU simulates it, in loops over threads, against the processors' engine: the same
// bits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "flit/device_model.hpp"
#include "support/host_device.hpp"
#include "support/random_simulation.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct ModelCase {
  ModelCase() : topology(with_link_kinds(small_topology())), messages(random_messages()) {
    if (draw(0, 2) == 0) {
      messages.sizes = Sizes::fixed;
      messages.message_packets = 1;
      messages.packet_lengths = fmt::format("{}:{},1:2", messages.packet_flits, draw(1, 3));
    }
    keep_creatable(messages, topology.fabric);
    for (u32 i = draw(1, 4); i > 0; --i) {
      loads.push_back(0.05 * draw(1, 20));
      seeds.push_back(draw(1, 1000));
      patterns.emplace_back(std::array{"uniform", "permutation", "shift:1", "bisection"}[draw(0, 3)]);
    }
  }
  Workload workload(u32 replica) const {
    MessageOptions own = messages;
    own.load = loads[replica];
    const u32 hosts = topology.fabric.hosts();
    return Workload::open(topology.fabric, make_traffic({topology, hosts}, patterns[replica]),
                          place_linearly(hosts), own, seeds[replica]);
  }

  Topology topology;
  MessageOptions messages;
  std::vector<std::string> patterns;
  std::vector<double> loads;
  std::vector<u64> seeds;
};

// Options in words, for a case that fails.
std::string described(const NetworkOptions& network, const MessageOptions& messages) {
  std::string out;
  const auto each = [&](std::string_view key, const auto& value, std::string_view) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>)
      out += fmt::format("{} {}; ", key, option_names(value)[static_cast<std::size_t>(value)]);
    else
      out += fmt::format("{} {}; ", key, value);
  };
  NetworkOptions::fields(network, each);
  out += fmt::format("packets {}, of a message {}, lengths {}, burst {}, arrivals {}, sizes {}",
                     messages.packet_flits, messages.message_packets, messages.packet_lengths, messages.burst,
                     static_cast<int>(messages.arrivals), static_cast<int>(messages.sizes));
  return out;
}

RC_GTEST_PROP(Model, OnAGpuGivesTheBitsOfTheEngine, ()) {
  const ModelCase given;
  const Fabric& fabric = given.topology.fabric;
  RC_PRE(fabric.hosts() > 1 && fabric.hosts() <= 40);
  const Routing routing = random_routing(given.topology);
  const NetworkOptions network = random_network(routing, given.messages.packet_flits);
  SimulationSetup setup{fabric, routing, network, given.messages};
  const u32 count = static_cast<u32>(given.loads.size());
  std::vector<Workload> workloads;
  std::vector<const Workload*> pointers;
  for (u32 i = 0; i < count; ++i) workloads.push_back(given.workload(i));
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  const auto made = ModelArrays::make(setup, pointers, given.seeds, 4000);
  if (const auto* reason = std::get_if<NotApplicable>(&made)) {
    RC_TAG(std::string("refused"));
    RC_ASSERT(reason->why.starts_with("a GPU simulates routings") ||
              reason->why == "a GPU simulates NICs of one port");  // all else is what it takes
    return;
  }
  RC_TAG(std::string(is_adaptive(routing) ? "adaptive" : "not adaptive"));
  RC_LOG() << fmt::format("{} hosts, {} switches; forward {}; {}", fabric.hosts(), fabric.switches(),
                          routing.forward.index(), described(network, given.messages))
           << std::endl;
  const auto device = gpu::Device::find(HostDevice<4>::calls());
  DeviceModel replicas(std::get<gpu::Device>(device), setup, std::get<ModelArrays>(made), 0, count);
  std::vector<std::unique_ptr<Simulation>> simulations;
  for (u32 i = 0; i < count; ++i) {
    setup.seed = given.seeds[i];
    simulations.push_back(std::make_unique<Simulation>(setup, given.workload(i)));
  }
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
