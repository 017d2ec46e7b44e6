// Measurements of many simulations at once on a device, bit by bit those of measure().
#pragma once
#include "flit/device_replicas.hpp"
#include "flit/measure.hpp"

namespace banyan::flit {

// By workload. They are messages for ever, of the setup's messages but for the load, and may differ in seeds
// and targets. Not applicable, with the reason: only processors simulate this. Throws InputError,
// gpu::DeviceFailure.
std::variant<std::vector<Measurement>, NotApplicable> measure_on_device(
    const gpu::Device& device, const SimulationSetup& setup, const std::vector<Workload>& workloads,
    const MeasureOptions& options, Progress* progress = nullptr);

}  // namespace banyan::flit
