// Loads a fabric for verbs and studies: reads it, removes the cables of --without, and looks for a shape if
// it has none.
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
  std::optional<Fabric> raw;  // as read, if it came without a shape
  std::optional<std::variant<Recognition, Unrecognised>> recognition;
  InfinibandIds ids = {};  // by the node numbers of the topology
  base::Speed unit{};      // as in FabricFile
  FileNotes notes{};       // as in FabricFile

  bool is_undecided(const std::string& host) const;  // recognition could not decide its place
};

Loaded load_fabric(const std::string& fabric, const std::vector<std::string>& without);

}  // namespace banyan::formats
