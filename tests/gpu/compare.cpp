// A GPU and the processors compute the same bits: random fat-trees, placements, patterns and seeds on both,
// and random simulations. Without a GPU it fails. An argument: how many cases.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>

#include "ask/hash_forecast.hpp"
#include "base/random.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flit/device_model.hpp"
#include "flit/device_network.hpp"
#include "flit/device_replicas.hpp"
#include "flow/device_sampler.hpp"
#include "flow/device_sweep.hpp"
#include "flow/worst_rate.hpp"
#include "gpu/port_data.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

// PGFT(h; m; w; p) with at most some 20,000 hosts.
std::string random_tree(Random& random) {
  const u32 h = 2 + static_cast<u32>(random.below(4));
  const u32 max_m = h == 2 ? 64 : h == 3 ? 24 : h == 4 ? 10 : 6;
  std::string m, w, p;
  for (u32 l = 0; l < h; ++l) {
    const char* comma = l > 0 ? "," : "";
    m += fmt::format("{}{}", comma, 1 + random.below(max_m));
    w += fmt::format("{}{}", comma, l == 0 ? 1 : 1 + random.below(h < 4 ? 12 : 4));
    p += fmt::format("{}{}", comma, 1 + random.below(l == 0 ? 1 : 3));
  }
  return fmt::format("PGFT({}; {}; {}; {})", h, m, w, p);
}

Placement random_placement(u32 hosts, Random& random) {
  std::vector<Host> all;
  for (u32 i = 0; i < hosts; ++i) all.push_back(Host{i});
  if (random.below(2) == 0) random.shuffle(std::span(all));
  if (random.below(2) == 0) all.resize(1 + random.below(hosts));
  Placement out;
  for (const Host host : all) out.push_back(host);
  return out;
}

enum class Outcome { same, different, refused };

Outcome compare(const gpu::Device& device, const std::string& fabric, const char* pattern, Random& random) {
  const Topology topology = make_topology(fabric);
  const auto routing = route(topology, "dmodk");
  const Placement placement = random_placement(topology.fabric.hosts(), random);
  const Traffic traffic = make_traffic({topology, static_cast<u32>(placement.size())}, pattern);
  const LoadSampler sampler(topology, std::get<Routing>(routing), traffic, placement);
  const auto made = DeviceSampler::make(device, sampler);
  if (std::holds_alternative<NotApplicable>(made)) return Outcome::refused;
  const u64 seed = random(), first = random.below(1000);
  std::vector<RoundLoads> here(200), there(here.size());
  sampler.run(seed, first, here);
  std::get<DeviceSampler>(made).run(seed, first, there);
  return here == there ? Outcome::same : Outcome::different;
}

// --- simulations
template <class... T>
std::string one_of(Random& random, const T&... text) {
  const std::array<std::string, sizeof...(T)> all{text...};
  return all[random.below(all.size())];
}

struct SimulatedCase {
  std::string text;
  Outcome outcome = Outcome::refused;
};

// Three times some cycles of each, or none.
Outcome compare_runs(std::span<const std::unique_ptr<Simulation>> here, std::span<const Workload> workloads,
                     DeviceRuns& there, Random& random) {
  Outcome out = Outcome::same;
  for (u32 step = 0; step < 3; ++step) {
    std::vector<u64> cycles;
    for (u32 i = 0; i < here.size(); ++i) cycles.push_back(random.below(4) == 0 ? 0 : 1 + random.below(1000));
    there.advance(cycles);
    for (u32 i = 0; i < here.size(); ++i) {
      if (cycles[i] == 0) continue;
      here[i]->advance(cycles[i]);
      if (here[i]->take_tally() != there.tally(i) ||
          here[i]->created_flits() != workloads[i].in_flits(there.created(i), there.now(i)))
        out = Outcome::different;
    }
  }
  return out;
}

