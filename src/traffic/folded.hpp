// Runs algorithms for powers of two on any number of ranks (Thakur, Rabenseifner, Gropp 2005). Of the first 2
// E ranks, E = ranks - 2^k, each even one sends its data to the odd one above it and waits. The odd ones and
// all others are the core of 2^k. At the end the even ones receive the result.
#pragma once
#include <bit>
#include <vector>

#include "traffic/traffic.hpp"

namespace banyan::traffic {

struct Folded {
  u32 core;   // 2^k, the largest power of two up to ranks
  u32 extra;  // ranks that wait

  explicit Folded(u32 ranks) : core(std::bit_floor(ranks)), extra(ranks - core) {}

  u32 steps() const { return static_cast<u32>(std::countr_zero(core)); }
  Rank rank(u32 member) const { return Rank{member < extra ? 2 * member + 1 : member + extra}; }
  void fold(double amount, std::vector<Demand>& out) const {
    for (u32 i = 0; i < extra; ++i) out.push_back({Rank{2 * i}, Rank{2 * i + 1}, amount});
  }
  void unfold(double amount, std::vector<Demand>& out) const {
    for (u32 i = 0; i < extra; ++i) out.push_back({Rank{2 * i + 1}, Rank{2 * i}, amount});
  }
};

}  // namespace banyan::traffic
