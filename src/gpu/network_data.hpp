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
struct alignas(8) NetworkEnd {
  static constexpr u32 max_wait = 4096, max_packet_rest = 7, max_credit_rest = 0xFFFF;

  u32 far = no_port;  // the end at the other node; none: no cable
  u32 times = 1;      // as follows

  static BANYAN_BOTH u32 times_of(u32 wait, u32 packet_rest, u32 credit_rest) {
    return wait | packet_rest << 13 | credit_rest << 16;
  }
  // Cycles after which the word from there is read; from then until a packet in it is visible, or at a NIC
  // consumed; likewise until all of a credit is there.
  BANYAN_BOTH u32 wait() const { return times & 0x1FFF; }
  BANYAN_BOTH u32 packet_rest() const { return times >> 13 & max_packet_rest; }
  BANYAN_BOTH u32 credit_rest() const { return times >> 16; }
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
  u32 first_end = 0;
  u16 ports = 0, subtree = 0;
  u32 row = 0;    // of its routes
  u32 local = 0;  // the first of its ports in the memory of its block
};

struct NetworkData {
  static constexpr u32 max_lanes = 4, max_ports = 254, max_packet_flits = 4095;

  ReplicaFabric fabric{};  // without ports and ways
  u32 ends = 0;
  u32 ring_bits = 1;                // the ring of words holds 2^ring_bits cycles
  u32 nic_bits = 0, time_bits = 0;  // of a NIC's number and of a cycle, in a word
  bool has_rests = false;           // packets are visible later than the words that they are in
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

// A port of a switch: what it looks at in every cycle. Numbers of lanes are bytes of a word.
struct alignas(16) NetworkPort {
  static constexpr u32 nothing = 255;

  u32 front = ~u32{0};              // the output that the front of each lane's buffer wants, or `nothing`
  u32 room = 0;                     // of the buffer at the other end, in packets
  u32 out_until = 0, in_until = 0;  // the cycle from which the channel, the input, is free
};
// And what it looks at where something happens.
struct alignas(16) NetworkBuffer {
  u32 fill = 0;      // packets in each buffer, those that are not yet visible too
  u32 head = 0;      // the place of the front
  u32 pointers = 0;  // the slot (4 * input + lane) that is asked first; behind 12 bits, the lane tried first
  u32 credit = 0;  // one that is not all there: its lane, plus 1, and behind 3 bits the cycle in which it is
  static constexpr u32 slot_mask = 0xFFF, lane_at = 12, credit_cycle_at = 3, lane_mask = 7;
};

// A NIC.
struct NetworkNic {
  u32 created = 0, wake = 0, to = 0;  // the message at its front: its cycle; when it is sent; its destination
  u32 room = 0;                       // of the buffers at the other end: packets, a byte for each lane
  u32 lane = 0;                       // that is tried first
  u32 until = 0;                      // the cycle from which the channel is free
  u32 credit = 0;                     // as of a port
  u32 drawn = 0;                      // messages
  static constexpr u32 words = 8;

  u64 random = 0;
  double time = 0;
};

// How the nodes are dealt to blocks and to the warps in them, and where the state of a block stands in its
// memory, in bytes. Block b has switches b, b + blocks, ..., and groups of 32 NICs from the last block on;
// its warps take them in turns, or have one each. All that is "by port" is by port of all switches of the
// block.
struct NetworkLayout {
  u32 warps = 1;  // of a block
  u32 blocks = 1;
  u32 groups = 0;  // the maximum of a block
  u32 all_groups = 0;
  // Of the present switch of each warp, by port: where an output begins to look for a slot, and the best that
  // asked it, afterwards what is said; and inputs that ask.
  u32 outputs = 0, best = 0, said = 0, asking = 0;
  u32 of_warp = 0;  // bytes of these
  u32 ticket = 0;   // the next visit that a warp takes: of which unit, counted from cycle to cycle
  u32 done = 0;     // by unit: the cycle in which it is next
  u32 start = 0;    // by unit: the output of a switch that is visited first
  // By port:
  u32 state = 0;    // NetworkPort
  u32 buffer = 0;   // NetworkBuffer
  u32 entered = 0;  // packets that entered the channel
  u32 due = 0;      // packets that will be visible: the lane, plus 1; 4 bits for each cycle from the next
  u32 buffers = 0;  // by port, lane and place, if they are here
  u32 nic = 0;      // by word of NetworkNic, and NIC
  u32 random = 0, time = 0;
  bool keeps_buffers = false;
  u32 bytes = 0;

  NetworkLayout() = default;
  // `ports`: of a block, at most, as deal() says; of a switch: max_ports.
  constexpr NetworkLayout(const NetworkData& data, u32 of_block, u32 all_blocks, u32 ports, u32 max_ports,
                          bool keeps)
      : warps(of_block), blocks(all_blocks), keeps_buffers(keeps) {
    all_groups = (data.fabric.nics + lanes - 1) / lanes;
    groups = (all_groups + blocks - 1) / blocks;
    const auto take = [this](u32 size) {
      const u32 from = bytes;
      bytes += aligned(size);
      return from;
    };
    outputs = said = take(4 * max_ports), best = take(4 * max_ports), asking = take(max_ports);
    of_warp = bytes;
    bytes *= warps;
    ticket = take(4), done = take(4 * units(data, blocks)), start = take(4 * units(data, blocks));
    state = take(sizeof(NetworkPort) * ports), buffer = take(sizeof(NetworkBuffer) * ports);
    entered = take(4 * ports);
    if (data.has_rests) due = take(4 * ports);
    nic = take(4 * NetworkNic::words * groups * lanes);
    random = take(8 * groups * lanes), time = take(8 * groups * lanes);
    if (keeps) buffers = take(8 * ports * data.fabric.lanes * data.fabric.capacity);
  }

  // Units, as switches and groups are called, of a block at most.
  static constexpr u32 units(const NetworkData& data, u32 blocks) {
    const u32 groups = (data.fabric.nics + lanes - 1) / lanes;
    return (data.fabric.switches + blocks - 1) / blocks + (groups + blocks - 1) / blocks;
  }
  // Gives each switch its place among the ports of its block. Returns the maximum of a block.
  static constexpr u32 deal(NetworkSwitch* at, u32 switches, u32 blocks) {
    u32 out = 0;
    for (u32 b = 0; b < blocks; ++b) {
      u32 ports = 0;
      for (u32 i = b; i < switches; i += blocks) {
        at[i].local = ports;
        ports += at[i].ports;
      }
      out = ports > out ? ports : out;
    }
    return out;
  }
};

// The memory of a network.
struct NetworkMemory {
  u64* word = nullptr;    // by cycle of the ring and end; before the first cycle: all bits set
  u64* buffer = nullptr;  // by end, lane and place, if blocks do not have them
  u8* state = nullptr;    // by block: layout.bytes
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
