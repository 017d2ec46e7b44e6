// Philox4x32-10 (Salmon et al., SC 2011) as constant expressions: processors and devices compute the same
// numbers from the same lines. base/random.hpp is what most code uses.
#pragma once
#include <array>

#include "base/types.hpp"

namespace banyan::base {

constexpr std::array<u32, 4> philox_rounds(std::array<u32, 4> c, std::array<u32, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const u64 a = u64{0xD2511F53} * c[0];
    const u64 b = u64{0xCD9E8D57} * c[2];
    c = {static_cast<u32>(b >> 32) ^ c[1] ^ k[0], static_cast<u32>(b),
         static_cast<u32>(a >> 32) ^ c[3] ^ k[1], static_cast<u32>(a)};
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
  return c;
}

// The number at `index` of a stream.
constexpr u64 philox_number(u64 seed, u64 stream, u64 index) {
  const auto lo = [](u64 x) { return static_cast<u32>(x); };
  const auto hi = [](u64 x) { return static_cast<u32>(x >> 32); };
  const auto out = philox_rounds({lo(index), hi(index), lo(stream), hi(stream)}, {lo(seed), hi(seed)});
  return u64{out[1]} << 32 | out[0];
}

}  // namespace banyan::base
