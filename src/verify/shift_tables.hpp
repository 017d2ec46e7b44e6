// Tables, destination by destination: the tree of switches towards it, from the hosts on, without asking
// pairs.
#pragma once
#include <vector>

#include "routing/routing.hpp"
#include "verify/shift_sieve.hpp"

namespace banyan::verify {

// For tables where NICs have one port and every source starts with the one address that is asked for.
class TableSieve {
 public:
  TableSieve(const Fabric& fabric, const Tables& tables, ShiftSieve& sieve);

  // The flows to one host on one rail: how many arrive, the host's own included unless none does;
  // `circles` if they go in circles, and then the sieve may have noted more than there is.
  static constexpr u32 circles = ~u32{0};
  u32 arriving(u32 host, u32 rail, Address to);

 private:
  struct Leaf {  // a switch with hosts of one rail
    u32 row;     // its place among the entries for a destination
    u32 first_out, ports;
    u32 lo, hi, hosts;
  };
  struct Inbox {  // flows that came to a switch and were not yet sent on
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
