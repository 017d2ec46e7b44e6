// Counts exactly the load of some channels in all shifts. A destination t that hosts lo .. hi reach over a
// channel loads it in the shifts t - hi .. t - lo; the load is the sum of these intervals on the ring, over
// all t.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "verify/shift_paths.hpp"

namespace banyan::verify {

// The maximum load, and where it occurs.
struct WorstShift {
  u64 units = 0;
  u32 shift = 0;
  Channel channel = none<Channel>;
  void take(const WorstShift& other) {
    if (other.units > units) *this = other;
  }
};

class ShiftCounter {
 public:
  explicit ShiftCounter(const Fabric& fabric)
      : ring_(fabric.hosts()), place_(fabric.channels().size(), none_here), change_(ring_ + 1) {}

  // Starts again with these channels.
  void begin(std::span<const Channel> channels);

  bool counts(Channel c) const { return place_[c] != none_here; }
  void add(Channel c, u32 to, const std::vector<ShiftOrigin::Hosts>& hosts, u64 units);

  std::size_t held() const { return arcs_.size(); }
  WorstShift worst();  // over all shifts except 0

 private:
  static constexpr u32 none_here = ~u32{0};
  struct Arc {  // sources, as host numbers
    u32 place, to, lo, hi;
    u64 units;
  };

  void close(u32 place);
  WorstShift sweep(Channel c, std::span<const u32> arcs);

  u32 ring_;
  IdVector<Channel, u32> place_;
  std::vector<Channel> channels_;
  std::vector<Arc> open_;  // by place: may still grow
  std::vector<Arc> arcs_;
  std::vector<i64> change_;  // by shift: change of the load relative to the previous shift
};

}  // namespace banyan::verify
