// --engine, --paths and --seed, as every verb takes them.
#pragma once
#include <string>

#include "cli/verb.hpp"
#include "engines/engine.hpp"

namespace banyan::cli {

struct EngineArgument {
  std::string engine;       // NAME, NAME:VALUE or NAME:key=value,...
  u32 paths = 0, seed = 0;  // 0: not given
  void declare(Arguments& arguments);

  // With --paths and --seed put into the options where the engine has them: one with a single path takes
  // any number of paths.
  PluginText text() const;
  u64 seed_used() const;                                    // 0 for an engine that draws nothing
  u64 drawing_seed() const { return seed > 0 ? seed : 1; }  // of traffic, placement and simulation
  RouteResult route(const Topology& topology) const { return engines::route(topology, text()); }
};

// Says why on standard error.
Exit refuse(const NotApplicable& reason);

}  // namespace banyan::cli
