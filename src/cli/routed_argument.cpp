#include "cli/routed_argument.hpp"

#include <iostream>

#include "traffic/programs/open.hpp"

namespace banyan::cli {

void RoutedArgument::declare(Arguments& arguments) {
  fabric.declare(arguments);
  routing.declare(arguments, true);
}

ask::RoutedFabric RoutedArgument::open(const ask::RoutingOptions& options) const {
  refuse_program(fabric.fabric);
  ask::RoutedFabric out = ask::open_routed(fabric.text(), fabric.without, options);
  tell_remark(out.loaded.topology);
  for (const std::string& remark : out.remarks) std::cerr << "banyan: " << remark << '\n';
  return out;
}

Exit refuse(const NotApplicable& reason) {
  std::cerr << "banyan: not applicable: " << reason.why << '\n';
  return Exit::not_applicable;
}

}  // namespace banyan::cli
