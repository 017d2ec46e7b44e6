// A monotonic clock in seconds, for measuring durations; its zero is arbitrary.
#pragma once
#include <chrono>
#include "base/namespaces.hpp"

namespace banyan::base {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace banyan::base
