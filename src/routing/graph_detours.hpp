// Forward on any graph by shortest hops, directly or through a middle switch, whatever is cabled (Valiant,
// SIAM J. Computing 1982; Singh, Stanford 2005).
//
// Lanes: with at most `reach` channels between two switches with hosts, the lane of a channel is the number
// of channels to follow on its half of the way, and on the half to the middle `reach` more. So the lane falls
// with every hop, which keeps every graph free of deadlock. The direct way may also begin on the upper lanes
// and change to the lower ones at any switch.
#pragma once
#include <vector>

#include "routing/detour.hpp"
#include "routing/port_sets.hpp"

namespace banyan::routing {

class GraphDetours {
 public:
  // Every NIC must have one port. `sets`: the shortest hops of the fabric; `reach`: at least 1.
  GraphDetours(const Fabric& fabric, PortSets sets, u32 reach);

  // The header's tag is a NIC at the middle switch. Who passes the destination on the way there stops; a
  // middle that cannot be reached is left out.
  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }
  u32 lanes() const { return 2 * reach_; }

 private:
  // A pair of destination and middle.
  struct Way {
    Nic goal, middle;
    u32 apart;  // channels between their switches
  };
  Way way(const Header& header) const;
  u32 distance(u32 v, Nic to) const {
    const u32 group = sets_.group(to);
    return group == PortSets::nobody ? PortSets::far : sets_.distance(group, v);
  }
  u32 around(u32 v, const Way& way) const;  // channels to the goal's switch, by way of the middle
  void go_straight(Node node, const Way& way, bool may_be_upper, Hops& out) const;
  void go_around(Node node, const Way& way, Hops& out) const;
  void offer(Node node, const Header& header, const Way& way, Hops& out) const;  // at a switch

  PortSets sets_;
  u32 reach_;
  std::vector<u32> first_;  // by switch: its first channel in to_
  std::vector<u32> to_;     // by channel out of a switch: the switch it leads to, or none
  std::vector<u32> leaf_;   // by NIC: its switch
};

}  // namespace banyan::routing
