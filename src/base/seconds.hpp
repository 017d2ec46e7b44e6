// A monotonic clock in seconds, for measuring durations; its zero is arbitrary.
#pragma once
#include <chrono>
#include <utility>
#include "base/namespaces.hpp"

namespace banyan::base {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What f returns, and how long it took. As two arguments of one call, f and the clock would be read in any
// order.
template <class F, class Clock = double (*)()>
auto timed(F&& f, Clock&& now = seconds_now) {
  const double start = now();
  auto out = f();
  return std::pair(std::move(out), now() - start);
}

}  // namespace banyan::base
