// One run of the simulator on uniform traffic, for counting instructions and time: bench/flit_instructions
// calls it.
//   bench_flit_run FABRIC wormhole|vct|packets LOAD PACKET-FLITS CYCLES [THREADS [LANES [ENGINE
//   [BLOCK-CHANNELS]]]]
// prints what moved and how long it took.
#include <chrono>
#include <cstdio>
#include <string>

#include "engines/engine.hpp"
#include "flit/simulation.hpp"
#include "traffic/pattern.hpp"

using namespace banyan::tests;

namespace {

void run(int count, char** arguments) {
  const auto argument = [&](int i, const char* otherwise) {
    return std::string(i < count ? arguments[i] : otherwise);
  };
  const Topology topology = make_topology(argument(1, "4-ary 3-tree"));
  const Routing routing = std::get<Routing>(route(topology, argument(8, "dmodk")));
  const std::string unit = argument(2, "packets");
  NetworkOptions network;
  network.flow_control = unit == "wormhole" ? FlowControl::wormhole : FlowControl::vct;
  network.lanes = static_cast<u32>(std::stoul(argument(7, "4")));
  MessageOptions messages;
  messages.load = std::stod(argument(3, "0.4"));
  messages.packet_flits = static_cast<u32>(std::stoul(argument(4, "10")));
  const u32 hosts = topology.fabric.hosts();
  SimulationSetup setup{topology.fabric,
                        routing,
                        network,
                        messages,
                        1,
                        static_cast<unsigned>(std::stoul(argument(6, "1"))),
                        unit == "packets" ? Granularity::packets : Granularity::flits};
  if (count > 9) setup.block_channels = static_cast<u32>(std::stoul(argument(9, "")));
  Simulation simulation(setup, Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                              place_linearly(hosts), messages, 1));
  const auto start = std::chrono::steady_clock::now();
  simulation.advance(std::stoull(argument(5, "2000")));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Tally tally = simulation.take_tally();
  std::printf("cycles %llu flit_hops %llu accepted %.4f latency %.2f wall %.3f\n",
              static_cast<unsigned long long>(tally.cycles), static_cast<unsigned long long>(tally.flit_hops),
              static_cast<double>(tally.flits) / static_cast<double>(tally.cycles * hosts),
              tally.packet_latency.mean(), seconds.count());
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
