#include "serve/answers.hpp"

namespace banyan::serve {

std::shared_ptr<const std::string> Answers::find(const std::string& command) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(command);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->answer;
}

void Answers::keep(const std::string& command, std::shared_ptr<const std::string> answer) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(command)) return;
  entries_.push_front({command, std::move(answer)});
  places_[command] = entries_.begin();
  for (bytes_ += bytes_of(entries_.front()); bytes_ > max_bytes_ && !entries_.empty();) drop_last();
}

bool Answers::forget_oldest() {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return false;
  drop_last();
  return true;
}

void Answers::drop_last() {
  bytes_ -= bytes_of(entries_.back());
  places_.erase(entries_.back().command);
  entries_.pop_back();
}

}  // namespace banyan::serve
