// A fabric as verbs and studies take it: read, cables taken away, and its shape looked for if it has none.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "formats/open.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::formats {

struct Loaded {
  Topology topology;
  std::optional<Fabric> raw;  // as found, when it came without a shape
  std::optional<std::variant<Recognition, Unrecognised>> recognition;
  InfinibandIds ids = {};  // in the numbers of the topology

  bool is_undecided(const std::string& host) const;  // recognition found no certain place for it
};

Loaded load_fabric(const std::string& fabric, const std::vector<std::string>& without);

}  // namespace banyan::formats
