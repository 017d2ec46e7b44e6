// Traffic: what ranks send to each other, as demands in rounds; random patterns have different demands in
// every sample. Ranks know nothing about hosts; a placement (placement.hpp) assigns them.
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
  // Patterns that the caller may draw directly, without a list, when it needs many samples. Each equals its
  // list.
  enum class Draw : u8 {
    listed,
    permutation,  // p = 0, 1, ... shuffled with (seed, sample) (base/shuffle.hpp): rank p[i] sends to rank i
    bisection,    // p as above: rank p[i] sends to p[i + ranks / 2], for i < ranks / 2
    uniform,      // every rank sends equally to every other
    shifts,       // round r is the shift by r + 1
  };
  // Appends the demands of a round. It is a pure function of its arguments.
  using List = std::function<void(u64 seed, u64 sample, u64 round, std::vector<Demand>& out)>;

  u32 ranks;
  List list;
  u64 rounds = 1;          // one after another
  bool is_random = false;  // every sample differs; otherwise all samples equal sample 0
  bool in_bytes = false;   // a collective: amounts are bytes
  Draw draw = Draw::listed;
  // So many ranks in a row, from rank 0 on, send the same to the same others, none of them among these.
  // `list_firsts` lists what the first of each row sends; `list` lists all.
  u32 alike = 1;
  List list_firsts{};
  std::string algorithm{};  // of a collective: the one that was chosen
  // Of a collective: its size in bytes, and the share of it that each rank must send, both as NCCL's tests
  // count them; 0: it is none, or has no bytes.
  double size = 0, bus_share = 0;
};

}  // namespace banyan::traffic
