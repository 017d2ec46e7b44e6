// Round robin over bit masks.
#pragma once
#include <bit>

#include "flit/ids.hpp"

namespace banyan::flit {

// A bit of a mask: its number, and the bit in its word.
struct Slot {
  u32 number;
  u64 bit;

  Slot(u32 the_number, u64 the_bit) : number(the_number), bit(the_bit) {}
  Slot(u32 the_number) : Slot(the_number, u64{1} << (the_number % 64)) {}
  operator u32() const { return number; }
};
// The lowest bit of a word that has one.
[[gnu::always_inline]] inline Slot lowest(u64 bits) {
  return {static_cast<u32>(std::countr_zero(bits)), bits & -bits};
}

// attempt(i) for each bit from low to high, until one returns true.
template <class Attempt>
bool scan_bits(u64 bits, u32 first, Attempt&& attempt) {
  for (; bits != 0; bits &= bits - 1)
    if (attempt(first + static_cast<u32>(std::countr_zero(bits)))) return true;
  return false;
}

// attempt(slot) for each bit, in order from the lowest of those in `from` on and around the end, until one
// returns true; whether one has.
template <class Attempt>
[[gnu::always_inline]] inline bool scan_round(u64 bits, u64 from, Attempt&& attempt) {
  while (bits != 0) {
    const u64 later = bits & from;
    const Slot next = lowest(later != 0 ? later : bits);
    if (attempt(next)) return true;
    bits ^= next.bit;
  }
  return false;
}

// f(slot) for each bit, in that order.
template <class F>
[[gnu::always_inline]] inline void each_round(u64 bits, u64 from, F&& f) {
  for (u64 now = bits & from, then = bits & ~from;;) {
    if (now == 0) {
      if (then == 0) return;
      now = then, then = 0;
    }
    const Slot next = lowest(now);
    now ^= next.bit;
    f(next);
  }
}

// attempt(slot) likewise for `words` words, get(word), from the bit `pointer` on; the word of that bit is
// looked at twice.
template <class Get, class Attempt>
[[gnu::always_inline]] inline bool scan_round(u32 words, u32 pointer, Get&& get, Attempt&& attempt) {
  const u64 from = ~u64{0} << (pointer % 64);
  u32 w = pointer / 64;
  u64 bits = get(w) & from;
  for (u32 left = words;;) {
    while (bits != 0) {
      const Slot next = lowest(bits);
      if (attempt(Slot{w * 64 + next.number, next.bit})) return true;
      bits ^= next.bit;
    }
    if (left == 0) return false;
    w = w + 1 == words ? 0 : w + 1;
    bits = --left > 0 ? get(w) : get(w) & ~from;
  }
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
