// Round robin over bit masks.
#pragma once
#include <bit>

#include "flit/ids.hpp"

namespace banyan::flit {

// attempt(i) for each bit from low to high, until one returns true.
template <class Attempt>
bool scan_bits(u64 bits, u32 first, Attempt&& attempt) {
  for (; bits != 0; bits &= bits - 1)
    if (attempt(first + static_cast<u32>(std::countr_zero(bits)))) return true;
  return false;
}

// attempt(i) for each bit, in order from the lowest of those in `from` on and around the end, until one
// returns true; whether one has.
template <class Attempt>
[[gnu::always_inline]] inline bool scan_round(u64 bits, u64 from, Attempt&& attempt) {
  while (bits != 0) {
    const u64 later = bits & from, next = later != 0 ? later : bits;
    if (attempt(static_cast<u32>(std::countr_zero(next)))) return true;
    bits &= ~(next & -next);
  }
  return false;
}

// f(i) for each bit, in that order.
template <class F>
[[gnu::always_inline]] inline void each_round(u64 bits, u64 from, F&& f) {
  u64 now = bits & from, then = bits & ~from;
  for (u32 pass = 0; pass < 2; ++pass, now = then)
    for (; now != 0; now &= now - 1) f(static_cast<u32>(std::countr_zero(now)));
}

// Likewise for `words` words, get(word), from the bit `pointer` on.
template <class Get, class Attempt>
[[gnu::always_inline]] inline bool scan_round(u32 words, u32 pointer, Get&& get, Attempt&& attempt) {
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
inline Lane lane_from(u32 mask, u8 pointer) {
  const u32 high = mask & (~u32{0} << pointer);
  return Lane{static_cast<u8>(std::countr_zero(high != 0 ? high : mask))};
}
// That lane; the pointer goes behind it.
inline Lane next_lane(u32 mask, u8& pointer) {
  const Lane lane = lane_from(mask, pointer);
  pointer = static_cast<u8>(index(lane) + 1);
  return lane;
}

constexpr u16 bit_of(Lane lane) { return static_cast<u16>(1u << index(lane)); }
inline void remove(u16& lanes, Lane lane) { lanes &= static_cast<u16>(~bit_of(lane)); }

}  // namespace banyan::flit
