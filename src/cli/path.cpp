// banyan path: the paths of one pair, hop by hop.
#include "ask/path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

class Path {
 public:
  using Answers = std::tuple<ask::PathAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.positional("SOURCE", options_.source, "the host that sends, by number or name");
    arguments.positional("DESTINATION", options_.destination, "the host that receives");
    engine_.declare(arguments);
    arguments.value("--bytes", bytes_, "N",
                    "how long the message is, for engines that look at it (default: long)");
    arguments.value("--rail", options_.rail, "R", "the rail (default 0)");
    arguments.flag("--why", options_.why, "say for each hop why it is taken");
    arguments.value("--all", options_.all, "N",
                    "also list every shortest path; of more than N, N spread evenly");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Topology topology = load(fabric_).topology;
    const RouteResult result = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const std::string name = engine_.text().name;
    ask::PathOptions options = options_;
    options.digits = name == "dmodk"   ? Digits::of_destination
                     : name == "smodk" ? Digits::of_source
                                       : Digits::unknown;
    if (!bytes_.empty()) read_option_value("--bytes", bytes_, options.bytes);
    const ask::PathAnswer answer = ask::path({topology, &std::get<Routing>(result)}, options);
    as_json_ ? write(answer) : print(answer, topology.fabric);
    return answer.all_arrive() ? Exit::done : Exit::verdict_no;
  }

 private:
  static void print(const ask::PathAnswer& answer, const Fabric& fabric) {
    for (const ask::PathAnswer::Path& path : answer.paths) {
      std::cout << fmt::format("path {}, {} channels, weight {:.4g}{}\n", path.index, path.channels.size(),
                               path.weight, path.arrives ? "" : ": DOES NOT ARRIVE");
      for (std::size_t i = 0; i < path.channels.size(); ++i)
        std::cout << fmt::format("  {:<18} -> {:<18} lane {}{}\n", port_name(fabric, path.channels[i]),
                                 port_name(fabric, fabric.reverse(path.channels[i])),
                                 fmt::join(path.lanes[i], ","),
                                 path.reasons ? "  " + (*path.reasons)[i] : "");
    }
    if (!answer.shortest) return;
    for (const auto& channels : *answer.shortest) {
      std::cout << "shortest ";
      for (const Channel c : channels) std::cout << ' ' << port_name(fabric, c);
      std::cout << '\n';
    }
  }

  void write(const ask::PathAnswer& answer) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.seed_used());
    json.field("engine", engine_.engine);
    ask::write_fields(json, answer);
    json.end_object();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  ask::PathOptions options_;
  std::string bytes_;
  bool as_json_ = false;
};

}  // namespace

Verb path_verb() {
  return make_verb<Path>("path", "The paths of one pair, hop by hop",
                         "banyan path 'XGFT(3; 4,4,4; 1,4,2)' 0 63 --engine disjoint --paths 4");
}

}  // namespace banyan::cli
