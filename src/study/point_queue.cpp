#include "study/point_queue.hpp"

#include <algorithm>
#include <chrono>

#include "base/progress.hpp"

namespace banyan::study {

std::optional<std::size_t> PointQueue::next(bool is_elsewhere) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](std::size_t point) {
    return is_elsewhere || others_ == 0 || !deaths_.contains(point);
  });
  if (found == waiting_.end()) return std::nullopt;
  const std::size_t point = *found;
  waiting_.erase(found);
  ++in_hands_;
  return point;
}

std::optional<std::size_t> PointQueue::take(bool is_elsewhere) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopped_ || interrupted()) return std::nullopt;
    if (const auto point = next(is_elsewhere)) return point;
    if (waiting_.empty() && in_hands_ == 0) return std::nullopt;
    changed_.wait_for(lock, std::chrono::milliseconds(100));  // a signal handler cannot wake anybody
  }
}

void PointQueue::finished(std::size_t) {
  const std::scoped_lock lock(mutex_);
  --in_hands_;
  changed_.notify_all();
}

void PointQueue::died_of(std::size_t point) {
  const std::scoped_lock lock(mutex_);
  --in_hands_;
  if (++deaths_[point] < max_deaths) waiting_.push_front(point);
  changed_.notify_all();
}

void PointQueue::joined() {
  const std::scoped_lock lock(mutex_);
  ++others_;
}

void PointQueue::left() {
  const std::scoped_lock lock(mutex_);
  --others_;
  changed_.notify_all();
}

void PointQueue::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::vector<std::size_t> PointQueue::given_up() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::size_t> out;
  for (const auto& [point, deaths] : deaths_)
    if (deaths >= max_deaths) out.push_back(point);
  return out;
}

}  // namespace banyan::study
