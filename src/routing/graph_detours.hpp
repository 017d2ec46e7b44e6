// Forward on any graph by shortest hops, directly or through a middle switch, whatever is cabled (Valiant,
// SIAM J. Computing 1982; Singh, Stanford 2005).
//
// Lanes: with at most `reach` channels between two switches with hosts, the lane of a channel is the number
// of channels to follow on its half of the way, and on the half to the middle `reach` more. So the lane falls
// with every hop, which keeps every graph free of deadlock. The direct way may also begin on the upper lanes
// and change to the lower ones at any switch.
//
// A progressive packet (PAR: Jiang, Kim and Dally, ISCA 2009) that goes directly decides once more behind a
// first hop within its group; that hop has a lane above all others.
//
// Where these are too many lanes, an escape by Up*/Down* takes their place: each half has one lane, and the
// escape the one behind. A packet that took the escape stays there until its destination.
#pragma once
#include <memory>
#include <vector>

#include "routing/detour.hpp"
#include "routing/port_sets.hpp"
#include "routing/up_down_escape.hpp"

namespace banyan::routing {

struct GraphDetourOptions {
  u32 reach = 1;                                 // at least 1; with an escape it is not looked at
  std::vector<u32> groups{};                     // by switch, of progressive packets; empty: there are none
  std::shared_ptr<const UpDownEscape> escape{};  // null: none
};

class GraphDetours {
 public:
  // Every NIC must have one port. `sets`: the shortest hops of the fabric. Progressive packets go by way of
  // middles from any switch, so `reach` counts from all of them.
  GraphDetours(const Fabric& fabric, PortSets sets, GraphDetourOptions options);

  // The header's tag is a NIC at the middle switch. Who passes the destination on the way there stops; a
  // middle that cannot be reached is left out.
  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }
  bool has_escape() const { return options_.escape != nullptr; }
  bool is_escape(const Hop& hop) const { return hop.state >= descends; }
  u32 lanes() const { return 2 * reach() + (has_escape() || is_progressive()); }

 private:
  static constexpr u8 revises = 4;                    // a state: behind the first hop of a progressive packet
  static constexpr u8 descends = 254, ascends = 255;  // states on the escape: may it go up?

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
  bool is_progressive() const { return !options_.groups.empty(); }
  u32 reach() const { return has_escape() ? 1 : options_.reach; }
  u32 lane(u32 left) const { return has_escape() ? 0 : left - 1; }  // on the half to the goal
  u32 leaf(Nic nic) const { return graph_.leaf[index(nic)]; }
  u32 next(u32 v, u32 port) const { return graph_.to[graph_.first[v] + port]; }
  u32 around(u32 v, const Way& way) const;  // channels to the goal's switch, by way of the middle
  void go_straight(Node node, const Way& way, bool may_be_upper, bool may_revise, Hops& out) const;
  void go_around(Node node, const Way& way, Hops& out) const;
  void take_escape(u32 v, const Way& way, u8 state, Hops& out) const;
  void offer_adaptive(Node node, u8 state, const Way& way, Hops& out) const;
  void offer(Node node, const Header& header, const Way& way, Hops& out) const;  // at a switch

  PortSets sets_;
  SwitchCables graph_;
  GraphDetourOptions options_;
};

}  // namespace banyan::routing
