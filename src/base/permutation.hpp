// A permutation of 0..n-1 that need not be stored: a keyed Feistel network over the next even power of two,
// walked until it falls below n. The image of any number is found on its own, so threads need not agree on an
// order.
#pragma once
#include <array>
#include <utility>

#include "base/types.hpp"

namespace banyan {

class Permutation {
 public:
  Permutation(u64 n, u64 seed, u64 stream = 0);

  u64 operator()(u64 i) const {
    do i = shuffled(i);
    while (i >= n_);
    return i;
  }

 private:
  static constexpr int rounds = 6;

  u64 shuffled(u64 i) const {
    u64 left = i >> half_bits_, right = i & mask_;
    for (const u64 key : keys_) {
      u64 mixed = (right ^ key) * 0x9E3779B97F4A7C15;
      mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
      left ^= (mixed >> 32) & mask_;
      std::swap(left, right);
    }
    return left << half_bits_ | right;
  }

  u64 n_, mask_;
  u32 half_bits_;
  std::array<u64, rounds> keys_;
};

}  // namespace banyan
