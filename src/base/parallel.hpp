// Loops over threads. What an iteration writes belongs to its index, so results do not depend on how many
// there are.
#pragma once
#include <functional>

#include "base/progress.hpp"

namespace banyan::base {

unsigned default_threads();  // as many as the machine runs at once

// f(first, last) for ranges that together cover 0 .. count-1, each once. The first exception ends the loop
// and is thrown here; so is Interrupted.
void parallel_ranges(u64 count, unsigned threads, const std::function<void(u64, u64)>& f,
                     Progress* progress = nullptr);

// f(i) for i in 0 .. count-1.
template <class F>
void parallel_for(u64 count, unsigned threads, F&& f, Progress* progress = nullptr) {
  const auto range = [&](u64 first, u64 last) {
    for (u64 i = first; i < last; ++i) f(i);
  };
  parallel_ranges(count, threads, range, progress);
}

}  // namespace banyan::base
