#include "flit/program_cycles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace banyan::flit {

ProgramCycles program_cycles(const SimulationSetup& setup, const Program& program, const Placement& placement,
                             const ProgramCosts& costs, double latency, u64 max_cycles) {
  require_end(program);
  Simulation simulation(setup, Workload::program(setup.fabric, program, placement, setup.messages, costs,
                                                 latency, setup.rails ? setup.rails->processes : 0));
  constexpr u64 max_batch = 65536;
  for (u64 batch = 1024; !simulation.is_done(); batch = std::min(2 * batch, max_batch)) {
    if (simulation.now() >= max_cycles)
      throw InputError(fmt::format(
          "not all messages arrived in {} cycles: expected fewer bytes, or level=fluid", max_cycles));
    simulation.advance(std::min(batch, max_cycles - simulation.now()));
    if (simulation.deadlock())
      throw InputError("the packets wait for each other in a circle: 'banyan check' shows why");
  }
  return {simulation.take_tally().last_message, simulation.program_end()};
}

}  // namespace banyan::flit
