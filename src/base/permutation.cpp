#include "base/permutation.hpp"

#include <bit>

#include "base/assert.hpp"
#include "base/shuffle.hpp"

namespace banyan::base {
namespace {

constexpr u32 philox_lanes = 16;

// philox_number(seed, stream, 0) of so many streams: loops without a branch, which compilers vectorise.
std::array<u64, philox_lanes> first_numbers(u64 seed, const u64* stream) {
  std::array<u32, philox_lanes> a{}, b{}, c, d;
  for (u32 i = 0; i < philox_lanes; ++i) {
    c[i] = static_cast<u32>(stream[i]);
    d[i] = static_cast<u32>(stream[i] >> 32);
  }
  u32 key = static_cast<u32>(seed), other_key = static_cast<u32>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    for (u32 i = 0; i < philox_lanes; ++i) {
      const u64 x = u64{0xD2511F53} * a[i], y = u64{0xCD9E8D57} * c[i];
      a[i] = static_cast<u32>(y >> 32) ^ b[i] ^ key;
      b[i] = static_cast<u32>(y);
      c[i] = static_cast<u32>(x >> 32) ^ d[i] ^ other_key;
      d[i] = static_cast<u32>(x);
    }
    key += 0x9E3779B9;
    other_key += 0xBB67AE85;
  }
  std::array<u64, philox_lanes> out;
  for (u32 i = 0; i < philox_lanes; ++i) out[i] = u64{b[i]} << 32 | a[i];
  return out;
}

}  // namespace

Permutation::Permutation(u64 n, u64 seed, u64 stream) : n_(n) {
  BANYAN_ASSERT(n > 0 && n <= u64{1} << 62, "a permutation has 1 to 2^62 members");
  half_bits_ = static_cast<u32>(std::bit_width(n - 1) + 1) / 2;
  mask_ = (u64{1} << half_bits_) - 1;
  SplitMix random(Random(seed, stream).at(0));
  for (u64& key : keys_) key = random();
}

// draw_some() takes four places from one number. Only the first of them counts here; what the four leave of
// the number decides whether it is replaced, and one multiplication gives that too.
void draw_one_each(u64 n, u64 seed, std::span<const u64> streams, u64* values) {
  const auto draw_alone = [&](std::size_t i) {
    draw_some(n, 1, seed, streams[i], [&](u64 value) { values[i] = value; });
  };
  std::size_t done = 0;
  if (n > 4 && n <= 1024) {
    __extension__ using u128 = unsigned __int128;
    const u64 product = n * (n - 1) * (n - 2) * (n - 3);
    for (; done + philox_lanes <= streams.size(); done += philox_lanes) {
      const auto numbers = first_numbers(seed, &streams[done]);
      for (u32 i = 0; i < philox_lanes; ++i) {
        const u64 random = SplitMix::mixed(numbers[i] + SplitMix::step);
        values[done + i] = static_cast<u64>(static_cast<u128>(random) * n >> 64);
        if (random * product < product) [[unlikely]]
          draw_alone(done + i);
      }
    }
  }
  for (; done < streams.size(); ++done) draw_alone(done);
}

}  // namespace banyan::base
