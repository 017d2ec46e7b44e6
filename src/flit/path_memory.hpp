// What NICs remember of the paths that their packets took, for `path-choice recycled` (docs/simulator.md,
// "Recycled paths"; Bonato et al., REPS: Recycled Entropy Packet Spraying, 2024).
#pragma once
#include <map>
#include <queue>
#include <unordered_map>
#include <vector>

#include "flit/clock.hpp"
#include "flit/options.hpp"

namespace banyan::flit {

// The paths from one NIC to another. A path is *fresh* from its acknowledgement until a packet takes it.
class PathMemory {
 public:
  // The path of a packet that is taken up in cycle `now`. `drawn`: the one to try if no better one is known.
  u32 choose(const NetworkOptions& options, u64 packet, u32 drawn, u64 now);
  void acknowledge(const NetworkOptions& options, const Acknowledgement& of);

 private:
  bool is_frozen(u64 timeout, u64 now);

  std::vector<u32> paths_;          // those remembered, the one acknowledged last at the end
  u32 fresh_ = 0;                   // so many at the end are fresh
  u64 frozen_until_ = 0;            // cycle
  std::map<u64, u64> outstanding_;  // with a time-out: packets without an acknowledgement, when taken up
};

// Those of all NICs of a part, and the acknowledgements that are on their way to them.
class PathMemories {
 public:
  explicit PathMemories(const NetworkOptions& options) : options_(options) {}

  // Due later than in the present cycle.
  void expect(const Acknowledgement& one) { due_.push(one); }
  // PathMemory::choose() for a pair of NICs, which knows all that was acknowledged until `now`.
  u32 choose(Nic from, Nic to, u64 packet, u32 drawn, u64 now);

 private:
  struct IsLater {
    bool operator()(const Acknowledgement& a, const Acknowledgement& b) const;
  };

  static u64 pair(Nic from, Nic to) { return u64{index(from)} << 32 | index(to); }

  const NetworkOptions& options_;
  std::unordered_map<u64, PathMemory> memories_;  // by pair
  std::priority_queue<Acknowledgement, std::vector<Acknowledgement>, IsLater> due_;
};

}  // namespace banyan::flit
