// Points are handed out one at a time, the longest first, so that those of very different cost balance
// themselves. One whose measurer died is handed out again.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace banyan::study {

class PointQueue {
 public:
  explicit PointQueue(std::vector<std::size_t> points) : waiting_(points.begin(), points.end()) {}

  // The next one; waits while those that are left are all in somebody's hands. Nothing: all are finished, or
  // it was stopped, or Ctrl-C came. What another rank died of the first takes only when no other is there any
  // more: with it the study would end.
  std::optional<std::size_t> take(bool is_elsewhere);
  void finished(std::size_t point);
  void died_of(std::size_t point);  // whoever had it

  void joined(), left();  // another rank's hand
  void stop();            // nothing more is handed out

  static constexpr u32 max_deaths = 3;
  std::vector<std::size_t> given_up() const;  // of which so many died

 private:
  std::optional<std::size_t> next(bool is_elsewhere);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> waiting_;
  std::map<std::size_t, u32> deaths_;
  u64 in_hands_ = 0, others_ = 0;
  bool stopped_ = false;
};

}  // namespace banyan::study
