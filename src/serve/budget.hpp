// One bound for what the server holds in memory for its clients: what they are sending, answers on their way,
// and answers that are kept. Whoever finds no room is refused.
#pragma once
#include <malloc.h>

#include <atomic>
#include <utility>

#include "base/types.hpp"

namespace banyan::serve {

class Budget {
 public:
  explicit Budget(u64 bytes) : free_(bytes) {}

  // What one holder has of it, given back at the end.
  class Share {
   public:
    explicit Share(Budget& budget) : budget_(&budget) {}
    Share(Share&& other) noexcept : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
    Share& operator=(Share&&) = delete;
    ~Share() { budget_->give_back(bytes_); }

    // To so many bytes in all; false: there is no room, and nothing changes.
    bool grow_to(u64 bytes) {
      if (bytes <= bytes_) return true;
      if (!budget_->take(bytes - bytes_)) return false;
      bytes_ = bytes;
      return true;
    }

   private:
    Budget* budget_;
    u64 bytes_ = 0;
  };

 private:
  bool take(u64 bytes) {
    u64 free = free_;
    while (free >= bytes)
      if (free_.compare_exchange_weak(free, free - bytes)) return true;
    return false;
  }
  void give_back(u64 bytes) {
    constexpr u64 worth_it = u64{4} << 20;  // then the system gets it back too
    free_ += bytes;
    if (bytes >= worth_it) malloc_trim(0);
  }

  std::atomic<u64> free_;
};

}  // namespace banyan::serve
