#include "serve/gate.hpp"

#include <algorithm>
#include <chrono>

namespace banyan::serve {

Gate::Entry Gate::enter(const std::function<bool()>& is_wanted) {
  std::unique_lock lock(mutex_);
  if (free_ == 0 && waiting_.size() >= max_waiting_) return Entry::full;
  const u64 ticket = next_ticket_++;
  waiting_.push_back(ticket);
  while (free_ == 0 || waiting_.front() != ticket) {
    if (!is_wanted()) {
      waiting_.erase(std::find(waiting_.begin(), waiting_.end(), ticket));
      changed_.notify_all();
      return Entry::unwanted;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(50));
  }
  waiting_.pop_front();
  --free_;
  changed_.notify_all();
  return Entry::in;
}

void Gate::leave() {
  const std::lock_guard lock(mutex_);
  ++free_;
  changed_.notify_all();
}

}  // namespace banyan::serve
