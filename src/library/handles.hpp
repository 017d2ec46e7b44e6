// Which handles of the C interface are in use. Builds with assertions ask at every call: a handle that was
// freed, or that is of another kind, ends the program with a message instead of somewhere else later.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

namespace banyan::library {

class Handles {
 public:
  enum class Kind { fabric, routing, answer, network };

  void add(const void* handle, Kind kind) {
    const std::lock_guard lock(mutex_);
    kinds_[handle] = kind;
  }
  void remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    kinds_.erase(handle);
  }
  // Aborts unless it is in use and of that kind.
  void demand(const void* handle, Kind kind, const char* function) {
    const std::lock_guard lock(mutex_);
    const auto found = kinds_.find(handle);
    if (found != kinds_.end() && found->second == kind) return;
    std::fprintf(
        stderr, "banyan: %s: %p is no %s: %s\n", function, handle, name(kind),
        found == kinds_.end() ? "it was freed, or never made by this library" : "it is of another kind");
    std::abort();
  }

 private:
  static const char* name(Kind kind) {
    constexpr const char* names[] = {"fabric", "routing", "answer", "network"};
    return names[static_cast<int>(kind)];
  }

  std::mutex mutex_;
  std::unordered_map<const void*, Kind> kinds_;
};

}  // namespace banyan::library
