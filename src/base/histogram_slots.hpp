// Where a value is counted in a histogram: exactly below 2048, then in steps of less than 0.1 %. Processors
// and devices count alike.
#pragma once
#include "base/types.hpp"

namespace banyan::base {

// Values below 2^11 have a slot of their own; above, 2^10 slots for each octave.
constexpr u32 exact_histogram_bits = 11;

constexpr u32 histogram_slot(u64 value) {
  u32 shift = 0;
  while (value >> (shift + exact_histogram_bits) != 0) ++shift;
  return (shift << (exact_histogram_bits - 1)) + static_cast<u32>(value >> shift);
}

// The largest value that is counted there.
constexpr u64 largest_in_histogram_slot(u32 slot) {
  if (slot >> exact_histogram_bits == 0) return slot;
  const u32 shift = (slot >> (exact_histogram_bits - 1)) - 1;
  const u64 top = slot - (shift << (exact_histogram_bits - 1));
  return ((top + 1) << shift) - 1;
}

}  // namespace banyan::base
