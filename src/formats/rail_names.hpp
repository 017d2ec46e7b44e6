// Finds the rails of a fabric from the names of adapters and the leaf switches they are cabled to.
//
// A rail is what adapters at the same place of their hosts share: in a rail-optimised tree the adapters of a
// leaf all have the same place. Names give the place: HCA-1, 2, 5 and 6 are four rails, mlx5_0, 1, 4 and 5
// the same four on hosts that count otherwise. Leaves prove it: where leaves hold adapters of several places,
// as where all adapters of a host are on one leaf, there are no rails. Adapters whose names do not tell have
// the rail of their leaf.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::formats {

struct AdapterSeen {
  std::string_view name = {};              // such as HCA-1, mlx5_0, hfi1_0 or ibp24s0; may be empty
  std::optional<u32> rail = std::nullopt;  // that the file says
  std::optional<u32> leaf = std::nullopt;  // any number that stands for the switch it is cabled to
};

struct RailPlace {
  u32 slot = 0;                            // which of its host's adapters it is, from 0
  std::optional<u32> rail = std::nullopt;  // no two adapters of a host have the same, unless the file says so
  bool guessed = false;                    // neither file nor name say this rail: its leaf does
  bool operator==(const RailPlace&) const = default;
};

struct FoundRails {
  std::vector<std::vector<RailPlace>> hosts;  // as they were given
  u32 rails = 0;                              // 0: no adapter has one; otherwise the largest, plus one
  u32 guessed = 0;                            // adapters
  u32 elsewhere = 0;  // adapters on a leaf of another rail than their own: wrong cables, or wrong names
  std::string how;    // a sentence: what was found, and by what
};

// A host is a list of adapters in the order of the file. Slots are in natural order of names, then by rail
// and by the order of the file. Rails of the file are kept as they are; others are numbered from 0 without
// gaps, in the order of the adapters of the most common hosts. The order of hosts, and the numbers of leaves,
// do not matter. Takes O(n log n) for n adapters of hosts of few kinds.
FoundRails find_rails(std::span<const std::vector<AdapterSeen>> hosts);

}  // namespace banyan::formats
