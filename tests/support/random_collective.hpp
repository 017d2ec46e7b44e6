// A random algorithm, size and root of a collective, for property tests. Call inside a property.
#pragma once
#include <string>

#include "support/collective_algorithms.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {

// Vectors divide evenly into the ranks, at up to so many bytes each.
inline PluginText some_algorithm(const Pattern& pattern, u32 ranks, u32 max_bytes = 500) {
  const auto& algorithms = collective_algorithms().at(pattern.name);
  PluginText out{std::string(pattern.name), {}};
  out.set("algorithm", std::string(algorithms[draw(0, static_cast<u32>(algorithms.size()) - 1)]));
  for (const OptionInfo& option : pattern.options) {
    if (option.key == "bytes") out.set("bytes", std::to_string(ranks * draw(1, max_bytes)));
    if (option.key == "segment") out.set("segment", std::to_string(draw(0, 3) * 100));
    if (option.key == "root") out.set("root", std::to_string(draw(0, ranks - 1)));
  }
  return out;
}

inline const Pattern& some_collective() {
  std::vector<const Pattern*> all;
  for (const Pattern& pattern : patterns())
    if (pattern.is_collective) all.push_back(&pattern);
  return *all[draw(0, static_cast<u32>(all.size()) - 1)];
}

}  // namespace banyan::tests
