// Pattern: a function from a number of ranks and options to Traffic, and a line in patterns.def. Verbs and
// studies call make_traffic.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "topology/topology.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

// The input of a pattern. Most patterns need only the number of ranks; adversarial ones need the fabric,
// collectives that know hosts how many ranks a host has.
struct PatternSetting {
  const Topology& topology;
  u32 ranks;
  u32 processes = 1;  // of a host
};

struct Pattern {
  std::string_view name;
  std::string_view source;  // the paper, if it has one
  std::string_view summary;
  std::vector<OptionInfo> options;
  Traffic (*make)(const PatternSetting&, const PluginText&);  // throws InputError if it does not apply
  bool is_collective = false;
  std::vector<std::string_view> aliases{};  // its names in other simulators, which are accepted too
};

const Registry<Pattern>& patterns();

// "bit-complement" for "bitcomp": the same text with the pattern's own name instead of an alias. An unknown
// name is left as it is.
std::string with_own_name(std::string_view pattern);

// The traffic of a pattern such as "shift:3". It has at least one round, which may be empty. Throws
// InputError.
Traffic make_traffic(const PatternSetting& setting, std::string_view pattern);

// Makes a pattern from a function Traffic(const PatternSetting&, const Options&).
template <auto function, class Options>
Pattern pattern_of(Traffic (*)(const PatternSetting&, const Options&), std::string_view name,
                   std::string_view source, std::string_view summary) {
  return {name, source, summary, option_infos<Options>(),
          [](const PatternSetting& setting, const PluginText& text) {
            return function(setting, read_options<Options>(text));
          }};
}
template <auto function>
Pattern make_pattern(std::string_view name, std::string_view source, std::string_view summary) {
  return pattern_of<function>(function, name, source, summary);
}

}  // namespace banyan::traffic
