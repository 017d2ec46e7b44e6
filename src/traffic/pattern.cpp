#include "traffic/pattern.hpp"

namespace banyan::traffic {

const Registry<Pattern>& patterns() {
  static const Registry<Pattern> all{
      "pattern",
#define PATTERN(name) BANYAN_PLUGIN(Pattern, name##_pattern),
#include "traffic/patterns.def"
#undef PATTERN
  };
  return all;
}

Traffic make_traffic(const PatternSetting& setting, std::string_view pattern) {
  if (setting.ranks == 0) throw InputError("a pattern needs at least one rank");
  const PluginText text = patterns().bind(pattern);
  Traffic out = patterns().at(text.name).make(setting, text);
  if (out.rounds == 0) {  // one rank alone, or no bytes
    out.rounds = 1;
    out.list = [](u64, u64, u64, std::vector<Demand>&) {};
  }
  return out;
}

}  // namespace banyan::traffic
