#include "flit/device_measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flit/device_network.hpp"
#include "flit/device_replicas.hpp"

namespace banyan::flit {
namespace {

// Replicas that a device's memory holds at once, at least one: whether it is enough for that is seen when it
// is asked.
u32 at_once(const gpu::Device& device, const ReplicaArrays& arrays) {
  const u64 free = device.facts().free_bytes / 8 * 7, fabric = arrays.bytes_of_fabric();
  const u64 held = free > fabric ? (free - fabric) / arrays.bytes_of_replica() : 0;
  return static_cast<u32>(std::clamp<u64>(held, 1, arrays.replicas()));
}

// All steps of some measurements. Those that are over rest while the others go on.
void run_steps(DeviceReplicas& replicas, std::span<OpenMeasurement> measurements,
               std::span<const DeviceRun> runs, Progress* progress) {
  std::vector<u64> steps(measurements.size());
  for (;;) {
    if (interrupted()) throw Interrupted();
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = measurements[i].next_step();
    if (std::ranges::all_of(steps, [](u64 step) { return step == 0; })) return;
    replicas.advance(steps);
    for (u32 i = 0; i < steps.size(); ++i) {
      if (steps[i] == 0) continue;
      measurements[i].take(replicas.tally(i), runs[i].workload.in_flits(replicas.created(i), replicas.now(i)),
                           false);
      if (progress) progress->advance(steps[i]);
    }
  }
}

using Measurements = std::variant<std::vector<Measurement>, NotApplicable>;

Measurement measure_network(const gpu::Device& device, const SimulationSetup& setup,
                            const NetworkArrays& arrays, const DeviceRun& run, Progress* progress) {
  OpenMeasurement measurement(setup, run.workload, run.until);
  DeviceNetwork network(device, setup, arrays);
  while (const u64 step = measurement.next_step()) {
    if (interrupted()) throw Interrupted();
    network.advance(step);
    measurement.take(network.tally(), run.workload.in_flits(network.created(), network.now()), false);
    if (progress) progress->advance(step);
  }
  Measurement out = measurement.result([&](Nic nic) { return network.waits_since(nic); });
  out.granularity = Granularity::packets;
  return out;
}

u64 max_cycles_of(const MeasureOptions& until) { return std::max(until.cycles, until.max_cycles); }

// One after the other, each on all of the device.
Measurements measure_networks(const gpu::Device& device, const SimulationSetup& setup,
                              std::span<const DeviceRun> runs, Progress* progress) {
  std::vector<Measurement> out;
  for (const DeviceRun& run : runs) {
    auto made = NetworkArrays::make(setup, run.workload, max_cycles_of(run.until));
    if (auto* reason = std::get_if<NotApplicable>(&made)) return std::move(*reason);
    out.push_back(measure_network(device, setup, std::get<NetworkArrays>(made), run, progress));
  }
  return out;
}

// Fewer simulations than this, of large fabrics, would leave most of a device idle as replicas.
constexpr u32 few_replicas = 32;

// Which reason counts where neither kind fits.
bool is_large(const Fabric& fabric) { return fabric.nics() > ReplicaArrays::max_hosts; }

}  // namespace

std::optional<NotApplicable> device_refusal(const SimulationSetup& setup, u64 max_cycles) {
  const auto replicas = ReplicaArrays::refusal(setup, max_cycles);
  const auto network = NetworkArrays::refusal(setup, max_cycles);
  if (!replicas || (setup.fabric.hosts() >= large_network_hosts && !network)) return std::nullopt;
  return is_large(setup.fabric) ? network : replicas;
}

Measurements measure_on_device(const gpu::Device& device, const SimulationSetup& setup,
                               std::span<const DeviceRun> runs, Progress* progress) {
  u64 max_cycles = 0;
  std::vector<const Workload*> of;
  for (const DeviceRun& run : runs) {
    max_cycles = std::max(max_cycles, max_cycles_of(run.until));
    of.push_back(&run.workload);
  }
  const bool has_replicas = !ReplicaArrays::refusal(setup, max_cycles);
  if (setup.fabric.hosts() >= large_network_hosts && (!has_replicas || runs.size() < few_replicas)) {
    auto found = measure_networks(device, setup, runs, progress);
    if (!has_replicas || std::holds_alternative<std::vector<Measurement>>(found)) return found;
  }
  auto made = ReplicaArrays::make(setup, of, max_cycles);
  if (auto* reason = std::get_if<NotApplicable>(&made)) return std::move(*reason);
  const ReplicaArrays& arrays = std::get<ReplicaArrays>(made);
  std::vector<Measurement> out;
  const u32 most = at_once(device, arrays);
  for (u32 first = 0; first < runs.size(); first += most) {
    const u32 count = std::min(most, arrays.replicas() - first);
    std::vector<OpenMeasurement> measurements;
    for (const DeviceRun& run : runs.subspan(first, count))
      measurements.emplace_back(setup, run.workload, run.until);
    DeviceReplicas replicas(device, setup, arrays, first, count);
    run_steps(replicas, measurements, runs.subspan(first, count), progress);
    for (u32 i = 0; i < count; ++i) {
      out.push_back(measurements[i].result([&](Nic nic) { return replicas.waits_since(i, nic); }));
      out.back().granularity =
          setup.network.flow_control == FlowControl::wormhole ? Granularity::flits : Granularity::packets;
    }
  }
  return out;
}

}  // namespace banyan::flit
