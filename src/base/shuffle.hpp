// Fisher-Yates shuffle as a function of (seed, stream), optimised for drawing very many permutations: one
// 64-bit random number gives several positions, without bias (Brackett-Rozinsky and Lemire 2024). The numbers
// come from SplitMix64, seeded by Philox.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "base/random.hpp"

namespace banyan::base {

class SplitMix {
 public:
  constexpr explicit SplitMix(u64 state) : state_(state) {}
  constexpr u64 operator()() { return mixed(state_ += step); }
  static constexpr u64 mixed(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  static constexpr u64 step = 0x9E3779B97F4A7C15;

 private:
  u64 state_;
};

// Positions from one random number: place[k] is uniform in 0 .. n-1-k, for k < count. The product n (n-1) ...
// of the bounds must fit into 64 bits; `max_product` is an upper bound of it. False where the number must be
// replaced by the next one, to avoid bias.
template <u32 count>
[[gnu::always_inline]] constexpr bool places_from(u64 random, u32 n, u64 max_product,
                                                  std::array<u32, count>& place) {
  __extension__ using u128 = unsigned __int128;
  for (u32 k = 0; k < count; ++k) {
    const u128 both = static_cast<u128>(random) * (n - k);
    place[k] = static_cast<u32>(both >> 64);
    random = static_cast<u64>(both);
  }
  if (random >= max_product) [[likely]]
    return true;
  u64 product = 1;
  for (u32 k = 0; k < count; ++k) product *= n - k;
  return random >= (0 - product) % product;
}

// Calls exchange(i, j) for i = n-1 .. n-count, each j uniform in 0 .. i and independent of the others.
// `max_product` is as above.
template <u32 count, class Exchange>
[[gnu::always_inline]] inline void shuffle_some(SplitMix& random, u32 n, u64 max_product,
                                                Exchange&& exchange) {
  std::array<u32, count> place;
  while (!places_from<count>(random(), n, max_product, place)) {
  }
  for (u32 k = 0; k < count; ++k) exchange(n - 1 - k, place[k]);
}

// Calls exchange(i, j) for i = n-1 .. 1, with j uniform in 0 .. i. Swapping positions i and j each time gives
// a uniform permutation; position i is final after its call.
template <class Exchange>
void shuffle_places(u32 n, u64 seed, u64 stream, Exchange&& exchange) {
  SplitMix random(Random(seed, stream).at(0));
  for (; n > 65'535; n -= 2) shuffle_some<2>(random, n, u64{n} * n, exchange);
  const u64 square = u64{n} * n, max_product = square * square;
  for (; n > 4; n -= 4) shuffle_some<4>(random, n, max_product, exchange);
  for (; n > 1; --n) shuffle_some<1>(random, n, n, exchange);
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

}  // namespace banyan::base
