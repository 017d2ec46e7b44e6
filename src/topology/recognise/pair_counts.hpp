// A number for each pair of nodes, 0 at first: open addressing, without an allocation for each pair.
#pragma once
#include <bit>
#include <vector>

#include "fabric/ids.hpp"

namespace banyan::topology {

class PairCounts {
 public:
  // For so many different pairs at most.
  explicit PairCounts(u64 pairs) : slots_(std::bit_ceil(2 * pairs + 1)) {}

  u32& operator()(Node a, Node b) {
    const u64 key = u64{index(a)} << 32 | index(b);
    Slot& slot = slots_[place(key)];
    slot.key = key;
    return slot.count;
  }
  // 0 also for a pair that was not asked for before.
  u32 find(Node a, Node b) const { return slots_[place(u64{index(a)} << 32 | index(b))].count; }

 private:
  static constexpr u64 empty = ~u64{0};  // no pair has this key
  struct Slot {
    u64 key = empty;
    u32 count = 0;
  };

  std::size_t place(u64 key) const {
    const std::size_t mask = slots_.size() - 1;
    const u64 mixed = key * 0x9e3779b97f4a7c15;
    std::size_t at = (mixed ^ mixed >> 32) & mask;
    while (slots_[at].key != empty && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;  // a power of two, at least half of them empty
};

}  // namespace banyan::topology
