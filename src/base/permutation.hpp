// A random permutation of 0..n-1 that needs no storage: a keyed Feistel network over the next even power of
// two, applied until the result is below n. The image of each number is computed independently, in constant
// expected time, so threads can share one permutation.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "base/philox.hpp"
#include "base/shuffle.hpp"

namespace banyan::base {

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

// Calls f(value) for `count` different values of 0..n-1, drawn one after another. The first values do not
// depend on `count`. Up to 1024 values are shuffled in an array; above that the values are the first of a
// Permutation.
template <class F>
void draw_some(u64 n, u64 count, u64 seed, u64 stream, F&& f) {
  constexpr u32 maximum = 1024, few = 8, at_once = 4;
  if (n > maximum) {
    const Permutation permutation(n, seed, stream);
    for (u64 i = 0; i < count; ++i) f(permutation(i));
    return;
  }
  SplitMix random(philox_number(seed, stream, 0));
  if (count == 1 && n > at_once) {  // the usual call; nothing has moved yet
    bool is_first = true;
    shuffle_some<at_once>(random, static_cast<u32>(n), n * n * n * n, [&](u32, u32 j) {
      if (is_first) f(u64{j});
      is_first = false;
    });
    return;
  }
  const auto draw = [&](auto&& take) {
    u32 left = static_cast<u32>(n);
    for (; left > at_once && count > 0; left -= at_once)
      shuffle_some<at_once>(random, left, n * n * n * n, take);
    for (; left > 0 && count > 0; --left) shuffle_some<1>(random, left, left, take);
  };
  if (count <= few) {  // the values that moved are a list, the others are where they were
    std::array<std::pair<u32, u32>, few> moved;
    u32 moves = 0;
    const auto value = [&](u32 place) {
      for (u32 k = moves; k-- > 0;)
        if (moved[k].first == place) return moved[k].second;
      return place;
    };
    draw([&](u32 i, u32 j) {
      if (count == 0) return;
      --count;
      f(u64{value(j)});
      moved[moves] = {j, value(i)};
      ++moves;
    });
    return;
  }
  std::array<u16, maximum> values;
  for (u32 i = 0; i < n; ++i) values[i] = static_cast<u16>(i);
  draw([&](u32 i, u32 j) {
    if (count == 0) return;
    --count;
    f(u64{values[j]});
    values[j] = values[i];
  });
}

// For each of these streams the value that draw_some(n, 1, seed, stream, f) gives, faster than one by one.
void draw_one_each(u64 n, u64 seed, std::span<const u64> streams, u64* values);

}  // namespace banyan::base
