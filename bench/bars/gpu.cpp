// What a GPU does, beside the bars: one line for each, as name, figure, unit, bar. Figures are means of five
// runs after one to warm up; results are in this machine's memory when the clock stops. Status 3 without a
// GPU. An argument: only those with this text in their name.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flit/device_model.hpp"
#include "flit/device_network.hpp"
#include "flit/device_replicas.hpp"
#include "flow/device_sampler.hpp"
#include "flow/device_sweep.hpp"
#include "flow/worst_rate.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct Bar {
  const char *name, *fabric, *pattern;
  u64 samples;  // of a run
  double bar;   // millions a second; 0: none
};
constexpr Bar bars[] = {
    {"permutations, 3,456 hosts", "XGFT(3; 12,12,24; 1,12,12)", "permutation", 20'000'000, 25},
    {"permutations, 11,664 hosts", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "permutation", 6'000'000, 7},
    {"permutations, 1,944 hosts", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "permutation", 30'000'000, 0},
    {"bisections, 3,456 hosts", "XGFT(3; 12,12,24; 1,12,12)", "bisection", 10'000'000, 0},
    {"bisections, 11,664 hosts", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "bisection", 3'000'000, 0},
};

// Replicas of a tree under d-mod-k and uniform traffic, 4 lanes, buffers of 40 flits.
struct ReplicaBar {
  const char *name, *fabric;
  double load;
  u32 packet_flits, replicas;
  u64 cycles;  // of a run
  double bar;  // 10^9 flit-hops a second; 0: none
  FlowControl flow_control = FlowControl::vct;
};
constexpr ReplicaBar replica_bars[] = {
    {"replicas, 4-ary 3-tree, 1-flit packets, load 0.9", "4-ary 3-tree", 0.9, 1, 4224, 5000, 50},
    {"replicas, 4-ary 3-tree, 10-flit packets, load 0.9", "4-ary 3-tree", 0.9, 10, 4224, 10000, 50},
    {"replicas, 8-ary 3-tree, 1-flit packets, load 0.9", "8-ary 3-tree", 0.9, 1, 528, 3000, 40},
    {"replicas, 8-ary 3-tree, 10-flit packets, load 0.9", "8-ary 3-tree", 0.9, 10, 528, 6000, 40},
    {"replicas, 4-ary 3-tree, 1-flit packets, load 0.4", "4-ary 3-tree", 0.4, 1, 4224, 5000, 0},
    {"replicas, 4-ary 3-tree, 10-flit packets, load 0.4", "4-ary 3-tree", 0.4, 10, 4224, 10000, 0},
    {"replicas, 4-ary 3-tree, wormhole, 1-flit packets, load 0.9", "4-ary 3-tree", 0.9, 1, 4224, 5000, 15,
     FlowControl::wormhole},
    {"replicas, 4-ary 3-tree, wormhole, 10-flit packets, load 0.9", "4-ary 3-tree", 0.9, 10, 4224, 5000, 15,
     FlowControl::wormhole},
};

// Replicas in the whole model, flit by flit: 4-ary 3-tree, uniform traffic, 4 lanes, buffers of 40 flits,
// 10-flit packets, load 0.9.
struct ModelBar {
  const char *name, *engine;
  Queueing queueing = Queueing::fifo;
  u32 output_flits = 0;
};
constexpr ModelBar model_bars[] = {
    {"whole model, 4-ary 3-tree, dmodk", "dmodk"},
    {"whole model, 4-ary 3-tree, adaptive", "adaptive"},
    {"whole model, 4-ary 3-tree, adaptive, virtual output queues", "adaptive", Queueing::voq},
    {"whole model, 4-ary 3-tree, four ways, output queues", "disjoint:paths=4", Queueing::fifo, 40},
};

