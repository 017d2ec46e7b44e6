// banyan path: the paths of one pair, hop by hop.
#include "ask/path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

class Path {
 public:
  static std::vector<AnswerInfo> answers() { return {answer<ask::PathAnswer>()}; }

  void declare(Arguments& arguments) {
    routed_.fabric.declare(arguments);
    arguments.positional("SOURCE", source_, "the host that sends, by number or name");
    arguments.positional("DESTINATION", destination_, "the host that receives, by number or name");
    routed_.routing.declare(arguments, true);
    options_.declare(arguments);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    ask::PathOptions options = options_.read();
    options.source = source_;
    options.destination = destination_;
    options.digits = made.router.digits();
    const Topology& topology = made.loaded.topology;
    tell_host_numbers(topology.fabric, {source_, destination_});
    const ask::PathAnswer answer = ask::path({topology, &std::get<Routing>(made.result)}, options);
    as_json_ ? print_json(made.router.head(), answer) : print(made.router, answer, topology.fabric);
    return answer.all_arrive() ? Exit::done : Exit::verdict_no;
  }

 private:
  static void print(const ask::FabricRouter& router, const ask::PathAnswer& answer, const Fabric& fabric) {
    if (router.is_chosen) std::cout << fmt::format("engine {}\n", router.name);
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

  RoutedArgument routed_;
  OptionsArgument<ask::PathOptions> options_;
  std::string source_, destination_;
  bool as_json_ = false;
};

}  // namespace

Verb path_verb() {
  return make_verb<Path>("path", "The paths of one pair, hop by hop",
                         "banyan path 'XGFT(3; 4,4,4; 1,4,2)' 0 63 --engine disjoint --paths 4");
}

}  // namespace banyan::cli
