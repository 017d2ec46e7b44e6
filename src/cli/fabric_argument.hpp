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
  std::string roles = {};  // a file; empty: none

  // The fabric with its roles, as open_fabric() takes it.
  std::string text() const { return roles.empty() ? fabric : fabric + "; roles=" + roles; }

  void declare(
      Arguments& arguments, const std::string& name = "FABRIC",
      const std::string& meaning = "a notation such as '4-ary 3-tree' (see 'banyan topologies'), or a file");

  // The fabric as written, cables of --without taken away; a raw one is left as it is.
  FabricFile open() const;
};

// A fabric whose shape, if it was not given, was looked for.
Loaded load(const FabricArgument& argument);
void tell_remark(const Topology& topology);  // on standard error, if it has one
// Says on standard error which host a number stands for, where the host's name ends with another number:
// hosts are counted as the shape places them, not by their names. `typed` has names, numbers and ranges N-M.
void tell_host_numbers(const Fabric& fabric, const std::vector<std::string>& typed);

}  // namespace banyan::cli
