// What the questions about time have in common: their options as the flow level has them.
#pragma once
#include <string>

#include "ask/time.hpp"
#include "flow/program_time.hpp"

namespace banyan::ask {

struct Timing {
  std::string policy;            // of several rails; empty: there is one
  flow::ProgramOptions program;  // in seconds and bytes

  // Throws InputError for options that cannot be, or not together.
  Timing(const Fabric& fabric, const TimingOptions& options, bool is_program);

  // The hosts of so many ranks, by the placement of `at`.
  Placement placed(const Situation& at, u32 ranks) const;
};

// As many ranks as were asked for; or else all hosts, times their accelerators. Throws InputError for too
// many.
u32 ranks_for(const Situation& at, u32 accelerators);

}  // namespace banyan::ask
