// Equal-cost multi-path: every switch knows all its shortest next hops to a leaf and takes one of them by a
// hash of the header's tag and itself. The tag stands for the flow: one flow, one path.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/header.hpp"

namespace banyan {

class HashedNextHops {
 public:
  explicit HashedNextHops(const Fabric& fabric);

  // A NIC that cannot be reached from here is offered as none<Port>.
  Hop next(Node node, const Header& header) const;
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return first_node_ > 0; }

 private:
  void group_nics(const Fabric& fabric);
  void search(const Fabric& fabric, u32 group, std::vector<u32>& queue);
  std::size_t slot(u32 group, u32 v) const { return std::size_t{group} * nodes_ + v; }

  static constexpr u8 far_ = 255;

  u32 first_node_, nodes_, words_;  // as in Tables; 64 ports a word
  std::vector<u32> group_of_;       // by NIC: NICs of one leaf share a group; none: no cable
  std::vector<u32> start_;          // by group: the leaf, or the NIC if it has several ports
  std::vector<u32> leaf_;           // by NIC of one port: its switch
  std::vector<Port> exit_;          // by NIC of one port: the port there
  std::vector<u8> distance_;        // by group and node: channels to the start
  std::vector<u64> ports_;          // by group, node and word: the next hops
};

}  // namespace banyan
