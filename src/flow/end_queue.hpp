// The times at which flows end, the first on top. A flow is in it at most once: another time moves it. A heap
// of four children a node, with the place of every flow.
#pragma once
#include <algorithm>
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

  bool empty() const { return heap_.empty(); }
  const End& front() const { return heap_.front(); }
  void grow(std::size_t flows) { place_.resize(flows, nowhere); }

  void set(const End& end) {
    u32& place = place_[end.flow];
    if (place == nowhere) {
      place = static_cast<u32>(heap_.size());
      heap_.push_back(end);
    }
    if (place > 0 && end < heap_[(place - 1) / children])
      rise(place, end);
    else
      sink(place, end);
  }

  // A flow that is not in it stays out.
  void erase(u32 flow) {
    const u32 place = place_[flow];
    if (place == nowhere) return;
    place_[flow] = nowhere;
    const End last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    place_[last.flow] = place;
    set(last);
  }

  // Flows get other numbers, which are not above theirs and keep their order.
  template <class NumberOf>
  void renumber(std::size_t flows, NumberOf number_of) {
    place_.assign(flows, nowhere);
    for (u32 place = 0; place < heap_.size(); ++place) {
      heap_[place].flow = number_of(heap_[place].flow);
      place_[heap_[place].flow] = place;
    }
  }

 private:
  static constexpr u32 nowhere = ~u32{0}, children = 4;

  void put(u32 place, const End& end) {
    heap_[place] = end;
    place_[end.flow] = place;
  }
  void rise(u32 place, const End& end) {
    while (place > 0 && end < heap_[(place - 1) / children]) {
      put(place, heap_[(place - 1) / children]);
      place = (place - 1) / children;
    }
    put(place, end);
  }
  void sink(u32 place, const End& end) {
    const u32 size = static_cast<u32>(heap_.size());
    for (u32 first; (first = children * place + 1) < size;) {
      u32 least = first;
      for (u32 child = first + 1; child < std::min(first + children, size); ++child)
        if (heap_[child] < heap_[least]) least = child;
      if (!(heap_[least] < end)) break;
      put(place, heap_[least]);
      place = least;
    }
    put(place, end);
  }

  std::vector<End> heap_;
  std::vector<u32> place_;  // by flow
};

}  // namespace banyan::flow
