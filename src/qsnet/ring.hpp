// A first-in first-out queue over a flat array that grows by doubling and is never given back.
#pragma once
#include <cassert>
#include <vector>

#include "base/types.hpp"

namespace banyan::qsnet {

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
    assert(count_ > 0);
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

}  // namespace banyan::qsnet
