// What is kept while a machine runs: queues, and records that are known by number.
#pragma once
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"

namespace banyan::qsnet {

// A first-in first-out queue over a flat array that grows by doubling and is never given back.
template <class T>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const T& front() const { return values_[first_]; }

  void push(const T& value) {
    if (count_ == values_.size()) grow();
    values_[(first_ + count_++) & (values_.size() - 1)] = value;
  }
  T pop() {
    BANYAN_HOT_ASSERT(count_ > 0, "a ring that is read is not empty");
    const T value = values_[first_];
    first_ = (first_ + 1) & (values_.size() - 1);
    --count_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> wider(values_.empty() ? 4 : 2 * values_.size());
    for (std::size_t i = 0; i < count_; ++i) wider[i] = values_[(first_ + i) & (values_.size() - 1)];
    values_.swap(wider);
    first_ = 0;
  }

  std::vector<T> values_;
  std::size_t first_ = 0, count_ = 0;
};

// Records by number. A number that was given back is used again.
template <class T>
class Pool {
 public:
  T& operator[](u32 i) { return all_[i]; }
  const T& operator[](u32 i) const { return all_[i]; }

  u32 add(const T& value) {
    if (free_.empty()) {
      all_.push_back(value);
      return static_cast<u32>(all_.size()) - 1;
    }
    const u32 i = free_.back();
    free_.pop_back();
    all_[i] = value;
    return i;
  }
  void give_back(u32 i) { free_.push_back(i); }

 private:
  std::vector<T> all_;
  std::vector<u32> free_;
};

}  // namespace banyan::qsnet
