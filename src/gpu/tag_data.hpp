// What a device needs to count the loads of permutations and bisections where the channel up from a level is
// (subtree of the source, an offset that depends on the destination), as in flow/tag_levels.hpp.
#pragma once
#include "gpu/block_shuffle.hpp"

namespace banyan::gpu {

constexpr u32 max_tag_levels = 5;  // of switches below the roots
constexpr u32 tag_warps = 5;       // of a block on a device; any number gives the same results

// x / divisor for x < 2^16 and divisor < 2^16, by a multiplication; of divisor 1 the inverse is 0.
constexpr u32 inverse_of(u32 divisor) { return static_cast<u32>(((u64{1} << 32) + divisor - 1) / divisor); }
constexpr u32 divided(u32 x, u32 inverse) {
  return inverse == 0 ? x : static_cast<u32>(u64{x} * inverse >> 32);
}

struct TagLevelData {
  u32 inverse = 0;   // of the number of subtrees of the level below in one of this, as inverse_of() gives it
  u32 subtrees = 0;  // numbered from 0
  u32 links = 0;     // up channels of a subtree
  bool counts_down = false;    // down channels serve several destinations
  const u32* ranks = nullptr;  // by subtree
};

// A rank is `words` words of four 16-bit numbers: its subtree of the lowest level, then its offset in each
// level. Loads must fit into 8 bits, numbers of ranks and of lowest subtrees into 16.
struct TagData {
  u32 ranks = 0, levels = 0, words = 0;
  bool is_bisection = false;  // as Traffic::Draw defines it; else a permutation
  const u64* record = nullptr;
  const u64* start =
      nullptr;  // what is shuffled, 16 bits each: lowest subtrees by rank; of a bisection, ranks
  TagLevelData level[max_tag_levels];

  static constexpr u32 words_for(u32 levels) { return levels / 4 + 1; }
};

// The result of a sample.
struct TagLoads {
  double
      bound;  // the maximum over subtrees of what leaves or enters, divided by the links; without the hosts
  u32 max_load;  // of channels between switches
  u32 unused = 0;
};

// What the warps of a block find out each.
struct TagPart {
  u64 state;  // of the first: where the random numbers of the sample begin
  u32 max_load;
  u32 moved[max_tag_levels];  // flows that leave or enter a subtree, for the worst one
};

// Where things stand in the memory of a block, in bytes.
struct TagLayout {
  static constexpr u32 shuffle = 0;
  u32 parts = 0, order = 0;

  u32 up[max_tag_levels], down[max_tag_levels];  // loads, a byte each
  u32 left[max_tag_levels],
      entered[max_tag_levels];       // by subtree: flows; of a permutation left[] has those inside
  u32 first_counter = 0, bytes = 0;  // before: what is shuffled

  TagLayout() = default;
  constexpr TagLayout(const TagData& data, u32 warps) : up(), down(), left(), entered() {
    const auto take = [this](u32 size) {
      const u32 at = bytes;
      bytes += aligned(size);
      return at;
    };
    take(shuffle_bytes(warps - 1));
    parts = take(warps * sizeof(TagPart));
    order = take(2 * data.ranks);
    first_counter = bytes;
    for (u32 l = 0; l < data.levels; ++l) {
      const TagLevelData& level = data.level[l];
      up[l] = take(level.subtrees * level.links);
      if (level.counts_down) down[l] = take(level.subtrees * level.links);
      left[l] = take(4 * level.subtrees);
      if (data.is_bisection) entered[l] = take(4 * level.subtrees);
    }
  }
};

}  // namespace banyan::gpu
