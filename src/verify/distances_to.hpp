<<<<<<< HEAD:src/verify/distances_to.hpp
// How far NICs are apart, for the judge of minimal paths. Hosts do not forward.
=======
// NICs as the fabric sees them, and how far apart they are. Hosts do not forward.
>>>>>>> work:src/verify/attachments.hpp
#pragma once
#include <vector>

#include "fabric/attachments.hpp"

namespace banyan::verify {

<<<<<<< HEAD:src/verify/distances_to.hpp
=======
// NICs of one rail that are cabled to the same nodes, port by port: no routing can tell them apart by their
// place.
struct Attachment {
  u32 rail = 0;
  std::vector<Node> at;   // by port; none<Node> where it is empty
  std::vector<Nic> nics;  // ascending
};
std::vector<Attachment> attachments(const Fabric& fabric);  // in order of their first NICs

>>>>>>> work:src/verify/attachments.hpp
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
