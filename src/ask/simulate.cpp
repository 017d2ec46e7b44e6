#include "ask/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "fabric/names.hpp"
#include "flit/replicas.hpp"
#include "traffic/message_trace.hpp"

namespace banyan::ask {
namespace {

SimulationSetup setup_of(const Fabric& fabric, const Routing& routing, const SimulateOptions& options) {
  SimulationSetup out{fabric, routing, options.network, options.messages};
  out.granularity = options.granularity;
  if (options.with_rails) out.rails = options.rails;
  return out;
}

// Ranks may be written as the hosts that they are on.
std::function<MessageTrace()> trace_opener(const Situation& at, const Placement& placement,
                                           const std::string& file) {
  const Fabric& fabric = at.topology.fabric;
  std::vector<u32> rank_on(fabric.hosts(), ~u32{0});
  for (const Rank rank : placement.ids())
    if (u32& first = rank_on[index(placement[rank])]; first == ~u32{0}) first = index(rank);
  const RankNames names = [&fabric, rank_on, nodes = std::make_shared<std::optional<NameIndex>>()](
                              const std::string& name) -> std::optional<u32> {
    if (!*nodes) nodes->emplace(fabric);
    const auto node = (*nodes)->find(name);
    if (!node || fabric.is_switch(*node)) return std::nullopt;
    const u32 rank = rank_on[index(fabric.host(fabric.nic(*node)))];
    return rank == ~u32{0} ? std::nullopt : std::optional(rank);
  };
  return [file, names, ranks = static_cast<u32>(placement.size())] {
    return MessageTrace(std::make_unique<std::ifstream>(open_input(file)), file, ranks, names);
  };
}

Measurement measured_once(const Situation& at, const SimulateOptions& options, Progress& progress,
                          const Watch& watch) {
  const Fabric& fabric = at.topology.fabric;
  if (!options.ends()) check_load(options.messages.load);
  const bool has_rails = options.with_rails;
  if (at.exchange && has_rails) throw InputError("under mpirun: several NICs a host are for one process");
  const auto [traffic, placement] = at.job(options.complete ? ShorterJobs::end : ShorterJobs::repeat,
                                           has_rails ? options.rails.processes : 1);
  SimulationSetup setup = setup_of(fabric, *at.routing, options);
  setup.seed = at.seed;
  setup.threads = at.threads;
  setup.exchange = at.exchange;
  const MeasureOptions& until = options.measure;
  if (!options.trace.empty())
    return measure(
        setup,
        Workload::recorded(fabric, trace_opener(at, placement, options.trace), placement, options.messages,
                           has_rails ? options.rails.processes : 0, own_nics(setup)),
        until, &progress, watch);
  if (options.complete) return measure_rounds(setup, traffic, placement, until, &progress, watch);
  Workload workload = Workload::open(fabric, traffic, placement, options.messages, at.seed,
                                     has_rails ? options.rails.processes : 0, own_nics(setup));
  return measure(setup, std::move(workload), until, &progress, watch);
}

// Processes that simulate together make one run after the other.
Measurement measured(const Situation& at, const SimulateOptions& options, const Watch& watch = {}) {
  const MeasureOptions& until = options.measure;
  if (watch && until.replicas > 1) throw InputError("replicas cannot be watched: expected one run");
  Progress progress("cycles", until.replicas * (until.cycles ? until.cycles : until.max_cycles), at.screen);
  const auto run = [&](u32 number, unsigned threads) {
    Situation own = at;
    own.seed += number;
    own.threads = at.exchange ? at.threads : threads;
    return measured_once(own, options, progress, watch);
  };
  return measure_replicas(until.replicas, at.exchange ? 1 : at.threads, run);
}

ReplicaAnswer replica_answer(const ReplicaEstimates& over) {
  const auto width = [](const std::optional<Interval>& of) {
    return of ? std::optional(of->half_width) : std::nullopt;
  };
  return {width(over.min_host_throughput),         width(over.max_host_throughput),
          over.network_latency.half_width,         over.packet_latency_p50.half_width,
          over.packet_latency_p99.half_width,      over.message_latency.half_width,
          over.message_latency_p50.half_width,     over.message_latency_p99.half_width,
          over.max_channel_utilisation.half_width, width(over.completion_cycles)};
}

SimulateAnswer answer_of(const Measurement& m, bool completes) {
  const Tally& counted = m.counted;
  SimulateAnswer out;
  if (completes) {
    out.completed = m.completion_cycles.has_value();
    out.completion = m.completion_cycles;
  } else {
    out.offered = m.offered;
    out.accepted = m.accepted;
    out.min_host_throughput = m.min_host_throughput;
    out.max_host_throughput = m.max_host_throughput;
    out.saturated = m.saturated;
    out.undecided = m.undecided;
    out.ends_in_warm_up = !m.is_warm;
  }
  if (counted.packets > 0) {
    out.packet_latency = m.packet_latency;
    out.network_latency = static_cast<double>(counted.network_cycles) / static_cast<double>(counted.packets);
  }
  out.packet_latency_p50 = counted.packet_latency.percentile(0.5);
  out.packet_latency_p99 = counted.packet_latency.percentile(0.99);
  if (counted.messages > 0) out.message_latency = counted.message_latency.mean();
  out.message_latency_p50 = counted.message_latency.percentile(0.5);
  out.message_latency_p99 = counted.message_latency.percentile(0.99);
  out.packets = counted.packets;
  out.messages = counted.messages;
  out.flits = counted.flits;
  out.flit_hops = counted.flit_hops;
  out.cycles = counted.cycles;
  out.warm_up_cycles = m.warm_up_cycles;
  out.max_channel_utilisation = m.max_channel_utilisation;
  out.deadlock = m.deadlock.has_value();
  out.waiting = m.deadlock;
  out.granularity = m.granularity;
  if (m.replicas) {
    out.replicas = m.replicas->runs;
    out.over_replicas = replica_answer(*m.replicas);
    out.network_latency = m.replicas->network_latency.mean;
    out.message_latency = m.replicas->message_latency.mean;
  }
  return out;
}

// How many of auto or auto:N; none: loads are listed.
std::optional<u32> adaptive_loads(std::string_view text) {
  constexpr u32 usual = 16, least = 5, greatest = 200;
  if (text == "auto") return usual;
  if (!text.starts_with("auto:")) return std::nullopt;
  const auto count = parse_unsigned(text.substr(5));
  if (!count || *count < least || *count > greatest)
    throw InputError(
        fmt::format("curve: expected auto:N with {} to {} loads, not '{}'", least, greatest, text));
  return static_cast<u32>(*count);
}

SimulateOptions at_load(SimulateOptions options, double load) {
  options.messages.load = load;
  return options;
}

}  // namespace

BatchAnswer batch_answer(const Batch& batch) {
  const Tally& counted = batch.counted;
  const u64 cycles = std::max<u64>(1, counted.cycles);
  BatchAnswer out{batch.now,
                  counted.cycles,
                  batch.offered,
                  batch.accepted,
                  counted.packets,
                  counted.packet_latency.mean(),
                  counted.packet_latency.percentile(0.99)};
  for (const u64 flits : counted.channel_flits)
    out.channel_per_mille.push_back(static_cast<u32>((1000 * flits + cycles / 2) / cycles));
  return out;
}

SimulatedWith simulated_with(const SimulateOptions& options) {
  SimulatedWith out{{options.messages}, {options.network}, {options.measure}};
  if (options.with_rails) out.rails = {options.rails};
  if (!options.trace.empty()) out.trace = options.trace.path;
  return out;
}

void check_load(double load) {
  const bool is_share = load > 0 && load <= 1;
  if (!is_share) throw InputError(fmt::format("load is {}; expected more than 0 and at most 1", load));
}

SimulateOptions resolved(const Topology& topology, const Routing& routing, SimulateOptions options) {
  if (options.network.lanes == 0) options.network.lanes = routing.lanes;
  if (options.complete && !options.trace.empty())
    throw InputError("a trace is sent once, at its times: it takes no complete");
  if (options.ends() && !options.messages.burst.empty())
    throw InputError("burst is for messages at a load: it takes no complete and no trace");
  options.with_rails |= topology.fabric.rails() > 1 || options.rails != RailOptions{};
  check_setup(setup_of(topology.fabric, routing, options));
  check_measure(options.measure);
  return options;
}

SimulateAnswer simulate(const Situation& at, const SimulateOptions& options, const Watch& watch) {
  return answer_of(measured(at, resolved(at.topology, *at.routing, options), watch), options.ends());
}

CurveAnswer curve(const Situation& at, const SimulateOptions& options, std::string_view loads) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  const auto measured_at = [&](double load) { return measured(at, at_load(decided, load)); };
  CurveAnswer out;
  if (const auto count = adaptive_loads(loads)) {
    for (const auto& [load, m] : adaptive_curve(measured_at, *count))
      out.points.push_back({load, answer_of(m, false)});
    return out;
  }
  const auto listed = parse_ratios(loads);
  if (!listed)
    throw InputError(
        fmt::format("curve: expected loads such as 0.1,0.2 or 10%:90%:10%, or auto, not '{}'", loads));
  for (const double load : *listed) out.points.push_back({load, answer_of(measured_at(load), false)});
  return out;
}

SaturationAnswer saturation(const Situation& at, const SimulateOptions& options) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  const Saturation found = find_saturation([&](double load) { return measured(at, at_load(decided, load)); });
  SaturationAnswer out{found.load, found.throughput, false, {}};
  for (const auto& [load, m] : found.points) {
    out.points.push_back({load, answer_of(m, false)});
    out.undecided |= m.undecided;
  }
  return out;
}

}  // namespace banyan::ask
