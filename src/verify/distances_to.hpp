// Distances between NICs, for the judge of minimal paths. Hosts do not forward.
#pragma once
#include <vector>

#include "fabric/attachments.hpp"

namespace banyan::verify {

inline constexpr u32 out_of_reach = ~u32{0};

// Shortest distances by breadth-first search, one attachment at a time.
class DistancesTo {
 public:
  explicit DistancesTo(const Fabric& fabric);

  void search(const Attachment& goal);
  // The number of channels from a NIC with this attachment to another NIC with that of the goal.
  u32 from(const Attachment& source) const;

 private:
  u32 nics_;
  std::vector<u32> first_, near_;  // switches beside a switch, each once
  std::vector<u8> has_nic_;        // by switch; the search ends when all of them are found
  u32 with_nic_ = 0;               // how many
  std::vector<u32> distance_, queue_;
  Nic direct_ = none<Nic>;  // the goal, if it is cabled directly to another NIC
};

}  // namespace banyan::verify
