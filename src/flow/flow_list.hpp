// The flows that are active on one channel, without order. The first few stand in the object itself: most
// channels carry few flows, and events come to channels in no order.
#pragma once
#include <algorithm>
#include <array>
#include <memory>

#include "base/types.hpp"

namespace banyan::flow {

class FlowList {
 public:
  struct Entry {   // a flow on the channel
    u32 flow, at;  // at: its place in the list of channels of all flows
    double share;
  };

  u32 size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Entry* begin() { return many_ ? many_.get() : few_.data(); }
  const Entry* begin() const { return many_ ? many_.get() : few_.data(); }
  const Entry* end() const { return begin() + size_; }
  Entry& operator[](u32 place) { return begin()[place]; }
  const Entry& back() const { return begin()[size_ - 1]; }

  void push_back(const Entry& entry) {
    if (size_ == capacity_) grow();
    begin()[size_++] = entry;
  }
  void pop_back() { --size_; }

 private:
  static constexpr u32 inside = 2;

  void grow() {
    auto more = std::make_unique<Entry[]>(2 * std::size_t{capacity_});
    std::copy(begin(), begin() + size_, more.get());
    many_ = std::move(more);
    capacity_ *= 2;
  }

  std::unique_ptr<Entry[]> many_;  // all of them, once there were more than fit inside
  u32 size_ = 0, capacity_ = inside;
  std::array<Entry, inside> few_;
};

}  // namespace banyan::flow