SimulatedCase compare_simulations(const gpu::Device& device, Random& random) {
  const std::string fabric = one_of(random, "4-ary 3-tree", "2-ary 3-tree", "XGFT(2; 18,4; 1,9)",
                                    "Torus(5x4)", "Mesh(4x3)", "HyperX(4x3)", "PGFT(2; 4,4; 1,2; 1,2)",
                                    "8-ary 3-tree", "Dragonfly(2,4,2)", "XGFT(3; 3,2,4; 1,2,3)");
  const std::string engine = one_of(random, "dmodk", "dor", "updn", "minhop", "sssp", "dfsssp");
  const std::string pattern = one_of(random, "uniform", "permutation", "shift:1", "bisection");
  SimulatedCase out{fmt::format("{} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  const auto routed = route(topology, engine);
  if (!std::holds_alternative<Routing>(routed)) return out;
  const Routing& routing = std::get<Routing>(routed);
  MessageOptions messages{.arrivals = Arrivals{static_cast<u8>(random.below(3))},
                          .packet_flits = static_cast<u32>(1 + random.below(12))};
  NetworkOptions network{.lanes = std::min(16u, routing.lanes * static_cast<u32>(1 + random.below(4)))};
  network.buffer_flits = messages.packet_flits * static_cast<u32>(1 + random.below(6));
  network.switch_cycles = static_cast<u32>(random.below(4));
  if (random.below(3) == 0) {
    network.flow_control = FlowControl::wormhole;
    network.buffer_flits = static_cast<u32>(1 + random.below(60));
    out.text += ", wormhole";
  }
  const u32 hosts = topology.fabric.hosts(), count = static_cast<u32>(1 + random.below(40));
  const Traffic traffic = make_traffic({topology, hosts}, pattern);
  std::vector<Workload> workloads, again;
  std::vector<const Workload*> pointers;
  for (u32 i = 0; i < count; ++i) {
    messages.load = 0.05 + 0.95 * random.unit();
    const u64 seed = random();
    for (auto* to : {&workloads, &again})
      to->push_back(Workload::open(topology.fabric, traffic, place_linearly(hosts), messages, seed));
  }
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  const SimulationSetup setup{topology.fabric, routing, network, messages};
  const auto made = ReplicaArrays::make(setup, pointers, 4000);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  const ReplicaArrays& arrays = std::get<ReplicaArrays>(made);
  if (arrays.fabric().moves_flits && gpu::PortLayout(arrays.fabric(), 0).bytes > device.facts().block_bytes)
    return out;  // too large for a multiprocessor; device_measure.cpp leaves it to the whole model
  DeviceReplicas there(device, setup, arrays, 0, count);
  std::vector<std::unique_ptr<Simulation>> here;
  for (Workload& workload : again) here.push_back(std::make_unique<Simulation>(setup, std::move(workload)));
  out.outcome = compare_runs(here, workloads, there, random);
  return out;
}

// Of the whole model: options at random.
NetworkOptions random_options(const Routing& routing, u32 packet_flits, Random& random) {
  const auto below = [&](u32 count) { return static_cast<u32>(random.below(count)); };
  NetworkOptions out{.lanes = std::min(16u, routing.lanes * (1 + below(3)))};
  out.flow_control = below(2) == 0 ? FlowControl::vct : FlowControl::wormhole;
  out.buffer_flits = packet_flits + below(40);
  if (below(2) == 0) {
    out.output_flits = packet_flits + below(20);
    out.writers = 1 + below(8);
  }
  out.switch_cycles = below(4);
  out.crossing_cycles = below(3);
  out.queueing = below(2) == 0 ? Queueing::voq : Queueing::fifo;
  out.ejection = below(2) == 0 ? Ejection::unlimited : Ejection::finite;
  out.path_choice = PathChoice{static_cast<u8>(below(4))};
  out.hop_bias = below(10);
  if (below(2) == 0) out.hop_credits = HopCredits::late;
  return out;
}

SimulatedCase compare_models(const gpu::Device& device, Random& random) {
  const std::string fabric =
      one_of(random, "4-ary 3-tree", "XGFT(3; 4,4,8; 1,4,4)", "Torus(5x4)", "HyperX(4x3)", "HyperX(3x3,2)",
             "PGFT(2; 4,4; 1,2; 1,2)", "Dragonfly(2,4,2)", "XGFT(3; 3,2,4; 1,2,3)");
  const std::string engine = one_of(random, "dmodk", "disjoint:paths=4", "random:paths=3", "adaptive", "dor",
                                    "minadaptive", "valiant", "ugal", "dal", "minhop", "ecmp:paths=5");
  const std::string pattern = one_of(random, "uniform", "permutation", "shift:1", "bisection");
  SimulatedCase out{fmt::format("the whole model, {} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  const auto routed = route(topology, engine);
  if (!std::holds_alternative<Routing>(routed)) return out;
  const Routing& routing = std::get<Routing>(routed);
  MessageOptions messages{.arrivals = Arrivals{static_cast<u8>(random.below(3))},
                          .packet_flits = static_cast<u32>(1 + random.below(12)),
                          .message_packets = static_cast<u32>(1 + random.below(4))};
  const NetworkOptions network = random_options(routing, messages.packet_flits, random);
  const u32 hosts = topology.fabric.hosts(), count = static_cast<u32>(1 + random.below(20));
  const Traffic traffic = make_traffic({topology, hosts}, pattern);
  SimulationSetup setup{topology.fabric, routing, network, messages};
  std::vector<Workload> workloads;
  std::vector<const Workload*> pointers;
  std::vector<std::unique_ptr<Simulation>> here;
  std::vector<u64> seeds;
  for (u32 i = 0; i < count; ++i) {
    messages.load = 0.05 + 0.95 * random.unit();
    setup.seed = random();
    seeds.push_back(setup.seed);
    const auto workload = [&] {
      return Workload::open(topology.fabric, traffic, place_linearly(hosts), messages, setup.seed);
    };
    workloads.push_back(workload());
    here.push_back(std::make_unique<Simulation>(setup, workload()));
  }
  for (const Workload& workload : workloads) pointers.push_back(&workload);
  const auto made = ModelArrays::make(setup, pointers, seeds, 4000);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  DeviceModel there(device, setup, std::get<ModelArrays>(made), 0, count);
  out.outcome = compare_runs(here, workloads, there, random);
  return out;
}

// One simulation on all of the device.
SimulatedCase compare_networks(const gpu::Device& device, Random& random) {
  const std::string fabric =
      one_of(random, "4-ary 3-tree", "XGFT(2; 18,4; 1,9)", "PGFT(2; 4,4; 1,2; 1,2)", "8-ary 3-tree",
             "XGFT(3; 3,2,4; 1,2,3)", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "XGFT(3; 12,12,24; 1,12,12)",
             "XGFT(2; 48,48; 1,48)", "XGFT(2; 80,20; 1,60)");
  const std::string engine = one_of(random, "dmodk", "dmodk", "updn", "minhop");
  const std::string pattern = one_of(random, "uniform", "uniform", "permutation", "shift:1");
  SimulatedCase out{fmt::format("one network, {} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  const auto routed = route(topology, engine);
  if (!std::holds_alternative<Routing>(routed)) return out;
  const MessageOptions messages{.arrivals = Arrivals{static_cast<u8>(random.below(3))},
                                .load = 0.05 + 0.95 * random.unit(),
                                .packet_flits = static_cast<u32>(1 + random.below(12))};
  NetworkOptions network{.lanes = static_cast<u32>(1 + random.below(4))};
  network.buffer_flits = messages.packet_flits * static_cast<u32>(1 + random.below(6));
  network.switch_cycles = static_cast<u32>(random.below(4));
  const SimulationSetup setup{topology.fabric, std::get<Routing>(routed), network, messages};
  const u32 hosts = topology.fabric.hosts();
  const u64 seed = random();
  const auto workload = [&] {
    return Workload::open(topology.fabric, make_traffic({topology, hosts}, pattern), place_linearly(hosts),
                          messages, seed);
  };
  const Workload given = workload();
  const auto made = NetworkArrays::make(setup, given, 4000);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  DeviceNetwork there(device, setup, std::get<NetworkArrays>(made));
  Simulation here(setup, workload());
  out.outcome = Outcome::same;
  for (u32 step = 0; step < 3; ++step) {
    const u64 cycles = 1 + random.below(400);
    there.advance(cycles);
    here.advance(cycles);
    if (here.take_tally() != there.tally() ||
        here.created_flits() != given.in_flits(there.created(), there.now()))
      out.outcome = Outcome::different;
  }
  return out;
}

// Loads without some cables.
SimulatedCase compare_sweeps(const gpu::Device& device, Random& random) {
  const std::string fabric = random.below(4) == 0 ? "PGFT(3; 18,18,6; 1,18,3; 1,1,6)" : random_tree(random);
  const std::string engine = one_of(random, "dmodc", "dmodc", "updn", "minhop");
  const std::string pattern = one_of(random, "permutation", "bisection");
  SimulatedCase out{fmt::format("{} under {}, {}", fabric, engine, pattern)};
  const Topology whole = make_topology(fabric);
  const u32 hosts = whole.fabric.hosts();
  if (hosts < 2 || hosts > 4000) return out;
  const auto routed = route(whole, engine);
  if (!std::holds_alternative<Routing>(routed)) return out;
  const Traffic traffic = make_traffic({whole, hosts}, pattern);
  const Placement placement = place_linearly(hosts);
  const u64 seed = random(), samples = 1 + random.below(40);
  const auto made = SweepArrays::make(whole, std::get<Routing>(routed), traffic, placement, seed, samples);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  const auto& arrays = std::get<SweepArrays>(made);
  std::vector<SweepPatch> patches;
  std::vector<RoundLoads> here;
  for (u32 i = 0; i < 12; ++i) {
    Topology rest = whole;
    const u64 cables = 1 + random.below(2);
    rest.fabric =
        fabric::without(whole.fabric, {fmt::format("links={},seed={}", cables, 1 + random.below(999))});
    const auto again = route(rest, engine);
    if (!std::holds_alternative<Routing>(again)) continue;
    auto patch = arrays.patch(rest.fabric, std::get<Routing>(again));
    if (!patch) continue;
    patches.push_back(std::move(*patch));
    std::vector<RoundLoads> loads(samples);
    LoadSampler(rest, std::get<Routing>(again), traffic, placement).run(seed, 0, loads);
    here.insert(here.end(), loads.begin(), loads.end());
  }
  std::vector<const SweepPatch*> pointers;
  for (const SweepPatch& patch : patches) pointers.push_back(&patch);
  const std::vector<u32> there = DeviceSweep(device, arrays).max_loads(pointers);
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (there[i] == gpu::sweep_unknown) continue;
    out.outcome = there[i] == here[i].max_load ? Outcome::same : Outcome::different;
    if (out.outcome == Outcome::different) return out;
  }
  return out;
}

// Samples of flows that are followed hop by hop.
SimulatedCase compare_walks(const gpu::Device& device, Random& random) {
  const std::string fabric = random.below(2) == 0
                                 ? random_tree(random)
                                 : one_of(random, "HyperX(6x5)", "Dragonfly(4,8,4)", "Torus(8x8)",
                                          "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "XGFT(3; 12,12,24; 1,12,12)");
  const std::string engine = one_of(random, "minhop", "updn", "dmodc", "minhop:lmc=1", "ecmp", "ecmp:2",
                                    "ecmp:3", "ecmp:hash=crc32", "ecmp:hash=crc16", "ecmp:hash=xor16");
  const std::string pattern = one_of(random, "permutation", "bisection");
  SimulatedCase out{fmt::format("walks, {} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  if (topology.fabric.hosts() > 6000) return out;
  const auto routing = route(topology, engine);
  if (!std::holds_alternative<Routing>(routing)) return out;
  const Placement placement = random_placement(topology.fabric.hosts(), random);
  const Traffic traffic = make_traffic({topology, static_cast<u32>(placement.size())}, pattern);
  const LoadSampler sampler(topology, std::get<Routing>(routing), traffic, placement);
  const auto made = DeviceSampler::make(device, sampler);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  const u64 seed = random(), first = random.below(1000);
  std::vector<RoundLoads> here(40), there(here.size());
  sampler.run(seed, first, here);
  std::get<DeviceSampler>(made).run(seed, first, there);
  out.outcome = here == there ? Outcome::same : Outcome::different;
  const auto walks = DeviceWalks::make(device, sampler, 1);
  if (std::holds_alternative<NotApplicable>(walks)) return out;
  if (std::get<DeviceWalks>(walks).histogram(seed, first, here.size()) !=
      load_histogram(sampler.listed(), seed, first, here.size(), 8))
    out.outcome = Outcome::different;
  return out;
}

// Chains of a search for orders.
SimulatedCase compare_orders(const gpu::Device& device, Random& random) {
  const std::string fabric = one_of(random, "4-ary 3-tree", "HyperX(4x3)", "Dragonfly(2,4,2)",
                                    "XGFT(2; 18,4; 1,9)", "PGFT(2; 4,4; 1,2; 1,2)");
  const std::string engine = one_of(random, "minhop", "minhop:lmc=1", "disjoint:3", "adaptive");
  const std::string pattern = one_of(random, "shift:5", "transpose", "all-shifts:7", "permutation");
  SimulatedCase out{fmt::format("orders, {} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  const auto routing = route(topology, engine);
  if (!std::holds_alternative<Routing>(routing)) return out;
  std::vector<Host> hosts;
  for (u32 i = 0; i < topology.fabric.hosts(); ++i) hosts.push_back(Host{i});
  const u32 ranks = static_cast<u32>(hosts.size());
  const Traffic traffic = make_traffic({topology, ranks}, pattern);
  std::vector<OrderRound> rounds(traffic.rounds);
  for (u64 round = 0; round < traffic.rounds; ++round) {
    traffic.list(1, 0, round, rounds[round].demands);
    std::erase_if(rounds[round].demands, [](const Demand& demand) { return demand.from == demand.to; });
    rounds[round].least = 1 + static_cast<double>(random.below(3)) / 3;
  }
  const WayLister lister(topology.fabric, std::get<Routing>(routing));
  const PairPaths paths(lister, hosts, Measure::demand, 8);
  const OrderSearch search(paths, rounds, 400);
  std::vector<Seats> starts(40, Seats(ranks));
  for (Seats& seats : starts) {
    std::iota(seats.begin(), seats.end(), 0);
    random.shuffle(std::span(seats));
  }
  const u64 seed = random(), stream = random();
  const std::vector<Seats> there = search.run(device, starts, seed, stream);
  out.outcome = Outcome::same;
  for (u32 i = 0; i < starts.size(); ++i)
    if (there[i] != search.run(starts[i], seed, stream - i)) out.outcome = Outcome::different;
  return out;
}

// Chains of a search for bad permutations.
SimulatedCase compare_worst_rates(const gpu::Device& device, Random& random) {
  const std::string fabric = one_of(random, "4-ary 3-tree", "HyperX(4x3; hosts=3)", "Dragonfly(2,4,2)",
                                    "XGFT(2; 18,4; 1,9)", "Torus(5x4)");
  const std::string engine = one_of(random, "minhop", "minhop:lmc=1", "ecmp", "disjoint:3", "adaptive");
  SimulatedCase out{fmt::format("worst rates, {} under {}", fabric, engine)};
  const Topology topology = make_topology(fabric);
  const auto routing = route(topology, engine);
  if (!std::holds_alternative<Routing>(routing)) return out;
  std::vector<Host> hosts;
  for (u32 i = 0; i < topology.fabric.hosts(); ++i) hosts.push_back(Host{i});
  const WayLister lister(topology.fabric, std::get<Routing>(routing));
  const PairPaths paths(lister, hosts, Measure::demand, 8);
  const WorstRateSearch search(paths);
  const u64 seed = random();
  const std::vector<Destinations> starts = search.starts(40, seed);
  out.outcome =
      search.run(device, starts, seed) == search.run(starts, seed, 8) ? Outcome::same : Outcome::different;
  return out;
}

// One traffic under many hashes.
SimulatedCase compare_hashes(const gpu::Device& device, Random& random) {
  const std::string fabric =
      one_of(random, "HyperX(6x5)", "Dragonfly(4,8,4)", "XGFT(2; 18,18; 1,9)", "XGFT(3; 12,12,4; 1,12,12)");
  const std::string engine = one_of(random, "ecmp", "ecmp:seeds=same", "ecmp:4", "ecmp:hash=crc32",
                                    "ecmp:hash=crc16,seeds=same", "ecmp:hash=xor16");
  const std::string pattern = one_of(random, "permutation", "shift:7", "uniform", "all-shifts:5");
  SimulatedCase out{fmt::format("hashes, {} under {}, {}", fabric, engine, pattern)};
  const Topology topology = make_topology(fabric);
  const Routing routing = std::get<Routing>(route(topology, engine));
  const u32 hosts = topology.fabric.hosts();
  const Traffic traffic = make_traffic({topology, hosts}, pattern);
  const LoadSampler sampler(topology, routing, traffic, place_linearly(hosts));
  std::vector<std::vector<Flow>> rounds;
  for (u64 round = 0; round < traffic.rounds; ++round) rounds.push_back(sampler.listed().flows(1, round));
  const auto made = DeviceHashes::make(device, topology.fabric, routing, rounds, Measure::demand);
  if (std::holds_alternative<NotApplicable>(made)) return out;
  ask::HashForecast forecast{topology, routing, rounds, Measure::demand, 50, random(), 8};
  const u32 queue_pairs = 1 + static_cast<u32>(random.below(4));
  const auto here = ask::hash_loads(forecast, queue_pairs);
  forecast.device = &std::get<DeviceHashes>(made);
  const auto there = ask::hash_loads(forecast, queue_pairs);
  out.outcome = Outcome::same;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i].max_load != there[i].max_load || here[i].undelivered != there[i].undelivered)
      out.outcome = Outcome::different;
  return out;
}

// Zero: all are the same.
int run_simulations(const gpu::Device& device, u64 cases, const char* what,
                    SimulatedCase (*compared)(const gpu::Device&, Random&)) {
  Random random(2);
  u64 same = 0, refused = 0;
  for (u64 i = 0; i < cases; ++i) {
    const SimulatedCase found = compared(device, random);
    same += found.outcome == Outcome::same;
    refused += found.outcome == Outcome::refused;
    if (found.outcome == Outcome::different) {
      std::puts(fmt::format("{}: results differ", found.text).c_str());
      return 1;
    }
  }
  std::puts(fmt::format("{}: {} cases of {} equal, {} refused", device.name(), same, what, refused).c_str());
  return same > 0 ? 0 : 1;
}

int run_all(u64 cases) {
  const auto found = gpu::Device::find();
  if (const auto* reason = std::get_if<NotApplicable>(&found)) {
    std::puts(reason->why.c_str());
    return 1;
  }
  const auto& device = std::get<gpu::Device>(found);
  Random random(1);
  u64 same = 0, refused = 0;
  for (u64 i = 0; i < cases; ++i) {
    const std::string fabric = i == 0   ? "XGFT(3; 12,12,24; 1,12,12)"
                               : i == 1 ? "PGFT(3; 18,18,36; 1,18,18; 1,1,1)"
                                        : random_tree(random);
    for (const char* pattern : {"permutation", "bisection"}) {
      const Outcome outcome = compare(device, fabric, pattern, random);
      same += outcome == Outcome::same;
      refused += outcome == Outcome::refused;
      if (outcome == Outcome::different) {
        std::puts(fmt::format("{} under {}: results differ", pattern, fabric).c_str());
        return 1;
      }
    }
  }
  std::puts(
      fmt::format("{}: {} cases of 200 samples equal, {} refused", device.name(), same, refused).c_str());
  if (same == 0) return 1;
  return run_simulations(device, cases, "up to 40 simulations", compare_simulations) |
         run_simulations(device, cases, "up to 20 simulations of the whole model", compare_models) |
         run_simulations(device, cases, "one network", compare_networks) |
         run_simulations(device, cases, "a sweep", compare_sweeps) |
         run_simulations(device, cases, "walks", compare_walks) |
         run_simulations(device, cases, "hashes", compare_hashes) |
         run_simulations(device, cases, "40 chains", compare_orders) |
         run_simulations(device, cases, "40 chains for bad permutations", compare_worst_rates);
}

}  // namespace
}  // namespace banyan::tests

int main(int count, char** arguments) {
  return banyan::tests::run_all(count > 1 ? std::stoull(arguments[1]) : 150);
}
