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

// Messages for ever, and how long they are measured.
struct DeviceRun {
  Workload workload;
  MeasureOptions until;
};

// By run. Their messages are the setup's but for the load, and may differ in seeds and targets. Not
// applicable, with the reason: only processors simulate this. Throws InputError, gpu::DeviceFailure.
std::variant<std::vector<Measurement>, NotApplicable> measure_on_device(const gpu::Device& device,
                                                                        const SimulationSetup& setup,
                                                                        std::span<const DeviceRun> runs,
                                                                        Progress* progress = nullptr);

}  // namespace banyan::flit
