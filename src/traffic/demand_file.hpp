// Reads demands from a file: a list or a matrix as CSV, Matrix Market, the profile of domke19 (a matrix of
// integers from 0 to 255), lines of hosts as `banyan demands` writes them, or what Open MPI's component
// `monitoring` recorded. docs/patterns.md describes the formats.
#pragma once
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "traffic/traffic.hpp"

namespace banyan::traffic {

struct DemandFile {
  u32 ranks = 0;  // the number of ranks in the file
  bool in_bytes = false;
  std::vector<Demand> demands;  // round after round; zeros of a matrix are left out
  std::vector<std::size_t>
      round_end;  // round r ends before this index and begins where the previous one ends

  bool operator==(const DemandFile&) const = default;
};

// The rank that a name in a list stands for; none: there is no such name.
using RankNames = std::function<std::optional<u32>(const std::string& name)>;

// Recognises the format by the content. Throws InputError with file and line.
DemandFile read_demands(std::istream& in, const std::string& file, const RankNames& names = {});

}  // namespace banyan::traffic
