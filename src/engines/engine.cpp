#include "engines/engine.hpp"

namespace banyan::engines {

#define ENGINE(name) Engine name##_engine();
#include "engines/engines.def"
#undef ENGINE

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = {
#define ENGINE(name) name##_engine(),
#include "engines/engines.def"
#undef ENGINE
  };
  return all;
}

const Engine& engine_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Engine& engine : engines()) {
    if (engine.name == name) return engine;
    known.push_back(engine.name);
  }
  throw InputError(fmt::format("unknown engine '{}': did you mean '{}'?", name, nearest(name, known)));
}

RouteResult route(const Topology& topology, const PluginText& engine) {
  return engine_named(engine.name).route(topology, engine);
}

RouteResult route(const Topology& topology, std::string_view engine) {
  return route(topology, parse_plugin(engine));
}

}  // namespace banyan::engines
