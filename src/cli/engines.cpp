// banyan engines: the routing engines there are.
#include "engines/engine.hpp"

#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/plugin_list.hpp"

namespace banyan::cli {
namespace {

class Engines {
 public:
  void declare(Arguments& arguments) {
    arguments.value("--for", fabric_.fabric, "FABRIC",
                    "say which of them apply to this fabric, and why others do not");
    arguments.values("--without", fabric_.without, "WHAT", "of that fabric, as every verb takes it");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    std::optional<Topology> topology;
    if (!fabric_.fabric.empty()) topology = load(fabric_).topology;
    as_json_ ? write(topology) : print(topology);
    return Exit::done;
  }

 private:
  static void write(const std::optional<Topology>& topology) {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", 0).key("engines").begin_array();
    for (const Engine& engine : engines::engines())
      write_plugin(json, engine, [&] {
        if (!topology) return;
        const auto refused = refusal(engine, *topology);
        json.field("applies", !refused).field("why", refused ? refused->why : "");
        json.field("deadlock_free", engine.promises.deadlock_free).field("minimal", engine.promises.minimal);
        json.field("any_graph", engine.promises.any_graph);
      });
    json.end_array().end_object();
  }

  static void print(const std::optional<Topology>& topology) {
    for (const Engine& engine : engines::engines()) {
      print_plugin(std::cout, engine, width);
      if (!topology) continue;
      const auto refused = refusal(engine, *topology);
      std::cout << fmt::format("{:<{}}  {}\n", "", width,
                               refused ? "does not apply: " + refused->why : "applies");
    }
    std::cout
        << "\nOptions are written behind the name: disjoint:paths=4, or disjoint:4 for the first one.\n";
  }

  static constexpr int width = 12;
  FabricArgument fabric_;
  bool as_json_ = false;
};

}  // namespace

Verb engines_verb() {
  return make_verb<Engines>("engines", "The routing engines, their papers and options", "banyan engines");
}

}  // namespace banyan::cli
