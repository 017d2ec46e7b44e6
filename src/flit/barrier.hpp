// Threads wait here for each other: they spin for a while, then sleep.
#pragma once
#include <atomic>

#include "base/parallel.hpp"

namespace banyan::flit {

class Barrier {
 public:
  explicit Barrier(u32 threads) : threads_(threads), spins_(threads <= default_threads() ? max_spins : 0) {}

  // The last to come calls `meet` before it lets the others go: all see the same of what it writes.
  template <class F>
  void wait(F&& meet) {
    const u32 round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      meet();
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (u32 spins = 0; spins < spins_; ++spins) {
      if (round_.load(std::memory_order_acquire) != round) return;
      relax();
    }
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  // About a tenth of a millisecond: who yields to other programs may wait for several.
  static constexpr u32 max_spins = 5000;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // waits as long as the instruction above, which `yield` does not
#endif
  }

  const u32 threads_;
  const u32 spins_;  // none where some thread must leave its core for others
  alignas(64) std::atomic<u32> arrived_{0};
  alignas(64) std::atomic<u32> round_{0};
};

}  // namespace banyan::flit