// One network on all of the device, under d-mod-k and uniform traffic, 4 lanes, buffers of 40 flits, links of
// one cycle.
struct NetworkBar {
  const char *name, *fabric;
  double load;
  u32 packet_flits;
  u64 cycles;  // of a run
  double bar;  // 1000 cycles a second; 0: none
};
constexpr const char* tree_d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";
constexpr const char* tree_110592 = "XGFT(3; 48,48,48; 1,48,48)";
constexpr NetworkBar network_bars[] = {
    {"one network, 11,664 hosts, 10-flit packets, load 0.9", tree_d, 0.9, 10, 50'000, 400},
    {"one network, 11,664 hosts, 10-flit packets, load 0.4", tree_d, 0.4, 10, 50'000, 0},
    {"one network, 11,664 hosts, 1-flit packets, load 0.9", tree_d, 0.9, 1, 30'000, 0},
    {"one network, 110,592 hosts, 10-flit packets, load 0.9", tree_110592, 0.9, 10, 10'000, 60},
    {"one network, 110,592 hosts, 10-flit packets, load 0.4", tree_110592, 0.4, 10, 10'000, 0},
};

double seconds_of(const auto& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const gpu::Device& device, const Bar& bar) {
  const Topology topology = make_topology(bar.fabric);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const Placement placement = place_linearly(topology.fabric.hosts());
  const Traffic traffic = make_traffic({topology, topology.fabric.hosts()}, bar.pattern);
  const LoadSampler sampler(topology, routing, traffic, placement);
  const auto arrays = std::get<TagArrays>(TagArrays::make(sampler.tags()->levels(), traffic.draw));
  const gpu::TagSampler samples(device, arrays.data());
  std::vector<gpu::TagLoads> found(bar.samples);
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { samples.run(run + 1, 0, found); });
    if (run > 0) sum += static_cast<double>(bar.samples) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.2f}\tM/s\t{}", bar.name, sum / 1e6,
                        bar.bar > 0 ? fmt::format("{:g}", bar.bar) : "-")
                .c_str());
  std::fflush(stdout);
}

void measure(const gpu::Device& device, const ReplicaBar& bar) {
  const Topology topology = make_topology(bar.fabric);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const u32 hosts = topology.fabric.hosts();
  const Traffic traffic = make_traffic({topology, hosts}, "uniform");
  const NetworkOptions network{.flow_control = bar.flow_control, .lanes = 4, .buffer_flits = 40};
  const MessageOptions messages{.load = bar.load, .packet_flits = bar.packet_flits};
  const SimulationSetup setup{topology.fabric, routing, network, messages};
  std::vector<Workload> workloads;
  for (u32 i = 0; i < bar.replicas; ++i)
    workloads.push_back(Workload::open(topology.fabric, traffic, place_linearly(hosts), messages, i + 1));
  std::vector<const Workload*> pointers;
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  constexpr u32 runs = 5;
  const auto made = ReplicaArrays::make(setup, pointers, (runs + 1) * bar.cycles);
  DeviceReplicas replicas(device, setup, std::get<ReplicaArrays>(made), 0, bar.replicas);
  const std::vector<u64> cycles(bar.replicas, bar.cycles);
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { replicas.advance(cycles); });
    u64 flit_hops = 0;
    for (u32 i = 0; i < bar.replicas; ++i) flit_hops += replicas.tally(i).flit_hops;
    if (run > 0) sum += static_cast<double>(flit_hops) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.2f}\tG flit-hops/s\t{}", bar.name, sum / 1e9,
                        bar.bar > 0 ? fmt::format("{:g}", bar.bar) : "-")
                .c_str());
  std::fflush(stdout);
}

void measure(const gpu::Device& device, const ModelBar& bar) {
  constexpr u32 replicas = 1056, runs = 5;
  constexpr u64 of_run = 1000;
  const Topology topology = make_topology("4-ary 3-tree");
  const Routing routing = std::get<Routing>(route(topology, bar.engine));
  const u32 hosts = topology.fabric.hosts();
  const Traffic traffic = make_traffic({topology, hosts}, "uniform");
  NetworkOptions network{.lanes = 4, .buffer_flits = 40, .output_flits = bar.output_flits};
  network.queueing = bar.queueing;
  const MessageOptions messages{.load = 0.9, .packet_flits = 10};
  const SimulationSetup setup{topology.fabric, routing, network, messages};
  std::vector<Workload> workloads;
  std::vector<const Workload*> pointers;
  std::vector<u64> seeds;
  for (u32 i = 0; i < replicas; ++i) {
    workloads.push_back(Workload::open(topology.fabric, traffic, place_linearly(hosts), messages, i + 1));
    seeds.push_back(i + 1);
  }
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  const auto made = ModelArrays::make(setup, pointers, seeds, (runs + 1) * of_run);
  DeviceModel there(device, setup, std::get<ModelArrays>(made), 0, replicas);
  const std::vector<u64> cycles(replicas, of_run);
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { there.advance(cycles); });
    u64 flit_hops = 0;
    for (u32 i = 0; i < replicas; ++i) flit_hops += there.tally(i).flit_hops;
    if (run > 0) sum += static_cast<double>(flit_hops) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.2f}\tG flit-hops/s\t-", bar.name, sum / 1e9).c_str());
  std::fflush(stdout);
}

