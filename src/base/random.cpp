#include "base/random.hpp"

#include "base/philox.hpp"

namespace banyan::base {

std::array<u32, 4> philox(std::array<u32, 4> counter, std::array<u32, 2> key) {
  return philox_rounds(counter, key);
}

u64 Random::at(u64 index) const { return philox_number(seed_, stream_, index); }

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
