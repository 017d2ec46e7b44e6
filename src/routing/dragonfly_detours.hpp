// Forward on a Dragonfly by at most one global cable between two groups, directly or through a middle group
// (Kim et al., ISCA 2008). Any of several cables between two groups may be taken.
//
// Lanes: l0 g0 l1 g1 l2, where the lane of a local channel is the number of global cables before it. The
// direct way has one global hop and starts on lane 0 or 1. A progressive packet (PAR: Jiang, Kim and Dally,
// ISCA 2009) that goes directly decides once more behind its first local hop; that hop has lane 0, and all
// other lanes are one higher.
#pragma once
#include <span>
#include <vector>

#include "routing/detour.hpp"
#include "routing/header.hpp"
#include "topology/dragonfly.hpp"

namespace banyan::routing {

class DragonflyDetours {
 public:
  static constexpr u32 lanes_straight = 2, lanes_around = 3, lanes_progressive = 4;

  DragonflyDetours(const Dragonfly& shape, u32 planes, u32 lanes, bool is_progressive = false);

  u32 groups() const { return groups_; }  // a tag names one of them
  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const { return true; }

 private:
  static constexpr u8 revises = 255;  // a state: behind the first local hop of a progressive packet

  struct Cable {
    u32 near, far;  // switches of the plane
    Port port;      // at the near one
  };
  struct Leg {
    u32 group;  // the next group
    u32 goal;   // the final switch
    u32 lane;
    u8 here, there;  // states in this group and in the next
  };

  u32 group(u32 v) const { return v / group_switches_; }
  Port local_port(u32 v, u32 w) const {
    const u32 a = v % group_switches_, b = w % group_switches_;
    return Port{hosts_per_switch_ + b - (b > a)};
  }
  std::span<const Cable> cables(u32 from, u32 to) const {
    const std::size_t pair = std::size_t{from} * groups_ + to;
    return {cables_.data() + first_[pair], first_[pair + 1] - first_[pair]};
  }
  u16 all_lanes() const { return static_cast<u16>((1u << lanes_) - 1); }
  u32 straight(u32 v, u32 goal) const;  // channels from a switch to a NIC at another one; the minimum
  void cross(u32 v, const Leg& leg, Hops& out) const;
  void go_straight(u32 v, u32 goal, u32 lane, Hops& out) const;
  void decide(u32 v, u32 goal, u32 middle, bool may_revise, Hops& out) const;
  void go_around(u32 v, u32 middle, u32 goal, Hops& out) const;
  void offer(u32 v, const Header& header, Hops& out) const;  // at a switch

  Planes planes_;
  u32 hosts_per_switch_, group_switches_, groups_, lanes_;
  u32 first_lane_;             // 1 for progressive packets
  std::vector<u32> first_;     // by pair of groups, with one entry more at the end
  std::vector<Cable> cables_;  // from one group to another, in order of the near switches
};

}  // namespace banyan::routing
