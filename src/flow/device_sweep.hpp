// Maximum loads of samples under tables that differ in a few entries from those of a routing, on a device,
// bit by bit those of LoadSampler: what every victim of `fail --sweep` costs.
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "gpu/device.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/placement.hpp"
#include "traffic/traffic.hpp"

namespace banyan::flow {

// The entries in which tables differ, as a device takes them.
struct SweepPatch {
  std::vector<gpu::SweepChange> changes{};
  std::vector<u32> entries{};
};

// What a device is given, and the memory it is in until it is copied.
class SweepArrays {
 public:
  // Samples 0 to samples - 1 on a fabric whose tables all victims start from. Not applicable, with the
  // reason: only processors do this. Topology and routing must outlive it.
  static std::variant<SweepArrays, NotApplicable> make(const Topology& topology, const Routing& routing,
                                                       const Traffic& traffic, const Placement& placement,
                                                       u64 seed, u64 samples);

  gpu::SweepData data() const;         // points into this object
  std::vector<u32> max_loads() const;  // by sample, before anything changes
  u32 samples() const { return data_.samples; }

  // Of the tables of a routing of the same fabric without some cables. None: processors must find its loads.
  std::optional<SweepPatch> patch(const Fabric& rest, const Routing& routing) const;

 private:
  SweepArrays(const Fabric& fabric, const Routing& routing, const Placement& placement, u32 samples);
  void draw(Traffic::Draw draw, u64 seed);
  bool count();  // false: a flow does not arrive, or a load is too large
  bool count(u32 sample);

  const Fabric* fabric_;
  const Tables* tables_;
  std::vector<Address> addresses_;  // by rank
  std::vector<u8> port_, load_;
  std::vector<u32> first_out_, next_, entry_, goal_, source_, with_load_;
  gpu::SweepData data_;
};

// Loads of many patches at once. One thread at a time may use it.
class DeviceSweep {
 public:
  DeviceSweep(const gpu::Device& device, const SweepArrays& arrays);  // throws gpu::DeviceFailure
  // By patch and sample; gpu::sweep_unknown: processors must find it. Threads put the patches together.
  // Throws gpu::DeviceFailure.
  std::vector<u32> max_loads(std::span<const SweepPatch* const> patches, unsigned threads = 1);

 private:
  u32 samples_;
  gpu::SweepLoads loads_;
  std::vector<u32> first_change_, first_entry_;  // by patch, and one more
  std::vector<u32> entries_;                     // memory that is kept, as is that of changes
  std::vector<gpu::SweepChange> changes_;
};

}  // namespace banyan::flow
