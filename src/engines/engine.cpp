#include "engines/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "engines/planes.hpp"
#include "topology/plane_sum.hpp"

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
  const RouteResult result = route(topology, {std::string(engine.name), {}});
  const auto* refused = std::get_if<NotApplicable>(&result);
  return refused ? std::optional(*refused) : std::nullopt;
}

std::string best_static(const Topology& topology) {
  if (topology::is_plane_sum(topology)) return best_of_each_plane(topology);
  for (const std::string_view name : {"dmodk", "dmodc", "dor", "dfsssp"})
    if (std::holds_alternative<Routing>(route(topology, name))) return std::string(name);
  return "nue";
}

PluginText bind_engine(std::string_view text) {
  const auto each_plane = split_engines(text);
  if (const std::string_view bare = base::trim(text);
      bare.starts_with('+') || bare.ends_with('+') ||
      std::any_of(each_plane.begin(), each_plane.end(), [](std::string_view each) { return each.empty(); }))
    throw InputError(fmt::format(
        "--engine '{}': expected an engine before and behind every '+', as in 'dor + dmodk'", text));
  if (each_plane.size() == 1 || text.starts_with(planes_name)) return engines().bind(text);
  PluginText out = engines().bind(planes_name);
  out.set("engines", std::string(text));
  for (const std::string_view each : each_plane)
    if (each != "auto") engines().bind(each);
  return out;
}

RouteResult route(const Topology& topology, const PluginText& engine) {
  if (engine.name != planes_name && topology::is_plane_sum(topology))
    return route_each_plane(topology, [&](const Topology& plane) { return route(plane, engine); });
  assert_whole(topology);
  RouteResult out = engines().at(engine.name).route(topology, engine);
  if (const auto* routing = std::get_if<Routing>(&out)) assert_fits(*routing, topology.fabric);
  return out;
}

RouteResult route(const Topology& topology, std::string_view engine) {
  return route(topology, bind_engine(engine));
}

RouteResult reroute(const Routing& routing, const Topology& before, const Topology& after,
                    const PluginText& engine) {
  const auto function = engines().at(engine.name).reroute;
  const auto* tables = std::get_if<Tables>(&routing.forward);
  const bool is_one = !topology::is_plane_sum(after);
  return function && tables && is_one ? function(*tables, before, after, engine) : route(after, engine);
}

}  // namespace banyan::engines
