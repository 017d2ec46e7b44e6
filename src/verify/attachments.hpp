// NICs as the fabric sees them, and how far apart they are. Hosts do not forward.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::verify {

// NICs of one rail that are cabled to the same nodes, port by port: no routing can tell them apart by their
// place.
struct Attachment {
  u32 rail = 0;
  std::vector<Node> at;   // by port; none<Node> where it is empty
  std::vector<Nic> nics;  // ascending
};
std::vector<Attachment> attachments(const Fabric& fabric);  // in order of their first NICs

inline constexpr u32 out_of_reach = ~u32{0};

// Shortest distances by breadth-first search, one attachment at a time.
class DistancesTo {
 public:
  explicit DistancesTo(const Fabric& fabric);

  void search(const Attachment& goal);
  // Channels from a NIC attached like this to one attached like the goal, and not the same.
  u32 from(const Attachment& source) const;

 private:
  u32 nics_;
  std::vector<u32> first_, near_;  // switches beside a switch, each once
  std::vector<u32> distance_, queue_;
  Nic direct_ = none<Nic>;  // the goal, when it is cabled straight to another NIC
};

}  // namespace banyan::verify
