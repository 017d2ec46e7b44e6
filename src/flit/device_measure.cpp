#include "flit/device_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

#include "base/parallel.hpp"
#include "flit/device_model.hpp"
#include "flit/device_network.hpp"
#include "flit/device_replicas.hpp"
#include "gpu/port_data.hpp"

namespace banyan::flit {
namespace {

u64 max_cycles_of(const MeasureOptions& until) { return std::max(until.cycles, until.max_cycles); }
u64 max_cycles_of(const DeviceGroup& group) {
  u64 out = 0;
  for (const DeviceRun& run : group.runs) out = std::max(out, max_cycles_of(run.until));
  return out;
}

// --- one large network after the other, each on all of the device
Measurement measure_network(const gpu::Device& device, const SimulationSetup& setup,
                            const NetworkArrays& arrays, const DeviceRun& run, Progress* progress) {
  OpenMeasurement measurement(setup, run.workload, run.until, run.watch);
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

GroupMeasured measure_networks(const gpu::Device& device, const DeviceGroup& group, Progress* progress) {
  std::vector<Measurement> out;
  for (const DeviceRun& run : group.runs) {
    auto made = NetworkArrays::make(group.setup, run.workload, max_cycles_of(run.until));
    if (auto* reason = std::get_if<NotApplicable>(&made)) return std::move(*reason);
    out.push_back(measure_network(device, group.setup, std::get<NetworkArrays>(made), run, progress));
  }
  return out;
}

// Fewer simulations than this, of large fabrics, would leave most of a device idle as replicas.
constexpr u32 few_replicas = 32;

// Which reason counts where neither kind fits.
bool is_large(const Fabric& fabric) { return fabric.nics() > ReplicaArrays::max_hosts; }

// --- many small ones at once
using Arrays = std::variant<ReplicaArrays, ModelArrays>;
using MadeArrays = std::variant<ReplicaArrays, ModelArrays, NotApplicable>;

// Flits move only where a simulation fits into the memory of a multiprocessor.
bool fits_device(const gpu::Device& device, const ReplicaArrays& arrays) {
  return !arrays.fabric().moves_flits ||
         gpu::PortLayout(arrays.fabric(), 0).bytes <= device.facts().block_bytes;
}

// The fastest kind that simulates a group.
MadeArrays make_arrays(const gpu::Device& device, const DeviceGroup& group) {
  std::vector<const Workload*> of;
  std::vector<u64> seeds;
  for (const DeviceRun& run : group.runs) {
    of.push_back(&run.workload);
    seeds.push_back(run.seed);
  }
  const u64 max_cycles = max_cycles_of(group);
  if (!ReplicaArrays::refusal(group.setup, max_cycles))
    if (auto made = ReplicaArrays::make(group.setup, of, max_cycles);
        std::holds_alternative<ReplicaArrays>(made) && fits_device(device, std::get<ReplicaArrays>(made)))
      return std::get<ReplicaArrays>(std::move(made));
  auto made = ModelArrays::make(group.setup, of, seeds, max_cycles);
  if (auto* reason = std::get_if<NotApplicable>(&made)) return std::move(*reason);
  return std::get<ModelArrays>(std::move(made));
}

std::unique_ptr<DeviceRuns> begun(const gpu::Device& device, const SimulationSetup& setup,
                                  const ReplicaArrays& arrays, u32 first, u32 count) {
  return std::make_unique<DeviceReplicas>(device, setup, arrays, first, count);
}
std::unique_ptr<DeviceRuns> begun(const gpu::Device& device, const SimulationSetup& setup,
                                  const ModelArrays& arrays, u32 first, u32 count) {
  return std::make_unique<DeviceModel>(device, setup, arrays, first, count);
}

Granularity granularity_of(const ReplicaArrays& arrays) {
  return arrays.fabric().moves_flits ? Granularity::flits : Granularity::packets;
}
Granularity granularity_of(const ModelArrays& arrays) {
  return arrays.data().counts_packets ? Granularity::packets : Granularity::flits;
}

// Some runs of a group, in the device's memory.
class GroupShare {
 public:
  GroupShare(const gpu::Device& device, const DeviceGroup& group, std::shared_ptr<const Arrays> arrays,
             u32 first, u32 count, GroupMeasured& out)
      : runs_(std::span(group.runs).subspan(first, count)),
        arrays_(std::move(arrays)),
        steps_(count),
        out_(out) {
    for (const DeviceRun& run : runs_)
      measurements_.emplace_back(group.setup, run.workload, run.until, run.watch);
    on_device_ =
        std::visit([&](const auto& own) { return begun(device, group.setup, own, first, count); }, *arrays_);
  }

  // The next step of each run that is not over; whether there is one.
  bool begin_step() {
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i] = reason_ ? 0 : measurements_[i].next_step();
    is_over_ = std::ranges::all_of(steps_, [](u64 step) { return step == 0; });
    if (!is_over_) on_device_->begin(steps_);
    return !is_over_;
  }
  void finish_step() {
    if (!is_over_) on_device_->finish();
  }
  // Takes what was counted in the step; other shares may do so in other threads.
  void take_step() {
    if (is_over_ || (reason_ = on_device_->refusal())) return;
    for (u32 i = 0; i < steps_.size(); ++i) {
      if (steps_[i] == 0) continue;
      measurements_[i].take(on_device_->tally(i),
                            runs_[i].workload.in_flits(on_device_->created(i), on_device_->now(i)), false);
    }
  }
  u64 step_cycles() const { return std::accumulate(steps_.begin(), steps_.end(), u64{0}); }
  void conclude() {
    if (reason_) out_ = *reason_;
    auto* const found = std::get_if<std::vector<Measurement>>(&out_);
    for (u32 i = 0; found && i < steps_.size(); ++i) {
      found->push_back(measurements_[i].result([&](Nic nic) { return on_device_->waits_since(i, nic); }));
      found->back().granularity = std::visit([](const auto& own) { return granularity_of(own); }, *arrays_);
    }
  }

 private:
  std::span<const DeviceRun> runs_;
  std::shared_ptr<const Arrays> arrays_;
  std::vector<OpenMeasurement> measurements_;
  std::unique_ptr<DeviceRuns> on_device_;
  std::vector<u64> steps_;
  bool is_over_ = false;
  std::optional<NotApplicable> reason_;
  GroupMeasured& out_;
};

// GroupShares that the device's memory holds, until it is full: then they all run to their ends.
class GroupShares {
 public:
  GroupShares(const gpu::Device& device, Progress* progress, unsigned threads)
      : device_(device), progress_(progress), threads_(threads) {}

