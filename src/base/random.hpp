// Counter-based random numbers: Philox4x32-10 (Salmon et al., SC 2011). A number is a function of
// (seed, stream, index), so results do not depend on how many threads or ranks draw them.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "base/types.hpp"

namespace banyan::base {

std::array<u32, 4> philox(std::array<u32, 4> counter, std::array<u32, 2> key);

// The random sequence of one stream. A copy continues independently; `at` reads any index without moving.
class Random {
 public:
  explicit Random(u64 seed, u64 stream = 0) : seed_(seed), stream_(stream) {}

  u64 at(u64 index) const;
  u64 operator()() { return at(index_++); }
  u64 below(u64 bound);  // uniform in 0 .. bound-1, without bias
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }  // uniform in [0, 1)

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  u64 seed_, stream_, index_ = 0;
};

}  // namespace banyan::base
