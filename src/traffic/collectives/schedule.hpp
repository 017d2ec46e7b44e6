// Schedule: the messages of a collective operation, round after round. The files of this folder make
// schedules; the flow level and the simulator read them through Traffic.
#pragma once
#include <functional>
#include <vector>

#include "base/error.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

struct Schedule {
  u64 rounds = 0;
  std::function<void(u64 round, std::vector<Demand>& out)> list;  // appends; never called without rounds
};

inline Demand message(u32 from, u32 to, u64 bytes) {
  return {Rank{from}, Rank{to}, static_cast<double>(bytes)};
}

Schedule stored(std::vector<std::vector<Demand>> rounds);
Schedule in_sequence(Schedule first, Schedule second);

// In each round, rank i sends bytes(round, i) to rank to(round, i).
template <class To, class Bytes>
Schedule everyone(u32 ranks, u64 rounds, To to, Bytes bytes) {
  return {rounds, [ranks, to, bytes](u64 round, std::vector<Demand>& out) {
            for (u32 i = 0; i < ranks; ++i) out.push_back(message(i, to(round, i), bytes(round, i)));
          }};
}

// All other ranks send to the root in one round, or the root sends to all others.
Schedule to_root(u32 ranks, u32 root, u64 bytes);
Schedule from_root(u32 ranks, u32 root, u64 bytes);

// Converts numbers counted from the root to ranks.
struct FromRoot {
  u32 ranks, root;
  u32 operator()(u32 v) const {  // below ranks, as the root is
    const u64 sum = u64{v} + root;
    return static_cast<u32>(sum < ranks ? sum : sum - ranks);
  }
};

// A vector of elements that are never split.
struct Elements {
  u64 count;
  u32 size;  // bytes of one
  u64 bytes() const { return count * size; }
};
Elements elements(std::string_view collective, u64 bytes,
                  u32 element);  // throws InputError if it does not divide

// Divides `whole` items evenly: the first `whole % parts` parts have one more.
struct EvenParts {
  u64 whole, parts;
  u64 operator()(u64 i) const { return whole / parts + (i < whole % parts); }
};

inline u32 log2_ceil(u32 ranks) {
  u32 steps = 0;
  while ((u64{1} << steps) < ranks) ++steps;
  return steps;
}

}  // namespace banyan::traffic
