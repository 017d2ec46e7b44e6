// Measurements of many simulations at once on a device, bit by bit those of measure().
#pragma once
#include <span>

#include "flit/measure.hpp"
#include "gpu/device.hpp"

namespace banyan::flit {

// Why only processors simulate this, if so, as far as options say it. It needs no device.
std::optional<NotApplicable> device_refusal(const SimulationSetup& setup, u64 max_cycles);

// From so many hosts on, a few simulations run one after the other, each on all of the device.
constexpr u32 large_network_hosts = 1024;

// Messages for ever, how long they are measured, the seed of what packets choose, and who is told of every
// batch.
struct DeviceRun {
  Workload workload;
  MeasureOptions until;
  u64 seed = 1;
  Watch watch{};
};

// Runs of one setup, of which the first one's threads prepare and count. Their messages are the setup's but
// for the load, and may differ in seeds and targets.
struct DeviceGroup {
  SimulationSetup setup;
  std::vector<DeviceRun> runs;
};

// The measurements of a group, by run; or, with the reason: only processors simulate this.
using GroupMeasured = std::variant<std::vector<Measurement>, NotApplicable>;

// By group. As many groups as the device's memory holds are simulated at the same time. Throws InputError,
// gpu::DeviceFailure.
std::vector<GroupMeasured> measure_on_device(const gpu::Device& device, std::span<const DeviceGroup> groups,
                                             Progress* progress = nullptr);

}  // namespace banyan::flit
