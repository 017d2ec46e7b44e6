// Counts the load of some channels by flows to one destination after the other, where tables route: what
// follows a switch is looked up once for all leaves that come through it.
#pragma once
#include "verify/shift_count.hpp"

namespace banyan::verify {

// For tables as in TableSieve.
class TableArcs {
 public:
  TableArcs(const Fabric& fabric, const Tables& tables);

  // Adds all flows to a NIC by this address, on the channels that the counter counts.
  void add(ShiftCounter& counter, Nic to, Address address);

 private:
  static constexpr u32 none_behind = ~u32{0};
  struct Known {
    u32 round = 0;  // round in which this was computed
    bool arrives = false;
    Channel out = none<Channel>;
    u32 counted = none_behind;  // the first switch, from here on, that leaves by a counted channel
    u32 behind = none_behind;   // the same, from the next switch on
  };

  void look_up(const ShiftCounter& counter, u32 v, Node goal, Address address);
  Channel exit(u32 v, Address address) const;

  const Fabric& fabric_;
  const Tables& tables_;
  std::vector<std::vector<ShiftOrigin>> origins_;  // by rail
  std::vector<Known> known_;                       // by switch
  std::vector<u32> path_;
  u32 round_ = 0;
};

}  // namespace banyan::verify
