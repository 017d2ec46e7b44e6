// What a device needs to simulate one large network with all its multiprocessors: virtual cut-through with
// packets as the unit, as docs/simulator.md defines it, with up to 4 lanes. A packet's next port depends on
// the switch and on its destination.
//
// For each cable end and cycle there is a word (NetworkWord) from the node at the other end: a packet that
// entered the channel, a credit, or nothing. A node waits for the words that it needs in a cycle, and for
// nothing else: blocks never meet. Words stand in a ring by cycle. A node that is in cycle t has read its
// neighbours' words of cycle t - wait, so none of them is further behind than that: a ring of twice the
// longest wait never loses a word, and one bit tells a word from the one before it in the same place.
#pragma once
#include "gpu/replica_data.hpp"

namespace banyan::gpu {

// A port and the channel that leaves through it. They have the numbers of channels; NICs come first, one
// each.
struct alignas(16) NetworkEnd {
  u32 far = no_port;    // the end at the other node; none: no cable
  u16 wait = 1;         // cycles after which the word from there is read
  u16 packet_rest = 0;  // cycles from then until a packet in it is visible, or at a NIC consumed
  u32 credit_rest = 0;  // likewise until all of a credit is there
  u32 unused = 0;
};

// The route of a destination at a row of switches: a port at those of one subtree, another at all others.
struct NetworkRoute {
  static constexpr u32 max_subtree = 0xFFFF;

  static BANYAN_BOTH u32 of(u32 subtree, u32 inside, u32 outside) {
    return subtree << 16 | inside << 8 | outside;
  }
  static BANYAN_BOTH u32 port(u32 route, u32 subtree) {
    return (route >> 16 == subtree ? route >> 8 : route) & 255u;
  }
};

struct alignas(16) NetworkSwitch {
  u32 first_end = 0, ports = 0;
  u32 row = 0, subtree = 0;  // where its routes are
};

struct NetworkData {
  static constexpr u32 max_lanes = 4, max_ports = 254, max_packet_rest = 7, max_packet_flits = 4095;

  ReplicaFabric fabric{};  // without ports and ways
  u32 ends = 0;
  u32 ring_bits = 1;                // the ring of words holds 2^ring_bits cycles
  u32 nic_bits = 0, time_bits = 0;  // of a NIC's number and of a cycle, in a word
  u32 places = 1;                   // of a buffer, behind its front
  const NetworkEnd* end = nullptr;
  const NetworkSwitch* at = nullptr;  // fabric.switches
  const u32* route = nullptr;         // by row and NIC
};

// From the lowest bit: the round of the ring; the lane, plus 1, of a packet; that of a credit; the packet's
// destination; the cycles in which its message was created and its head left the NIC.
struct NetworkWord {
  static constexpr u32 lane_at = 1, credit_at = 4, packet_at = 7, lane_mask = 7;

  static constexpr bool fits(u32 nic_bits, u32 time_bits) {
    return packet_at + nic_bits + 2 * time_bits <= 64;
  }
  static BANYAN_KERNEL u32 lane(u64 word) { return static_cast<u32>(word) >> lane_at & lane_mask; }
  static BANYAN_KERNEL u32 credit(u64 word) { return static_cast<u32>(word) >> credit_at & lane_mask; }
  static BANYAN_KERNEL u64 packet(u64 word) { return word >> packet_at << packet_at; }
  static BANYAN_KERNEL u64 of(const NetworkData& data, u32 to, u32 created, u32 entered) {
    return (u64{to} | (u64{created} | u64{entered} << data.time_bits) << data.nic_bits) << packet_at;
  }
  static BANYAN_KERNEL u32 to(const NetworkData& data, u64 word) {
    return static_cast<u32>(word >> packet_at) & ((1u << data.nic_bits) - 1);
  }
  static BANYAN_KERNEL u32 created(const NetworkData& data, u64 word) { return time(data, word, 0); }
  static BANYAN_KERNEL u32 entered(const NetworkData& data, u64 word) {
    return time(data, word, data.time_bits);
  }

