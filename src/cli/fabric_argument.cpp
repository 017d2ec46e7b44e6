#include "cli/fabric_argument.hpp"

#include <iostream>

#include "fabric/faults.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::cli {

void FabricArgument::declare(Arguments& arguments, const std::string& name, const std::string& meaning) {
  arguments.positional(name, fabric, meaning);
  arguments.values("--without", without, "WHAT",
                   "take cables away: links=N,seed=S; share=X,seed=S; link=NAME:PORT; switch=NAME; "
                   "host=NAME; may be repeated");
}

FabricFile FabricArgument::open() const {
  refuse_program(fabric);
  FabricFile file = open_fabric(fabric);
  file.topology.fabric = fabric::without(file.topology.fabric, without);
  return file;
}

Loaded load(const FabricArgument& argument) {
  refuse_program(argument.fabric);
  return load_fabric(argument.fabric, argument.without);
}

void tell_remark(const Topology& topology) {
  if (!topology.remark.empty()) std::cerr << "banyan: " << topology.remark << '\n';
}

}  // namespace banyan::cli
