// What is due in each of the next cycles: a ring of bags, emptied in turn.
#pragma once
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "base/types.hpp"

namespace banyan::flit {

// A vector for small things that are only added, read and dropped all together.
template <class T>
class alignas(32) Bag {
 public:
  [[gnu::always_inline]] void push(const T& value) { add() = value; }
  [[gnu::always_inline]] T& add() {  // what it holds is left to the caller
    if (end_ == limit_) [[unlikely]]
      grow();
    return *end_++;
  }
  T pop() { return *--end_; }
  void clear() { end_ = data_.get(); }
  bool empty() const { return end_ == data_.get(); }
  u32 size() const { return static_cast<u32>(end_ - data_.get()); }
  const T* begin() const { return data_.get(); }
  const T* end() const { return end_; }
  T* data() { return data_.get(); }

 private:
  [[gnu::noinline]] void grow() {
    const u32 count = size(), room = count == 0 ? 16 : 2 * count;
    auto data = std::make_unique_for_overwrite<T[]>(room);
    if (count > 0) std::memcpy(data.get(), data_.get(), count * sizeof(T));
    data_ = std::move(data);
    end_ = data_.get() + count;
    limit_ = data_.get() + room;
  }

  std::unique_ptr<T[]> data_;
  T *end_ = nullptr, *limit_ = nullptr;
};

template <class T>
class Wheel {
 public:
  // `blocks`: rings of their own.
  explicit Wheel(u32 farthest, u32 blocks = 1)
      : bags_(std::size_t{std::bit_ceil(farthest + 2)} * blocks),
        first_(bags_.data()),
        mask_(bags_.size() / blocks - 1) {}

  [[gnu::always_inline]] Bag<T>& at(u64 cycle) { return first_[cycle & mask_]; }
  Bag<T>& at(u64 cycle, u32 block) { return first_[block * (mask_ + 1) + (cycle & mask_)]; }
  [[gnu::always_inline]] void push(u64 cycle, const T& value) { at(cycle).push(value); }
  u64 reach() const { return mask_; }  // cycles ahead that can be named
  const std::vector<Bag<T>>& bags() const { return bags_; }

 private:
  std::vector<Bag<T>> bags_;
  Bag<T>* const first_;
  const u64 mask_;
};

}  // namespace banyan::flit
