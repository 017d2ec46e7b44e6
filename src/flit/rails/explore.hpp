// All interleavings of a few hosts under a rail policy: every order in which control packets, stripes and
// timeouts can come, packets passing each other at will. Runs the functions that the simulator runs.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "flit/rails/policy.hpp"

namespace banyan::flit {

struct Exploration {
  struct Wish {
    u32 from, process, to;
    u32 flits = 1;
    u64 bytes = 1 << 20;
    u32 to_process = 0;
  };
  std::string policy = "dynamic";
  u32 hosts = 3, rails = 1, processes = 1;
  double stripe = 0;
  TieRule tie = TieRule::strict;
  bool has_timeouts = true;
  std::vector<Wish> wishes;    // those of a process in order
  std::vector<u64> live = {};  // by host: its rails; empty: all hosts have all
  u64 max_states = 4'000'000;  // more are refused with InputError
};

struct Explored {
  u64 states = 0, steps = 0, ends = 0;  // ends: states in which all is done and every NIC is free
  // What went wrong first, in words, with the steps that lead there.
  std::optional<std::string> violation;  // of an invariant: a reservation lost or doubled, a flit lost
  std::optional<std::string> deadlock;   // nothing can happen, and not all is delivered
  std::optional<std::string> livelock;   // can go round for ever although every packet arrives
  std::array<std::array<u64, nic_statuses>, nic_events> cells{};  // steps that came to a cell of Table 1

  bool is_good() const { return !violation && !deadlock && !livelock && ends > 0; }
};

Explored explore(const Exploration& what);

// Hosts 0 .. n-1, each with a message for the next one.
Exploration cycle_of(u32 hosts);

}  // namespace banyan::flit
