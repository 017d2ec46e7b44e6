// How many cycles a program takes, packet by packet.
#pragma once
#include "flit/simulation.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::flit {

struct ProgramCycles {
  u64 last_message = 0;  // the cycle in which the last message has arrived
  double end = 0;        // in which the last operation has ended
};

// `costs` in cycles. Throws InputError where packets wait for each other, or messages do not arrive in time.
ProgramCycles program_cycles(const SimulationSetup& setup, const Program& program, const Placement& placement,
                             const ProgramCosts& costs, double latency, u64 max_cycles);

}  // namespace banyan::flit
