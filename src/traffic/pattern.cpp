#include "traffic/pattern.hpp"

namespace banyan::traffic {

#define PATTERN(name) Pattern name##_pattern();
#include "traffic/patterns.def"
#undef PATTERN

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = {
#define PATTERN(name) name##_pattern(),
#include "traffic/patterns.def"
#undef PATTERN
  };
  return all;
}

const Pattern& pattern_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Pattern& pattern : patterns()) {
    if (pattern.name == name) return pattern;
    known.push_back(pattern.name);
  }
  throw InputError(fmt::format("unknown pattern '{}': did you mean '{}'?", name, nearest(name, known)));
}

Traffic make_traffic(const PatternSetting& setting, std::string_view pattern) {
  if (setting.ranks == 0) throw InputError("a pattern needs at least one rank");
  const PluginText text = parse_plugin(pattern);
  Traffic out = pattern_named(text.name).make(setting, text);
  if (out.rounds == 0) {  // one rank alone, or no bytes
    out.rounds = 1;
    out.list = [](u64, u64, u64, std::vector<Demand>&) {};
  }
  return out;
}

}  // namespace banyan::traffic
