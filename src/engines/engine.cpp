#include "engines/engine.hpp"

namespace banyan::engines {

const Registry<Engine>& engines() {
  static const Registry<Engine> all{
      "engine",
#define ENGINE(name) BANYAN_PLUGIN(Engine, name##_engine),
#include "engines/engines.def"
#undef ENGINE
  };
  return all;
}

std::optional<NotApplicable> refusal(const Engine& engine, const Topology& topology) {
  if (engine.promises.any_graph) return std::nullopt;
  const RouteResult result = engine.route(topology, {std::string(engine.name), {}});
  const auto* refused = std::get_if<NotApplicable>(&result);
  return refused ? std::optional(*refused) : std::nullopt;
}

std::string_view best_static(const Topology& topology) {
  for (const std::string_view name : {"dmodk", "dmodc", "dor", "dfsssp"})
    if (std::holds_alternative<Routing>(route(topology, name))) return name;
  return "nue";
}

RouteResult route(const Topology& topology, const PluginText& engine) {
  return engines().at(engine.name).route(topology, engine);
}

RouteResult route(const Topology& topology, std::string_view engine) {
  return route(topology, engines().bind(engine));
}

RouteResult reroute(const Routing& routing, const Topology& before, const Topology& after,
                    const PluginText& engine) {
  const auto function = engines().at(engine.name).reroute;
  const auto* tables = std::get_if<Tables>(&routing.forward);
  return function && tables ? function(*tables, before, after, engine) : route(after, engine);
}

}  // namespace banyan::engines
