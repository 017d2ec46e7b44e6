// Puts the packets that are routed in a cycle in the order of their lanes. A lane has at most one in a cycle,
// so that a bit for each lane says the order, where lanes are not too many for the packets; else they are
// sorted. For adaptive forwards: who chooses first takes the shortest queue. And for marks:
// who comes first has fewer flits before it.
#pragma once
#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <vector>

#include "flit/router.hpp"
#include "flit/wheel.hpp"

namespace banyan::flit {

class LaneOrder {
 public:
  explicit LaneOrder(u32 lanes) {
    if (lanes > max_lanes) return;
    bits_.resize((lanes + 63) / 64);
    places_.resize(lanes);
  }

  // No two of them are of one lane.
  void sort(Bag<RouteJob>& jobs) {
    if (jobs.size() * 8 < bits_.size() || bits_.empty()) {
      std::sort(jobs.data(), jobs.data() + jobs.size(),
                [](const RouteJob& a, const RouteJob& b) { return a.lane < b.lane; });
      return;
    }
    sorted_.clear();
    for (const RouteJob& job : jobs) {
      const u32 lane = index(job.lane);
      bits_[lane / 64] |= u64{1} << (lane % 64);
      places_[lane] = static_cast<u32>(&job - jobs.begin());
    }
    for (u32 w = 0; w < bits_.size(); ++w) {
      for (u64 bits = bits_[w]; bits != 0; bits &= bits - 1)
        sorted_.push(jobs.begin()[places_[w * 64 + static_cast<u32>(std::countr_zero(bits))]]);
      bits_[w] = 0;
    }
    assert(sorted_.size() == jobs.size());
    std::swap(jobs, sorted_);
  }

 private:
  static constexpr u32 max_lanes = 1u << 16;  // what it remembers of them should stay in a cache

  std::vector<u64> bits_;    // by lane: it has a packet; all clear between two calls
  std::vector<u32> places_;  // by lane: where that packet stands
  Bag<RouteJob> sorted_;
};

}  // namespace banyan::flit
