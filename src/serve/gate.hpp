// Lets so many commands run at a time; the others wait, not too many of them. Each client has its turn: next
// is the one that has the fewest commands running, and among those the one that was let in the longest time
// ago. A client's own commands keep their order.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "base/types.hpp"

namespace banyan::serve {

class Gate {
 public:
  enum class Entry { in, full, unwanted };

  Gate(u32 running, u32 waiting) : free_(running), max_waiting_(waiting) {}

  // Waits for a place, which leave() gives back. `is_wanted` is asked many times a second.
  Entry enter(const std::string& client, const std::function<bool()>& is_wanted);
  void leave(const std::string& client);

 private:
  struct Queue {
    std::deque<u64> tickets{};
    u32 running = 0;
    u64 let_in = 0;  // the last of its tickets that was; 0: none
  };
  bool is_next(u64 ticket) const;
  void remove(const std::string& client, u64 ticket);
  void forget_if_empty(const std::string& client);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Queue> clients_;  // those that wait or run
  u64 next_ticket_ = 1, waiting_ = 0, turn_ = 0;
  u32 free_, max_waiting_;
};

}  // namespace banyan::serve
