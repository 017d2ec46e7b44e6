// Loops over threads. An iteration must write only to what belongs to its index; then results do not depend
// on the number of threads.
#pragma once
#include <functional>

#include "base/progress.hpp"

namespace banyan::base {

unsigned default_threads();  // the number of hardware threads

// Calls f(first, last) for ranges that together cover 0 .. count-1 exactly once. If f throws, the loop ends
// and the first exception is rethrown here. Throws Interrupted after Ctrl-C.
void parallel_ranges(u64 count, unsigned threads, const std::function<void(u64, u64)>& f,
                     Progress* progress = nullptr);

// Calls f(i) for every i in 0 .. count-1.
template <class F>
void parallel_for(u64 count, unsigned threads, F&& f, Progress* progress = nullptr) {
  const auto range = [&](u64 first, u64 last) {
    for (u64 i = first; i < last; ++i) f(i);
  };
  parallel_ranges(count, threads, range, progress);
}

}  // namespace banyan::base
