// Engine: a function from a topology and options to a routing, and a line in engines.def. Verbs and studies
// call route().
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// Properties that hold on every fabric that an engine routes; the property tests check them.
struct Promises {
  bool deadlock_free = true;  // with the lanes that the routing declares
  bool minimal = false;       // all paths are shortest
  bool any_graph = false;     // it routes whatever is cabled; only the lanes it may use can be too few
};

struct Engine {
  std::string_view name;
  std::string_view source;  // the paper
  std::string_view summary;
  std::vector<OptionInfo> options;
  RouteResult (*route)(const Topology&, const PluginText&);
  Promises promises = {};
  // Optional: gives the same result as route(after), from the tables before cables were removed or put back.
  RouteResult (*reroute)(Tables, const Topology& before, const Topology& after, const PluginText&) = nullptr;
};

const Registry<Engine>& engines();

// Why an engine does not apply to a fabric. It is tried, unless it takes any graph.
std::optional<NotApplicable> refusal(const Engine& engine, const Topology& topology);

// The engine that `auto` means: the first of dmodk, dmodc, dor, dfsssp and nue that routes the fabric; where
// planes have different shapes, that of each summand, as in "dor + dmodk". All of them are static and free of
// deadlocks; nue routes whatever is cabled.
std::string best_static(const Topology& topology);

// The user's text: an engine such as "disjoint:paths=4", or one for each summand of a fabric whose planes
// have different shapes, as in "dor + dmodk", which is the engine `planes`. Throws InputError.
PluginText bind_engine(std::string_view text);

// Routes with an engine such as "disjoint:paths=4". Where planes have different shapes, any engine but
// `planes` routes each of them by itself. Throws InputError for wrong options.
RouteResult route(const Topology& topology, const PluginText& engine);
RouteResult route(const Topology& topology, std::string_view engine);
// The same as route(after, engine); by less work where the engine can start from its tables before.
RouteResult reroute(const Routing& routing, const Topology& before, const Topology& after,
                    const PluginText& engine);

// Makes an engine from a function RouteResult(const Topology&, const Options&).
template <auto function, class Options>
Engine engine_of(RouteResult (*)(const Topology&, const Options&), std::string_view name,
                 std::string_view source, std::string_view summary, Promises promises) {
  return {name,
          source,
          summary,
          option_infos<Options>(),
          [](const Topology& topology, const PluginText& text) {
            return function(topology, read_options<Options>(text));
          },
          promises,
          nullptr};
}
template <auto function>
Engine make_engine(std::string_view name, std::string_view source, std::string_view summary,
                   Promises promises = {}) {
  return engine_of<function>(function, name, source, summary, promises);
}

}  // namespace banyan::engines
