// The time that passes, in seconds from some moment on.
#pragma once
#include <chrono>
#include "base/namespaces.hpp"

namespace banyan::base {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace banyan::base
