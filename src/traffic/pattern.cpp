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

namespace {

// A value that cannot be read is shown with its key, which need not have been written: shift:-1 is by=-1.
Traffic made(const PatternSetting& setting, const PluginText& text) {
  try {
    return patterns().at(text.name).make(setting, text);
  } catch (const InputError& error) {
    for (const auto& [key, value] : text.options)
      if (std::string_view(error.what()).starts_with(key + " must be "))
        throw InputError(fmt::format("{}: {}", plugin_text({text.name, {{key, value}}}), error.what()));
    throw;
  }
}

}  // namespace

Traffic make_traffic(const PatternSetting& setting, std::string_view pattern) {
  if (setting.ranks == 0) throw InputError("a pattern needs at least one rank");
  const PluginText text = patterns().bind(pattern);
  Traffic out = made(setting, text);
  if (out.rounds == 0) {  // one rank alone, or no bytes
    out.rounds = 1;
    out.list = [](u64, u64, u64, std::vector<Demand>&) {};
  }
  return out;
}

}  // namespace banyan::traffic
