// The times at which flows end, the first on top. A flow is in it at most once: another time moves it. A heap
// of four children a node, which are one cache line, with the place of every flow.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "base/types.hpp"

namespace banyan::flow {

class EndQueue {
 public:
  struct End {
    double time;
    u32 order, flow;  // order: of beginning, which decides between equal times
    bool operator<(const End& o) const { return time < o.time || (time == o.time && order < o.order); }
  };

  bool empty() const { return end_ == root; }
  const End& front() const { return at(root); }
  void grow(std::size_t flows) { place_.resize(flows, nowhere); }

  void set(const End& end) {
    u32& place = place_[end.flow];
    if (place == nowhere) {
      place = end_++;
      if (place / children == lines_.size()) lines_.emplace_back();
    }
    if (place > root && end < at(parent(place)))
      rise(place, end);
    else
      sink(place, end);
  }

  // A flow that is not in it stays out.
  void erase(u32 flow) {
    const u32 place = place_[flow];
    if (place == nowhere) return;
    place_[flow] = nowhere;
    const End last = at(--end_);
    if (place == end_) return;
    place_[last.flow] = place;
    set(last);
  }

  // Flows get other numbers, which are not above theirs and keep their order.
  template <class NumberOf>
  void renumber(std::size_t flows, NumberOf number_of) {
    place_.assign(flows, nowhere);
    for (u32 place = root; place < end_; ++place) {
      at(place).flow = number_of(at(place).flow);
      place_[at(place).flow] = place;
    }
  }

 private:
  // The root stands before the second line: so the children of each place are a line.
  static constexpr u32 nowhere = ~u32{0}, children = 4, root = children - 1;
  struct alignas(64) Line {
    std::array<End, children> of;
  };
  static u32 parent(u32 place) { return place / children + root - 1; }
  static u32 first_child(u32 place) { return children * (place - root + 1); }
  End& at(u32 place) { return lines_[place / children].of[place % children]; }
  const End& at(u32 place) const { return lines_[place / children].of[place % children]; }

  void put(u32 place, const End& end) {
    at(place) = end;
    place_[end.flow] = place;
  }
  void rise(u32 place, const End& end) {
    while (place > root && end < at(parent(place))) {
      put(place, at(parent(place)));
      place = parent(place);
    }
    put(place, end);
  }
  void sink(u32 place, const End& end) {
    for (u32 first; (first = first_child(place)) < end_;) {
      u32 least = first;
      for (u32 child = first + 1; child < std::min(first + children, end_); ++child)
        if (at(child) < at(least)) least = child;
      if (!(at(least) < end)) break;
      put(place, at(least));
      place = least;
    }
    put(place, end);
  }

  std::vector<Line> lines_ = std::vector<Line>(1);
  u32 end_ = root;          // behind the last place
  std::vector<u32> place_;  // by flow
};

}  // namespace banyan::flow
