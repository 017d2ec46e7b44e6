#include "serve/gate.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace banyan::serve {

bool Gate::is_next(u64 ticket) const {
  const Queue* best = nullptr;
  const auto rank = [](const Queue& queue) {
    return std::tuple(queue.running, queue.let_in, queue.tickets.front());
  };
  for (const auto& [client, queue] : clients_)
    if (!queue.tickets.empty() && (!best || rank(queue) < rank(*best))) best = &queue;
  return best && best->tickets.front() == ticket;
}

void Gate::remove(const std::string& client, u64 ticket) {
  auto& tickets = clients_[client].tickets;
  tickets.erase(std::find(tickets.begin(), tickets.end(), ticket));
  --waiting_;
  changed_.notify_all();
}

void Gate::forget_if_empty(const std::string& client) {
  const auto found = clients_.find(client);
  if (found->second.tickets.empty() && found->second.running == 0) clients_.erase(found);
}

Gate::Entry Gate::enter(const std::string& client, const std::function<bool()>& is_wanted) {
  std::unique_lock lock(mutex_);
  if (free_ == 0 && waiting_ >= max_waiting_) return Entry::full;
  const u64 ticket = next_ticket_++;
  clients_[client].tickets.push_back(ticket);
  ++waiting_;
  while (free_ == 0 || !is_next(ticket)) {
    if (!is_wanted()) {
      remove(client, ticket);
      forget_if_empty(client);
      return Entry::unwanted;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(50));
  }
  remove(client, ticket);
  Queue& queue = clients_[client];
  ++queue.running;
  queue.let_in = ++turn_;
  --free_;
  return Entry::in;
}

void Gate::leave(const std::string& client) {
  const std::lock_guard lock(mutex_);
  --clients_[client].running;
  forget_if_empty(client);
  ++free_;
  changed_.notify_all();
}

}  // namespace banyan::serve
