// banyan engines: the routing engines there are.
#include "engines/engine.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <iostream>
#include <optional>

#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/plugin_list.hpp"
#include "topology/family.hpp"

namespace banyan::cli {
namespace {

class Engines {
 public:
  void declare(Arguments& arguments) {
    arguments.optional("ENGINE", name_, "explain this engine only");
    arguments.value("--for", fabric_.fabric, "FABRIC",
                    "say which engines apply to this fabric, and why the others do not");
    arguments.values("--without", fabric_.without, "WHAT", "take cables away from that fabric");
    arguments.json(as_json_);
  }

  Exit run() const {
    if (!name_.empty()) engines::engines().at(name_);  // refuses an unknown one
    if (!name_.empty() && !as_json_ && fabric_.fabric.empty()) return explain(engines::engines().at(name_));
    std::optional<Topology> topology;
    if (!fabric_.fabric.empty()) topology = load(fabric_).topology;
    as_json_ ? write(topology) : print(topology);
    return Exit::done;
  }

 private:
  bool is_listed(const Engine& engine) const { return name_.empty() || engine.name == name_; }

  // What it promises, and which of the small examples of all families it routes.
  static Exit explain(const Engine& engine) {
    std::cout << fmt::format("{}: {}\n", engine.name, engine.summary);
    const auto line = [](std::string_view key, const std::string& value) {
      if (!value.empty()) std::cout << fmt::format("  {:<10}{}\n", key, value);
    };
    line("source", std::string(engine.source));
    line("promises",
         fmt::format("{}; {}", engine.promises.deadlock_free ? "free of deadlocks" : "may deadlock",
                     engine.promises.minimal ? "every path is a shortest one"
                                             : "paths may be longer than the shortest"));
    std::vector<std::string_view> routed;
    for (const Family& family : families())
      if (!refusal(engine, make_topology(family.example)))
        routed.push_back(family.notation.substr(0, family.notation.find('(')));
    line("routes", engine.promises.any_graph ? "any fabric"
                   : routed.empty()
                       ? "no family alone; for example 'HyperX(4x4; hosts=1) + RLFT(8 ports, 16 hosts)'"
                       : fmt::format("for example {}", fmt::join(routed, ", ")));
    for (const OptionInfo& option : engine.options)
      line("option", fmt::format("{}={}  {}", option.key, option.default_value, option.meaning));
    std::cout << fmt::format("docs/engines.md describes it; --engine {} takes it.\n", engine.name);
    return Exit::done;
  }

  void write(const std::optional<Topology>& topology) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", 0).key("engines").begin_array();
    for (const Engine& engine : engines::engines()) {
      if (!is_listed(engine)) continue;
      write_plugin(json, engine, [&] {
        if (!topology) return;
        const auto refused = refusal(engine, *topology);
        json.field("applies", !refused).field("why", refused ? refused->why : "");
        json.field("deadlock_free", engine.promises.deadlock_free).field("minimal", engine.promises.minimal);
        json.field("any_graph", engine.promises.any_graph);
      });
    }
    json.end_array().end_object();
  }

  void print(const std::optional<Topology>& topology) const {
    for (const Engine& engine : engines::engines()) {
      if (!is_listed(engine)) continue;
      print_plugin(std::cout, engine, width);
      if (!topology) continue;
      const auto refused = refusal(engine, *topology);
      std::cout << fmt::format("{:<{}}  {}\n", "", width,
                               refused ? "does not apply: " + refused->why : "applies");
    }
    std::cout << "\nauto, the default, takes the first of dmodk, dmodc, dor, dfsssp and nue that routes the "
                 "fabric.\n"
                 "'banyan engines ENGINE' explains one. Options are written behind the name: "
                 "disjoint:paths=4, or disjoint:4 for the first one.\n";
  }

  static constexpr int width = 12;
  std::string name_;
  FabricArgument fabric_;
  bool as_json_ = false;
};

}  // namespace

Verb engines_verb() {
  return make_verb<Engines>("engines", "The routing engines, their papers and options", "banyan engines");
}

}  // namespace banyan::cli
