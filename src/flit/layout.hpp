// The fabric as the engine sees it: flat numbers by channel and lane, and which part of the fabric belongs to
// which thread, of which process.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "flit/ids.hpp"
#include "flit/options.hpp"
#include "flit/zero_pages.hpp"

namespace banyan::flit {

// A channel, as the node that it leaves sees it.
struct ChannelEnd {
  LaneId far = none<LaneId>;  // the first lane of the port at the other end; none: no cable
  u32 flight = 1;             // cycles until what leaves is visible in the next switch, or consumed
  u32 latency = 1;            // cycles until a credit is there
  u32 step = 65536;           // cycles between flits, times 65536
  Node node{};                // that it leaves
  u16 far_part = 0;
  bool to_nic = false;
};

// The parts of a fabric, of which a process has some.
struct Share {
  u32 parts = 1, first = 0, own = 1;
  u32 block_channels = ~u32{0};  // channels of switches in a block, about
};

struct Layout {
  Layout(const Fabric& fabric, const NetworkOptions& options, const Share& share);

  u32 nics, nodes, parts;
  u32 first_part, own_parts;  // of this process
  u32 lanes, shift;           // lanes of a channel; a power of two of numbers is set aside for them
  u32 words;                  // of 64 slots, for the largest switch
  u32 port_words;             // of 64 ports
  u32 largest_flight;         // of any event
  u32 window;                 // cycles that parts may go on before they must meet
  bool has_slow;              // some channel has a rate below 1
  // Delays that channels have, the most frequent ones: `flight` times two, plus one to a NIC; `latency`.
  static constexpr u32 max_usual = 6;
  std::vector<u32> usual_flights, usual_latencies;
  // A part acts in one block of its nodes after the other, so that what is delivered is still in a cache when
  // the switch acts. Block 0 has the NICs; where there is one block, it has the switches too.
  static constexpr u32 max_blocks = 256;
  u32 blocks;
  std::vector<u8> block_of;       // by node; of switches in the order of their numbers
  std::vector<u32> first_exit;    // by node, and one past the last
  PagedVector<ChannelEnd> exits;  // of nodes of this process
  std::vector<u16> part_of;       // by node

  u32 block(LaneId lane) const { return block_of[index(node_of(lane))]; }
  // The place of a bag among those of usual delays, from 1 on: for what comes to a lane after a delay. 0: it
  // is none of these.
  u16 usual_place(const std::vector<u32>& delays, u32 delay, LaneId to) const;

  bool is_nic(Node v) const { return index(v) < nics; }
  u16 part(Node v) const { return part_of[index(v)]; }
  bool is_own_part(u32 part) const { return part - first_part < own_parts; }
  bool is_own(Node v) const { return is_own_part(part(v)); }
  bool is_own(Channel exit) const { return exits[index(exit)].flight != 0; }
  u32 ports(Node v) const { return first_exit[index(v) + 1] - first_exit[index(v)]; }
  Channel exit(Node v, u32 port) const { return Channel{first_exit[index(v)] + port}; }
  IdRange<Channel> exits_of(Node v) const { return {first_exit[index(v)], first_exit[index(v) + 1]}; }
  u32 port(Channel exit) const { return index(exit) - first_exit[index(node_of(exit))]; }
  Node node_of(Channel exit) const { return exits[index(exit)].node; }

  LaneId lane(Channel exit, u32 number) const { return LaneId{(index(exit) << shift) + number}; }
  LaneId lane(Channel exit, Lane number) const { return lane(exit, index(number)); }
  LaneId first_lane(Node v) const { return lane(exit(v, 0), 0); }
  IdRange<LaneId> lanes_of(Node v) const {
    return {first_exit[index(v)] << shift, first_exit[index(v) + 1] << shift};
  }
  u32 lane_count() const { return static_cast<u32>(exits.size()) << shift; }
  u32 nic_lanes() const { return first_exit[nics] << shift; }  // those of NICs come first
  Channel exit_of(LaneId lane) const { return Channel{index(lane) >> shift}; }
  u32 number_of(LaneId lane) const { return index(lane) & ((1u << shift) - 1); }  // in its channel
  Node node_of(LaneId lane) const { return node_of(exit_of(lane)); }
  // Flits that a busy channel sends before the credit of the first is back, if nothing holds them up.
  u64 round_trip_flits(Channel exit) const {
    const ChannelEnd& end = exits[index(exit)];
    return (u64{end.flight} + end.latency) * 65536 / end.step;
  }
  static u32 flight_kind(const ChannelEnd& end) { return 2 * end.flight + (end.to_nic ? 1 : 0); }
  bool is_cabled(LaneId lane) const { return exits[index(exit_of(lane))].far != none<LaneId>; }
  LaneId far(LaneId lane) const {  // the same lane at the other end of the cable
    return LaneId{index(exits[index(exit_of(lane))].far) + number_of(lane)};
  }
};

// For each node the part it belongs to: NICs with their switches, in order, then level by level.
std::vector<u16> split_nodes(const Fabric& fabric, u32 parts);

}  // namespace banyan::flit
