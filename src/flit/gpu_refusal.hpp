// How all that runs on a device says what it does not do.
#pragma once
#include <optional>
#include <string>

#include "flit/simulation.hpp"

namespace banyan::flit {

// A reason to leave a simulation to processors: what a GPU simulates instead.
inline NotApplicable gpu_simulates(const std::string& what) { return {"a GPU simulates " + what}; }

// What no kernel takes: hosts with rails, and several processes.
std::optional<NotApplicable> process_refusal(const SimulationSetup& setup);
// Nor NICs that remember paths.
std::optional<NotApplicable> path_memory_refusal(const NetworkOptions& network);
// What a kernel does not take that has these bounds: too many hosts, NICs of several ports, switches of too
// many.
std::optional<NotApplicable> hosts_refusal(const SimulationSetup& setup, u32 max_hosts, u32 max_ports);

}  // namespace banyan::flit
