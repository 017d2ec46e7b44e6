// The FABRIC argument and --without, as every verb takes them.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/verb.hpp"
#include "formats/open.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan {

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
struct Loaded {
  Topology topology;
  std::optional<Fabric> raw;  // as found, when it came without a shape
  std::optional<std::variant<Recognition, Unrecognised>> recognition;
  InfinibandIds ids = {};  // in the numbers of the topology

  bool is_undecided(const std::string& host) const;  // recognition found no certain place for it
};
Loaded load(const FabricArgument& argument);

}  // namespace banyan
