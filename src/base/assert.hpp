// A bug is an assertion: the program says what does not hold, and where, and aborts. What a user gives is
// never asserted; it is refused (error.hpp).
#pragma once
#include <cstdio>
#include <cstdlib>

namespace banyan::base {

[[noreturn]] inline void assertion_failed(const char* message, const char* condition, const char* file,
                                          int line) {
  std::fprintf(stderr, "banyan: this is a bug: %s (%s, %s:%d)\n", message, condition, file, line);
  std::abort();
}

}  // namespace banyan::base

// BANYAN_ASSERT(condition, "what must hold") is on in every build. It names the file without its folder, so
// that objects are the same in every checkout.
#define BANYAN_ASSERT(condition, message) \
  ((condition) ? void() : ::banyan::base::assertion_failed(message, #condition, __FILE_NAME__, __LINE__))

// The same for loops that run millions of times: off where NDEBUG is defined, as in the release build.
#ifdef NDEBUG
#define BANYAN_HOT_ASSERT(condition, message) void()
#else
#define BANYAN_HOT_ASSERT(condition, message) BANYAN_ASSERT(condition, message)
#endif
