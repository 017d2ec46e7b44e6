#include "traffic/pattern.hpp"

#include "base/text.hpp"

namespace banyan::traffic {
namespace {

struct Alias {
  std::string_view alias, name;
};
constexpr Alias all_aliases[] = {
    // BookSim2
    {"randperm", "permutation"},
    {"bitrev", "bit-reverse"},
    {"bitcomp", "bit-complement"},
    {"bad_dragon", "bad-dragonfly"},
    // Garnet
    {"uniform_random", "uniform"},
    {"bit_reverse", "bit-reverse"},
    {"bit_complement", "bit-complement"},
};

Pattern with_aliases(Pattern pattern) {
  for (const auto& [alias, name] : all_aliases)
    if (name == pattern.name) pattern.aliases.push_back(alias);
  return pattern;
}

}  // namespace

const Registry<Pattern>& patterns() {
  static const Registry<Pattern> all{
      "pattern",
#define PATTERN(name) with_aliases(BANYAN_PLUGIN(Pattern, name##_pattern)),
#include "traffic/patterns.def"
#undef PATTERN
  };
  return all;
}

std::string with_own_name(std::string_view pattern) {
  const std::string_view name = trim(pattern.substr(0, pattern.find(':')));
  std::string out(pattern);
  if (const Pattern* found = patterns().find(name))
    out.replace(static_cast<std::size_t>(name.data() - pattern.data()), name.size(), found->name);
  return out;
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
