// Fisher and Yates' shuffle as a function of (seed, stream), for where very many permutations are drawn: a
// 64-bit random number gives several places at once, without bias (Brackett-Rozinsky and Lemire 2024). The
// numbers are those of SplitMix64, started where Philox says.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "base/random.hpp"

namespace banyan {

class SplitMix {
 public:
  explicit SplitMix(u64 state) : state_(state) {}
  u64 operator()() { return mixed(state_ += step); }
  static u64 mixed(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  static constexpr u64 step = 0x9E3779B97F4A7C15;

 private:
  u64 state_;
};

// Numbers below n, n-1, ..., each uniform and independent of the others. The product of the bounds must fit
// into 64 bits.
template <u32 count>
std::array<u32, count> draw_below(SplitMix& random, u32 n) {
  __extension__ using u128 = unsigned __int128;
  u64 product = 1;
  for (u32 k = 0; k < count; ++k) product *= n - k;
  for (;;) {
    std::array<u32, count> out;
    u64 rest = random();
    for (u32 k = 0; k < count; ++k) {
      const u128 both = static_cast<u128>(rest) * (n - k);
      out[k] = static_cast<u32>(both >> 64);
      rest = static_cast<u64>(both);
    }
    if (rest >= product || rest >= (0 - product) % product) return out;
  }
}

// exchange(i, j) for i = n-1 .. 1, with j uniform in 0 .. i: whoever exchanges places i and j has a uniform
// permutation at the end; place i is final once it was called for i.
template <class Exchange>
void shuffle_places(u32 n, u64 seed, u64 stream, Exchange&& exchange) {
  SplitMix random(Random(seed, stream).at(0));
  const auto several = [&]<u32 count>(std::integral_constant<u32, count>) {
    const auto places = draw_below<count>(random, n);
    for (u32 k = 0; k < count; ++k) exchange(n - 1 - k, places[k]);
    n -= count;
  };
  while (n > 65'535) several(std::integral_constant<u32, 2>());
  while (n > 4) several(std::integral_constant<u32, 4>());
  while (n > 1) several(std::integral_constant<u32, 1>());
}

template <class T>
void shuffle(std::span<T> values, u64 seed, u64 stream) {
  T* const at = values.data();
  shuffle_places(static_cast<u32>(values.size()), seed, stream, [at](u32 i, u32 j) {
    const T drawn = at[j];
    at[j] = at[i];
    at[i] = drawn;
  });
}

}  // namespace banyan
