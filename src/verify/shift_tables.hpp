// Feeds tables to the sieve of shifts, destination by destination: it walks the tree of switches towards each
// destination, starting from the hosts, instead of asking for every pair.
#pragma once
#include <vector>

#include "routing/routing.hpp"
#include "verify/shift_sieve.hpp"

namespace banyan::verify {

// Requires that NICs have one port and every source starts with the one address that is asked for.
class TableSieve {
 public:
  TableSieve(const Fabric& fabric, const Tables& tables, ShiftSieve& sieve);

  // Adds the flows to one host on one rail. Returns how many arrive, including the host's own unless none
  // does; `circles` if they loop, and then the sieve may contain too much.
  static constexpr u32 circles = ~u32{0};
  u32 arriving(u32 host, u32 rail, Address to);

 private:
  struct Leaf {  // a switch with hosts of one rail
    u32 row;     // its index among the entries for a destination
    u32 first_out, ports;
    u32 lo, hi, hosts;
  };
  struct Inbox {  // flows that arrived at a switch and were not yet sent on
    u32 flows = 0, lo = ~u32{0}, hi = 0;
  };

  void gather_leaves(const Fabric& fabric);
  void deliver(Node at, const Inbox& flows);

  const Fabric& fabric_;
  const Tables& tables_;
  ShiftSieve& sieve_;
  std::vector<std::vector<Leaf>> leaves_;  // by rail
  std::vector<Inbox> inbox_;               // by switch
  std::vector<u32> queue_;                 // of switches with something in their inbox
  Node goal_{};
  u32 arrived_ = 0;
};

}  // namespace banyan::verify
