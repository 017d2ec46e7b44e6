#include "base/random.hpp"

namespace banyan::base {

std::array<u32, 4> philox(std::array<u32, 4> c, std::array<u32, 2> k) {
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

u64 Random::at(u64 index) const {
  const auto lo = [](u64 x) { return static_cast<u32>(x); };
  const auto hi = [](u64 x) { return static_cast<u32>(x >> 32); };
  const auto out = philox({lo(index), hi(index), lo(stream_), hi(stream_)}, {lo(seed_), hi(seed_)});
  return u64{out[1]} << 32 | out[0];
}

// Lemire's multiplication, rejecting the few values that would favour some results.
u64 Random::below(u64 bound) {
  __extension__ using u128 = unsigned __int128;
  u128 product = static_cast<u128>((*this)()) * bound;
  if (static_cast<u64>(product) < bound) {
    const u64 threshold = (0 - bound) % bound;
    while (static_cast<u64>(product) < threshold) product = static_cast<u128>((*this)()) * bound;
  }
  return static_cast<u64>(product >> 64);
}

}  // namespace banyan::base
