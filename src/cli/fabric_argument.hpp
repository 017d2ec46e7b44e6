// The FABRIC argument and --without, as every verb takes them.
#pragma once
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "formats/load.hpp"

namespace banyan::cli {

struct FabricArgument {
  std::string fabric;
  std::vector<std::string> without;

  void declare(
      Arguments& arguments, const std::string& name = "FABRIC",
      const std::string& meaning = "a notation such as '4-ary 3-tree' (see 'banyan topologies'), or a file");

  // The fabric as written, cables of --without taken away; a raw one is left as it is.
  FabricFile open() const;
};

// A fabric whose shape, if it was not given, was looked for.
Loaded load(const FabricArgument& argument);
void tell_remark(const Topology& topology);  // on standard error, if it has one

}  // namespace banyan::cli
