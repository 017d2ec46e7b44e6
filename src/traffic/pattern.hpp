// A pattern is a function from a number of ranks and options to traffic, and a line in patterns.def.
#pragma once
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "topology/topology.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

// What patterns may look at. Most need only the number of ranks; adversarial ones need the fabric.
struct PatternSetting {
  const Topology& topology;
  u32 ranks;
};

struct Pattern {
  std::string_view name;
  std::string_view source;  // the paper, if it has one
  std::string_view summary;
  std::vector<OptionInfo> options;
  Traffic (*make)(const PatternSetting&, const PluginText&);  // throws InputError where it does not fit
  bool is_collective = false;
};

const std::vector<Pattern>& patterns();
const Pattern& pattern_named(std::string_view name);  // throws InputError, naming the nearest one

// "shift:3". There is always a round, if only one in which nothing is sent.
Traffic make_traffic(const PatternSetting& setting, std::string_view pattern);

// The pattern made of a function Traffic(const PatternSetting&, const Options&).
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
