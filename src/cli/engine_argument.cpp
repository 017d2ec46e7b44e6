#include "cli/engine_argument.hpp"

#include <algorithm>
#include <iostream>

#include "base/text.hpp"

namespace banyan::cli {
namespace {

void set_if_known(PluginText& text, const Engine& engine, const std::string& key, u32 value) {
  const auto has_key = [&](const OptionInfo& option) { return option.key == key; };
  const bool is_known = std::any_of(engine.options.begin(), engine.options.end(), has_key);
  if (value > 0 && is_known) text.set(key, std::to_string(value));
}

}  // namespace

void EngineArgument::declare(Arguments& arguments) {
  arguments.value("--engine", engine, "E",
                  "how to route, such as dmodk or disjoint:paths=4; 'banyan engines' lists them");
  arguments.value("--paths", paths, "K", "the engine's option 'paths': how many for each pair");
  arguments.value("--seed", seed, "S",
                  "of all that is drawn: the engine's paths, traffic, placement (default 1)");
}

PluginText EngineArgument::text() const {
  if (engine.empty()) throw InputError("--engine is missing; 'banyan engines' lists what there is");
  PluginText out = engines::engines().bind(engine);
  const Engine& found = engines::engines().at(out.name);
  set_if_known(out, found, "paths", paths);
  set_if_known(out, found, "seed", seed);
  return out;
}

u64 EngineArgument::seed_used() const {
  const PluginText given = text();
  for (const auto& [key, value] : given.options)
    if (key == "seed") return parse_unsigned(value).value_or(0);
  for (const OptionInfo& option : engines::engines().at(given.name).options)
    if (option.key == "seed") return parse_unsigned(option.default_value).value_or(0);
  return 0;
}

Exit refuse(const NotApplicable& reason) {
  std::cerr << "banyan: not applicable: " << reason.why << '\n';
  return Exit::not_applicable;
}

}  // namespace banyan::cli