 private:
  static BANYAN_KERNEL u32 time(const NetworkData& data, u64 word, u32 from) {
    return static_cast<u32>(word >> (packet_at + data.nic_bits + from)) & ((1u << data.time_bits) - 1);
  }
};

// A port of a switch. Numbers of lanes are bytes of a word.
struct NetworkPort {
  static constexpr u32 none = 255;  // in `front`

  u32 front = ~u32{0};  // the output that the front of each lane's buffer wants
  u32 fill = 0;         // packets in each buffer, those that are not yet visible too
  u32 head = 0;         // the place of the packet behind the front
  u32 room = 0;         // of the buffer at the other end, in packets
  u32 pointers = 0;     // as below
  u32 busy = 0;         // cycles until the channel is free; behind 16 bits, the input
  u32 entered = 0;      // packets that entered the channel
  u32 due = 0;          // packets that will be visible: the lane, plus 1; 4 bits for each cycle from the next
  static constexpr u32 words = 8;

  // The slot (4 * input + lane) that is asked first; the lane that is tried first; a credit that is not all
  // there: its lane, plus 1, and the cycles until it is.
  static constexpr u32 slot_mask = 0xFFF, lane_at = 12, credit_at = 15, rest_at = 18;
  static constexpr u32 lane_mask = 7;
};

// A NIC: the port of a switch, where `front` ... `due` have other meanings, and its random process.
struct NetworkNic {
  NetworkPort port{};
  u64 random = 0;
  double time = 0;

  BANYAN_KERNEL u32& created() { return port.front; }
  BANYAN_KERNEL u32& wake() { return port.fill; }
  BANYAN_KERNEL u32& to() { return port.head; }
  BANYAN_KERNEL u32& drawn() { return port.due; }
};

// How the nodes are dealt to blocks, a port or a NIC for each thread, and where the state of a block stands
// in its memory, in bytes. Block b has switches b, b + blocks, ..., and groups of NICs from the last block
// on.
struct NetworkLayout {
  u32 threads = lanes;  // of a block
  u32 blocks = 1;
  u32 switches = 0, groups = 0;  // the maximum of a block: of switches, of groups of NICs
  u32 all_groups = 0;
  u32 outputs = 0, best = 0;  // by port of the present switch
  u32 state = 0;              // by word of NetworkPort, and thread of a switch or group
  u32 random = 0, time = 0;   // by thread of a group
  u32 fronts = 0;             // by port and lane, if they are here
  bool has_fronts = false;
  bool has_one = false;  // every block has one switch, or one group
  u32 bytes = 0;

  NetworkLayout() = default;
  constexpr NetworkLayout(const NetworkData& data, u32 of_threads, u32 max_blocks, bool keeps_fronts)
      : threads(of_threads), has_fronts(keeps_fronts) {
    all_groups = (data.fabric.nics + threads - 1) / threads;
    const u32 all = data.fabric.switches + all_groups;
    blocks = max_blocks < all ? max_blocks : all;
    has_one = blocks == all;
    switches = (data.fabric.switches + blocks - 1) / blocks;
    groups = (all_groups + blocks - 1) / blocks;
    const auto take = [this](u32 size) {
      const u32 from = bytes;
      bytes += aligned(size);
      return from;
    };
    outputs = take(4 * threads), best = take(4 * threads);
    state = take(4 * NetworkPort::words * units() * threads);
    random = take(8 * groups * threads), time = take(8 * groups * threads);
    if (has_fronts) fronts = take(8 * NetworkData::max_lanes * switches * threads);
  }

  constexpr u32 units() const { return switches + groups; }
};

// The memory of a network.
struct NetworkMemory {
  u64* word = nullptr;     // by cycle of the ring and end; before the first cycle: all bits set
  u64* waiting = nullptr;  // by end, lane and place
  u64* front = nullptr;    // by end and lane, if blocks do not have them
  u8* state = nullptr;     // by block: layout.bytes
  ReplicaNic* nic = nullptr;
  const ReplicaTarget* target = nullptr;
  ReplicaResults results{};
};

// What a network begins with.
struct NetworkStart {
  const ReplicaNic* nic = nullptr;
  const ReplicaTarget* target = nullptr;
  u64 targets = 0, routes = 0, ranks = 0;  // the sizes of arrays
  u32 max_ports = 1;                       // of a switch
};

}  // namespace banyan::gpu
