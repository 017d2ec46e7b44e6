#include "base/permutation.hpp"

#include <bit>
#include <cassert>

#include "base/shuffle.hpp"

namespace banyan::base {

Permutation::Permutation(u64 n, u64 seed, u64 stream) : n_(n) {
  assert(n > 0 && n <= u64{1} << 62);
  half_bits_ = static_cast<u32>(std::bit_width(n - 1) + 1) / 2;
  mask_ = (u64{1} << half_bits_) - 1;
  SplitMix random(Random(seed, stream).at(0));
  for (u64& key : keys_) key = random();
}

}  // namespace banyan::base
