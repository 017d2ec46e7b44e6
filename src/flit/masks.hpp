// Round robin over bit masks.
#pragma once
#include <bit>

#include "base/types.hpp"

namespace banyan {

// attempt(i) for each bit from low to high, until one returns true.
template <class Attempt>
bool scan_bits(u64 bits, u32 first, Attempt&& attempt) {
  for (; bits != 0; bits &= bits - 1)
    if (attempt(first + static_cast<u32>(std::countr_zero(bits)))) return true;
  return false;
}

// attempt(i) for each set bit of `words` words, get(word), in order from `pointer` on and around the end,
// until one returns true; whether one has.
template <bool wide, class Get, class Attempt>
[[gnu::always_inline]] inline bool scan_round(u32 words, u32 pointer, Get&& get, Attempt&& attempt) {
  if constexpr (!wide) {
    for (u64 bits = std::rotr(get(0), static_cast<int>(pointer)); bits != 0; bits &= bits - 1)
      if (attempt((static_cast<u32>(std::countr_zero(bits)) + pointer) % 64)) return true;
    return false;
  }
  const u32 start = pointer / 64;
  const u64 from = ~u64{0} << (pointer % 64);
  if (scan_bits(get(start) & from, start * 64, attempt)) return true;
  for (u32 w = start + 1; w < words; ++w)
    if (scan_bits(get(w), w * 64, attempt)) return true;
  for (u32 w = 0; w < start; ++w)
    if (scan_bits(get(w), w * 64, attempt)) return true;
  return scan_bits(get(start) & ~from, start * 64, attempt);
}

// The first lane of a mask from the pointer on, around the end. The mask is not empty.
inline u8 lane_from(u32 mask, u32 pointer) {
  const u32 high = mask & (~u32{0} << pointer);
  return static_cast<u8>(std::countr_zero(high != 0 ? high : mask));
}

}  // namespace banyan