void measure(const gpu::Device& device, const NetworkBar& bar) {
  const Topology topology = make_topology(bar.fabric);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const u32 hosts = topology.fabric.hosts();
  const NetworkOptions network{.lanes = 4, .buffer_flits = 40};
  const MessageOptions messages{.load = bar.load, .packet_flits = bar.packet_flits};
  const SimulationSetup setup{topology.fabric, routing, network, messages};
  const Workload workload = Workload::open(topology.fabric, make_traffic({topology, hosts}, "uniform"),
                                           place_linearly(hosts), messages, 1);
  constexpr u32 runs = 5;
  const auto made = NetworkArrays::make(setup, workload, (runs + 1) * bar.cycles);
  DeviceNetwork there(device, setup, std::get<NetworkArrays>(made));
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { there.advance(bar.cycles); });
    if (run > 0) sum += static_cast<double>(bar.cycles) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.1f}\tk cycles/s\t{}", bar.name, sum / 1e3,
                        bar.bar > 0 ? fmt::format("{:g}", bar.bar) : "-")
                .c_str());
  std::fflush(stdout);
}

// A sweep of pairs of cables: what is counted, without the routing. Entries that change are listed before the
// clock starts.
void measure_sweep(const gpu::Device& device, const char* name) {
  constexpr u64 samples = 100, victims = 8192;
  const Topology whole = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6)");
  const Routing routing = std::get<Routing>(route(whole, "dmodc"));
  const u32 hosts = whole.fabric.hosts();
  const auto arrays = std::get<SweepArrays>(SweepArrays::make(
      whole, routing, make_traffic({whole, hosts}, "permutation"), place_linearly(hosts), 1, samples));
  std::vector<SweepPatch> patches(victims);
  parallel_for(victims, default_threads(), [&](u64 i) {
    Topology rest = whole;
    rest.fabric = fabric::without(whole.fabric, {fmt::format("links=2,seed={}", i + 1)});
    const auto again = reroute(routing, whole, rest, engines::engines().bind("dmodc"));
    patches[i] = arrays.patch(rest.fabric, std::get<Routing>(again)).value();
  });
  std::vector<const SweepPatch*> pointers;
  for (const SweepPatch& patch : patches) pointers.push_back(&patch);
  DeviceSweep sweep(device, arrays);
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { sweep.max_loads(pointers, default_threads()); });
    if (run > 0) sum += static_cast<double>(victims * samples) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.2f}\tM/s\t-", name, sum / 1e6).c_str());
  std::fflush(stdout);
}

// Samples of flows that are followed hop by hop: by tables, or by hashes.
struct WalkBar {
  const char *name, *fabric, *engine;
  u64 samples;
};
constexpr WalkBar walk_bars[] = {
    {"permutations under tables, 1,944 hosts", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "dmodc", 1'000'000},
    {"permutations under tables, 11,664 hosts", tree_d, "dmodc", 100'000},
    {"permutations by a hash, 1,944 hosts", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "ecmp", 500'000},
};

void print_rate(const char* name, double rate) {
  std::puts(fmt::format("{}\t{:.3f}\tM/s\t-", name, rate / 1e6).c_str());
  std::fflush(stdout);
}

void measure(const gpu::Device& device, const WalkBar& bar) {
  const Topology topology = make_topology(bar.fabric);
  const Routing routing = std::get<Routing>(route(topology, bar.engine));
  const u32 hosts = topology.fabric.hosts();
  const LoadSampler sampler(topology, routing, make_traffic({topology, hosts}, "permutation"),
                            place_linearly(hosts));
  const DeviceSampler samples = std::get<DeviceSampler>(DeviceSampler::make(device, sampler));
  std::vector<RoundLoads> found(bar.samples);
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { samples.run(run + 1, 0, found); });
    if (run > 0) sum += static_cast<double>(bar.samples) / seconds / runs;
  }
  print_rate(bar.name, sum);
}

// One permutation under many hashes.
void measure_hashes(const gpu::Device& device, const char* name) {
  const Topology topology = make_topology("XGFT(3; 12,12,24; 1,12,12)");
  const Routing routing = std::get<Routing>(route(topology, "ecmp"));
  const u32 hosts = topology.fabric.hosts();
  const LoadSampler sampler(topology, routing, make_traffic({topology, hosts}, "permutation"),
                            place_linearly(hosts));
  const std::vector<std::vector<Flow>> rounds = {sampler.listed().flows(1, 0)};
  const auto made = DeviceHashes::make(device, topology.fabric, routing, rounds, Measure::demand);
  std::vector<u64> seeds(500'000);
  for (u64 i = 0; i < seeds.size(); ++i) seeds[i] = i;
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { std::get<DeviceHashes>(made).run(seeds, 1); });
    if (run > 0) sum += static_cast<double>(seeds.size()) / seconds / runs;
  }
  print_rate(name, sum);
}

