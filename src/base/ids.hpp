// Strong ids: enums over dense integers from 0. An IdVector indexed by one kind of id accepts no other, so
// ids of different kinds cannot be confused. All of it compiles to plain integers.
#pragma once
#include <limits>
#include <type_traits>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"

namespace banyan::base {

template <class Id>
concept DenseId = std::is_enum_v<Id>;

template <DenseId Id>
constexpr auto index(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

// The id of nothing, for example the far channel of an empty port.
template <DenseId Id>
constexpr Id none = Id{std::numeric_limits<std::underlying_type_t<Id>>::max()};

// The ids first .. last-1: for (Node v : IdRange<Node>(0, n)).
template <DenseId Id>
class IdRange {
 public:
  using Number = std::underlying_type_t<Id>;

  class Iterator {
   public:
    using value_type = Id;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(Number i) : i_(i) {}
    constexpr Id operator*() const { return Id{i_}; }
    constexpr Iterator& operator++() { return ++i_, *this; }
    constexpr Iterator operator++(int) { return Iterator(i_++); }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Number i_ = 0;
  };

  constexpr IdRange(Number first, Number last) : first_(first), last_(last) {}
  constexpr explicit IdRange(Number count) : IdRange(0, count) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }
  constexpr Number size() const { return static_cast<Number>(last_ - first_); }

 private:
  Number first_, last_;
};

// A std::vector that only its own kind of id can index. Indexing asserts the bounds.
template <DenseId Id, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t count, const T& value = T{}) : values_(count, value) {}

  decltype(auto) operator[](Id id) { return checked(values_, id); }
  decltype(auto) operator[](Id id) const { return checked(values_, id); }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void push_back(T value) { values_.push_back(std::move(value)); }
  void resize(std::size_t count, const T& value = T{}) { values_.resize(count, value); }
  void assign(std::size_t count, const T& value) { values_.assign(count, value); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  IdRange<Id> ids() const { return IdRange<Id>(static_cast<std::underlying_type_t<Id>>(values_.size())); }
  bool operator==(const IdVector&) const = default;

 private:
  static decltype(auto) checked(auto& values, Id id) {
    BANYAN_HOT_ASSERT(index(id) < values.size(), "an id is within its vector");
    return values[index(id)];
  }

  std::vector<T> values_;
};

}  // namespace banyan::base