  void add(const DeviceGroup& group, Arrays made, GroupMeasured& out) {
    const auto arrays = std::make_shared<const Arrays>(std::move(made));
    const auto [of_fabric, of_replica, replicas] = std::visit(
        [](const auto& own) {
          return std::tuple(own.bytes_of_fabric(), own.bytes_of_replica(), own.replicas());
        },
        *arrays);
    for (u32 first = 0; first < replicas;) {
      u64 held = left_ > of_fabric ? (left_ - of_fabric) / of_replica : 0;
      if (held == 0 && !shares_.empty()) {
        run();
        continue;
      }
      held = std::clamp<u64>(held, 1, replicas - first);  // whether it is enough for one is seen there
      shares_.emplace_back(device_, group, arrays, first, static_cast<u32>(held), out);
      left_ -= std::min(left_, of_fabric + held * of_replica);
      first += static_cast<u32>(held);
    }
  }
  void run() {
    for (bool goes_on = !shares_.empty(); goes_on;) {
      if (interrupted()) throw Interrupted();
      goes_on = false;
      for (GroupShare& share : shares_) goes_on |= share.begin_step();
      for (GroupShare& share : shares_) share.finish_step();
      parallel_for(shares_.size(), threads_, [&](u64 i) { shares_[i].take_step(); });
      for (const GroupShare& share : shares_)
        if (progress_) progress_->advance(share.step_cycles());
    }
    for (GroupShare& share : shares_) share.conclude();
    shares_.clear();
    left_ = all();
  }

 private:
  u64 all() const { return device_.facts().free_bytes / 8 * 7; }

  const gpu::Device& device_;
  Progress* progress_;
  const unsigned threads_;
  std::vector<GroupShare> shares_;
  u64 left_ = all();
};

}  // namespace

std::optional<NotApplicable> device_refusal(const SimulationSetup& setup, u64 max_cycles) {
  const auto replicas = ModelArrays::refusal(setup, max_cycles);
  const auto network = NetworkArrays::refusal(setup, max_cycles);
  if (!replicas || (setup.fabric.hosts() >= large_network_hosts && !network)) return std::nullopt;
  return is_large(setup.fabric) ? network : replicas;
}

std::vector<GroupMeasured> measure_on_device(const gpu::Device& device, std::span<const DeviceGroup> groups,
                                             Progress* progress) {
  std::vector<GroupMeasured> out(groups.size());
  const unsigned threads = groups.empty() ? 1 : std::max(1u, groups.front().setup.threads);
  std::vector<std::size_t> small;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SimulationSetup& setup = groups[g].setup;
    const bool has_replicas = !ModelArrays::refusal(setup, max_cycles_of(groups[g]));
    if (setup.fabric.hosts() >= large_network_hosts &&
        (!has_replicas || groups[g].runs.size() < few_replicas)) {
      out[g] = measure_networks(device, groups[g], progress);
      if (!has_replicas || std::holds_alternative<std::vector<Measurement>>(out[g])) continue;
    }
    small.push_back(g);
  }
  GroupShares shares(device, progress, threads);
  for (std::size_t first = 0; first < small.size(); first += threads) {  // a few at a time: they may be large
    std::vector<std::optional<MadeArrays>> made(std::min<std::size_t>(threads, small.size() - first));
    parallel_for(made.size(), threads,
                 [&](u64 i) { made[i] = make_arrays(device, groups[small[first + i]]); });
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::size_t g = small[first + i];
      if (auto* reason = std::get_if<NotApplicable>(&*made[i])) {
        out[g] = std::move(*reason);
        continue;
      }
      out[g] = std::vector<Measurement>();
      if (auto* arrays = std::get_if<ReplicaArrays>(&*made[i]))
        shares.add(groups[g], std::move(*arrays), out[g]);
      else
        shares.add(groups[g], std::get<ModelArrays>(std::move(*made[i])), out[g]);
    }
  }
  shares.run();
  return out;
}

}  // namespace banyan::flit
