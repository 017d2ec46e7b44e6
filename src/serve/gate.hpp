// Lets so many commands run at a time; the others wait in the order of their coming, and not too many of
// them.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "base/types.hpp"

namespace banyan::serve {

class Gate {
 public:
  enum class Entry { in, full, unwanted };

  Gate(u32 running, u32 waiting) : free_(running), max_waiting_(waiting) {}

  // Waits for a place, which leave() gives back. `is_wanted` is asked many times a second.
  Entry enter(const std::function<bool()>& is_wanted);
  void leave();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<u64> waiting_;  // tickets
  u64 next_ticket_ = 0;
  u32 free_, max_waiting_;
};

}  // namespace banyan::serve
