// What is due when: a binary heap of 16-byte events. Time is in whole picoseconds. Events of one instant come
// by kind, then by subject, so that a run does not depend on who scheduled first.
#pragma once
#include <algorithm>
#include <vector>

#include "base/types.hpp"

namespace banyan::qsnet {

using Time = u64;  // ps
constexpr Time never = ~Time{0};
constexpr Time from_ns(double ns) { return static_cast<Time>(ns * 1000 + 0.5); }
constexpr Time from_us(double us) { return from_ns(us * 1000); }
constexpr double in_us(Time t) { return static_cast<double>(t) * 1e-6; }
// How long so many bytes take at a rate in MB/s.
constexpr Time transfer(u64 bytes, double rate) { return from_ns(static_cast<double>(bytes) * 1000 / rate); }

// First what frees something, then what arrives, then who is granted what, then links, then cards.
enum class Kind : u8 {
  credit,
  left,
  eop,
  ack,
  answered,
  engine,
  ready,
  arbitrate,
  link,
  arrived,
  bus,
  bus_done,
  card_done,
  microcode_done,
  thread_done,
  host
};

struct Event {
  Time at;
  u64 key;
  Kind kind() const { return static_cast<Kind>(key >> 32); }
  u32 subject() const { return static_cast<u32>(key); }
  bool operator<(const Event& o) const { return at != o.at ? at < o.at : key < o.key; }
};

class Agenda {
 public:
  Time now() const { return now_; }
  bool empty() const { return heap_.empty(); }
  u64 handled() const { return handled_; }

  void add(Time at, Kind kind, u32 subject) {
    const Event event{at, u64{static_cast<u8>(kind)} << 32 | subject};
    heap_.push_back(event);
    std::size_t i = heap_.size() - 1;
    while (i > 0 && event < heap_[(i - 1) / 2]) {
      heap_[i] = heap_[(i - 1) / 2];
      i = (i - 1) / 2;
    }
    heap_[i] = event;
  }

  Event pop() {
    const Event first = heap_.front(), last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    now_ = first.at;
    ++handled_;
    return first;
  }

 private:
  void sink(const Event& event) {
    const std::size_t size = heap_.size();
    std::size_t i = 0;
    for (std::size_t child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < event)) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = event;
  }

  std::vector<Event> heap_;
  Time now_ = 0;
  u64 handled_ = 0;
};

}  // namespace banyan::qsnet