// Chains of a search for an order of 512 ranks: swaps that were tried.
void measure_order(const gpu::Device& device, const char* name) {
  const Topology topology = make_topology("8-ary 3-tree");
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  std::vector<Host> hosts;
  for (u32 i = 0; i < topology.fabric.hosts(); ++i) hosts.push_back(Host{i});
  std::vector<OrderRound> rounds(1);
  make_traffic({topology, topology.fabric.hosts()}, "permutation").list(1, 0, 0, rounds[0].demands);
  std::erase_if(rounds[0].demands, [](const Demand& demand) { return demand.from == demand.to; });
  rounds[0].least = 1;
  const WayLister lister(topology.fabric, routing);
  const PairPaths paths(lister, hosts, Measure::demand, default_threads());
  constexpr u64 swaps = 2000;
  const OrderSearch search(paths, rounds, swaps);
  std::vector<Seats> starts(8192, Seats(hosts.size()));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::iota(starts[i].begin(), starts[i].end(), 0);
    Random(i).shuffle(std::span(starts[i]));
  }
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { search.run(device, starts, run, ~u64{0}); });
    if (run > 0) sum += static_cast<double>(starts.size() * swaps) / seconds / runs;
  }
  print_rate(name, sum);
  const double one = seconds_of([&] { search.run(starts[0], 1, ~u64{0}); });
  print_rate("the same by one core", static_cast<double>(swaps) / one);
}

// Chains of a search for a bad permutation of 448 hosts of a HyperX: swaps that were tried.
void measure_worst_rate(const gpu::Device& device, const char* name) {
  const Topology topology = make_topology("HyperX(8x8; hosts=7)");
  const Routing routing = std::get<Routing>(route(topology, "dor"));
  std::vector<Host> hosts;
  for (u32 i = 0; i < topology.fabric.hosts(); ++i) hosts.push_back(Host{i});
  const WayLister lister(topology.fabric, routing);
  const PairPaths paths(lister, hosts, Measure::demand, default_threads());
  const WorstRateSearch search(paths);
  const std::vector<Destinations> starts = search.starts(8192, 1);
  constexpr u32 runs = 5;
  const double swaps = static_cast<double>(WorstRateSearch::swaps(paths.hosts()));
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { search.run(device, starts, run); });
    if (run > 0) sum += static_cast<double>(starts.size()) * swaps / seconds / runs;
  }
  print_rate(name, sum);
  const double one = seconds_of([&] { search.run(std::span(starts).first(1), 1, 1); });
  print_rate("the same by one core", swaps / one);
}

int run_all(const std::string& only) {
  const auto found = gpu::Device::find();
  if (const auto* reason = std::get_if<NotApplicable>(&found)) {
    std::puts(reason->why.c_str());
    return 3;
  }
  for (const Bar& bar : bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  for (const NetworkBar& bar : network_bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  for (const ReplicaBar& bar : replica_bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  for (const ModelBar& bar : model_bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  constexpr const char* sweep = "sweep of pairs of cables, 1,944 hosts: permutations counted";
  if (std::string_view(sweep).find(only) != std::string_view::npos)
    measure_sweep(std::get<gpu::Device>(found), sweep);
  for (const WalkBar& bar : walk_bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  constexpr const char* hashes = "hashes of one permutation, 3,456 hosts";
  if (std::string_view(hashes).find(only) != std::string_view::npos)
    measure_hashes(std::get<gpu::Device>(found), hashes);
  constexpr const char* order = "order, 8,192 chains on 512 hosts: swaps";
  if (std::string_view(order).find(only) != std::string_view::npos)
    measure_order(std::get<gpu::Device>(found), order);
  constexpr const char* worst_rate = "worst rate, 8,192 chains on 448 hosts: swaps";
  if (std::string_view(worst_rate).find(only) != std::string_view::npos)
    measure_worst_rate(std::get<gpu::Device>(found), worst_rate);
  return 0;
}

}  // namespace
}  // namespace banyan::tests

int main(int count, char** arguments) { return banyan::tests::run_all(count > 1 ? arguments[1] : ""); }
