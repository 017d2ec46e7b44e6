#include "cli/fabric_argument.hpp"

#include <iostream>

#include "fabric/faults.hpp"

namespace banyan::cli {

void FabricArgument::declare(Arguments& arguments, const std::string& name, const std::string& meaning) {
  arguments.positional(name, fabric, meaning);
  arguments.values(
      "--without", without, "WHAT",
      "take cables away: links=N,seed=S or share=X,seed=S, drawn from those between switches, or "
      "with of=hosts from those of hosts, with of=all from all; link=NAME:PORT; switch=NAME; "
      "host=NAME; may be repeated");
}

FabricFile FabricArgument::open() const {
  FabricFile file = open_fabric(fabric);
  file.topology.fabric = fabric::without(file.topology.fabric, without);
  return file;
}

void tell_remark(const Topology& topology) {
  if (!topology.remark.empty()) std::cerr << "banyan: " << topology.remark << '\n';
}

}  // namespace banyan::cli
