// simulate --nic elan3 --traffic bench:NAME: QsNET's benchmarks on any fabric.
#pragma once
#include "cli/engine_argument.hpp"

namespace banyan::cli {

struct NicRun {
  const std::string& fabric;
  EngineArgument engine;  // none: adaptive
  const std::string& nic;
  std::string traffic;
  bool as_json;
};

Exit simulate_nic(const Topology& topology, NicRun run);

}  // namespace banyan::cli
