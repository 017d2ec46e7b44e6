// What ranks send to each other: demands in rounds, drawn anew for every sample where the pattern is random.
// Ranks know nothing of hosts; a placement (placement.hpp) says where they run.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/ids.hpp"

namespace banyan::traffic {

enum class Rank : u32 {};  // a process of a job, from 0

struct Demand {
  Rank from, to;
  double amount = 1;  // bytes where the traffic is in bytes, else relative to the others
  bool operator==(const Demand&) const = default;
};

struct Traffic {
  // Patterns that whoever handles many samples may draw for himself, without a list; each equals its list.
  enum class Draw : u8 {
    listed,
    permutation,  // p = 0, 1, ... shuffled with (seed, sample) (base/shuffle.hpp): rank p[i] sends to rank i
    bisection,    // p as above: rank p[i] sends to p[i + ranks / 2], for i < ranks / 2
    uniform,      // everyone to everyone else alike
    shifts,       // round r is the shift by r + 1
  };
  // Appends the demands of a round: a function of its arguments alone.
  using List = std::function<void(u64 seed, u64 sample, u64 round, std::vector<Demand>& out)>;

  u32 ranks;
  List list;
  u64 rounds = 1;          // one after another
  bool is_random = false;  // every sample differs; otherwise sample 0 says it all
  bool in_bytes = false;   // a collective: amounts are bytes
  Draw draw = Draw::listed;
  std::string algorithm{};  // of a collective: the one that was chosen
};

}  // namespace banyan::traffic
