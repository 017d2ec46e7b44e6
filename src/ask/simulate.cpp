#include "ask/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ask/cycles.hpp"

namespace banyan::ask {
namespace {

SimulationSetup setup_of(const Fabric& fabric, const Routing& routing, const SimulateOptions& options) {
  SimulationSetup out{fabric, routing, options.network, options.messages};
  out.granularity = options.granularity;
  if (options.with_rails) out.rails = options.rails;
  return out;
}

Measurement measured_as_it_is(const Situation& at, const SimulateOptions& options, const Watch& watch) {
  const Fabric& fabric = at.topology.fabric;
  if (!options.complete) check_load(options.messages.load);
  const bool has_rails = options.with_rails;
  if (at.exchange && has_rails) throw InputError("under mpirun: several NICs a host are for one process");
  const auto [traffic, placement] = at.job(options.complete ? ShorterJobs::end : ShorterJobs::repeat,
                                           has_rails ? options.rails.processes : 1);
  SimulationSetup setup = setup_of(fabric, *at.routing, options);
  setup.seed = at.seed;
  setup.threads = at.threads;
  setup.exchange = at.exchange;
  const MeasureOptions& until = options.measure;
  Progress progress("cycles", until.cycles ? until.cycles : until.max_cycles, at.screen);
  if (options.complete) return measure_rounds(setup, traffic, placement, until, &progress, watch);
  Workload workload = Workload::open(fabric, traffic, placement, options.messages, at.seed,
                                     has_rails ? options.rails.processes : 0, own_nics(setup));
  return measure(setup, std::move(workload), until, &progress, watch);
}

Measurement measured(const Situation& at, const SimulateOptions& options, const Watch& watch = {}) {
  if (!(options.wire.cable.value > 0)) return measured_as_it_is(at, options, watch);
  const double cycle = *cycle_of(at.topology.fabric, options);
  const Topology longer = with_cables(at.topology, options.wire.cable, cycle);
  return measured_as_it_is(at.on(longer), options, watch);
}

LatencySeconds in_seconds(const SimulateAnswer& m, double cycle) {
  const auto of = [&](auto cycles) { return cycle * static_cast<double>(cycles); };
  LatencySeconds out{.cycle_seconds = cycle,
                     .packet_latency = {of(m.packet_latency.mean), of(m.packet_latency.half_width)},
                     .network_latency = of(m.network_latency),
                     .packet_latency_p50 = of(m.packet_latency_p50),
                     .packet_latency_p99 = of(m.packet_latency_p99),
                     .message_latency = of(m.message_latency),
                     .message_latency_p50 = of(m.message_latency_p50),
                     .message_latency_p99 = of(m.message_latency_p99)};
  if (m.completion) out.completion = of(*m.completion);
  return out;
}

SimulateAnswer answer_of(const Measurement& m, bool completes, const std::optional<double>& cycle) {
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
  }
  if (counted.packets > 0) {
    out.packet_latency = {counted.packet_latency.mean(), m.packet_latency.half_width};
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
  if (cycle) out.seconds = in_seconds(out, *cycle);
  return out;
}

// What cables and switches take, in cycles.
void check_wire(const SimulateOptions& options) {
  const auto& [link, cable, switch_delay] = options.wire;
  if (link.value == 0 && (cable.value > 0 || switch_delay.value > 0))
    throw InputError("cable and switch-delay are in seconds: expected link too, the speed of a link");
  if (options.messages.flit_bytes == 0) throw InputError("flit-bytes is 0; expected at least 1");
}

SimulateOptions at_load(SimulateOptions options, double load) {
  options.messages.load = load;
  return options;
}

}  // namespace

std::optional<double> cycle_of(const Fabric& fabric, const SimulateOptions& options) {
  if (!(options.wire.link.value > 0)) return std::nullopt;
  return cycle_seconds(fabric, options.wire.link, options.messages.flit_bytes);
}

BatchAnswer batch_answer(const Batch& batch, const std::optional<double>& cycle_seconds) {
  const Tally& counted = batch.counted;
  const u64 cycles = std::max<u64>(1, counted.cycles);
  BatchAnswer out{batch.now,
                  counted.cycles,
                  batch.offered,
                  batch.accepted,
                  counted.packets,
                  counted.packet_latency.mean(),
                  counted.packet_latency.percentile(0.99)};
  if (cycle_seconds) out.packet_latency_seconds = *cycle_seconds * out.packet_latency;
  for (const u64 flits : counted.channel_flits)
    out.channel_per_mille.push_back(static_cast<u32>((1000 * flits + cycles / 2) / cycles));
  return out;
}

SimulatedWith simulated_with(const SimulateOptions& options) {
  SimulatedWith out{{options.messages}, {options.network}, {options.measure}};
  if (options.with_rails) out.rails = {options.rails};
  if (options.wire.link.value > 0)
    out.wire = {options.wire.link.value, options.wire.cable.value, options.wire.switch_delay.value};
  return out;
}

void check_load(double load) {
  const bool is_share = load > 0 && load <= 1;
  if (!is_share) throw InputError(fmt::format("load is {}; expected more than 0 and at most 1", load));
}

SimulateOptions resolved(const Topology& topology, const Routing& routing, SimulateOptions options) {
  if (options.network.lanes == 0) options.network.lanes = routing.lanes;
  check_wire(options);
  if (options.wire.switch_delay.value > 0)
    options.network.switch_cycles =
        whole_cycles(options.wire.switch_delay, *cycle_of(topology.fabric, options));
  options.with_rails |= topology.fabric.rails() > 1 || options.rails != RailOptions{};
  check_setup(setup_of(topology.fabric, routing, options));
  check_measure(options.measure);
  return options;
}

SimulateAnswer simulate(const Situation& at, const SimulateOptions& options, const Watch& watch) {
  return answer_of(measured(at, resolved(at.topology, *at.routing, options), watch), options.complete,
                   cycle_of(at.topology.fabric, options));
}

CurveAnswer curve(const Situation& at, const SimulateOptions& options, std::span<const double> loads) {
  CurveAnswer out;
  for (const double load : loads) out.points.push_back({load, simulate(at, at_load(options, load))});
  return out;
}

SaturationAnswer saturation(const Situation& at, const SimulateOptions& options) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  const Saturation found = find_saturation([&](double load) { return measured(at, at_load(decided, load)); });
  SaturationAnswer out{found.load, found.throughput, {}};
  for (const auto& [load, m] : found.points)
    out.points.push_back({load, answer_of(m, false, cycle_of(at.topology.fabric, options))});
  return out;
}

}  // namespace banyan::ask
