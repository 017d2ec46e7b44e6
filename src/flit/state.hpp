// All that changes while a simulation runs, in flat arrays. Every element belongs to one node and so to one
// part of the fabric; only packets and messages travel.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "flit/allocator.hpp"
#include "flit/layout.hpp"
#include "flit/pool.hpp"
#include "routing/header.hpp"
#include "routing/tree_form.hpp"

namespace banyan::flit {

// How packets move. packets: virtual cut-through, a packet at a time.
enum class Mode : u8 { wormhole, vct, packets };

// What a packet tells its NIC of the path that it took.
struct Trail {
  u32 path;       // which of its routing's ways; none: there is one
  u32 cycles;     // of its head from the NIC on, if nothing were in its way
  u32 is_marked;  // it has met a long queue
  static constexpr u32 none = ~u32{0};
};

struct alignas(64) Packet {
  Header header;
  u64 number;  // of those its NIC has sent
  u32 flits;
  union {
    MessageId message;  // that it is of; none: of one that has no record
    ParcelId parcel;    // instead, in hosts with several NICs
  };
  u32 entered;  // the cycle in which its head left its NIC, modulo 2^32
  Nic source;
  u8 is_control;  // in hosts with several NICs: it holds no data
  // Where the forward knows the whole way when the packet starts:
  u8 hop;     // ports that it has gone through; where packets choose
              // again: the header's state when it came to this node
  u16 lanes;  // permitted on all of it
  union {
    std::array<u8, 2 * TreeForm::max_levels> ports;  // the NIC's first
    Trail trail;                                     // instead, where paths are recycled
  };
  u32 created;  // of a message without record: its cycle, modulo 2^32
};
static_assert(sizeof(Packet) == 64);

struct Message {
  u64 created;
  u32 flits;  // not consumed yet
  u32 round;
};

// A packet in a node, from the arrival of its head until its last flit has left: in an input buffer, in an
// output queue, or at the front of a NIC.
struct alignas(32) Entry {
  PacketId packet;
  u32 left;      // flits that have not left
  Channel exit;  // it leaves through
  u16 lanes;     // permitted
  u16 unused = 0;
  u32 there;                     // flits that may leave
  EntryId next = none<EntryId>;  // behind it in the same queue
  LaneId out = none<LaneId>;     // wormhole, packets of several flits: the lane that it owns
  Lane lane = none<Lane>;        // that it was given, or none
  u8 asleep = 0;                 // wormhole: its bit among the bodies was cleared, as it could not move
  u16 unused_too = 0;            // with all bytes given, it is written in a few steps
};

// A queue of entries.
struct Queue {
  EntryId front = none<EntryId>, back = none<EntryId>;

  bool is_empty() const { return front == none<EntryId>; }
};

// The buffer of a lane at the end of a channel: the packets in it, and where its credits go.
struct Input : Queue {
  u64 others = 0;              // slots of other ports, in the word of 64 that has its own
  LaneId near = none<LaneId>;  // the lane at the other end of the channel
  u32 first_exit = 0;          // of its node
  u16 slot = 0;                // in its node
  u16 usual = 0;  // where credits go, as usual_place() says; 0: elsewhere, or they leave the part
  Node node{};    // that has it
};
static_assert(sizeof(Input) == 32);

// What a node knows of a lane of one of its channels.
struct OutLane {
  u32 room = 0;                   // flits that may cross to it: credits, or room in the output's queue
  u32 credits = 0;                // where there is an output queue
  EntryId owner = none<EntryId>;  // wormhole: the entry that holds it,
  u32 owner_slot = 0;             // and its slot
};

// An exit of a node: what does not change stands beside what does, in one cache line.
struct alignas(64) Output {
  u64 heads = 0;       // slots whose candidate for this output has no lane yet; switches of up to 64 slots
  u64 bodies = 0;      // wormhole: slots whose candidate has a lane and can move
  u64 from = ~u64{0};  // slots from which candidates are looked for
  u16 free_lanes = 0;  // that no packet owns
  u16 open_lanes = 0;  // with room for a flit, or for the largest packet in virtual cut-through
  LaneId far = none<LaneId>;  // as in ChannelEnd
  Node node{};
  LaneId first_lane{};
  u16 writing = 0;  // packets that are crossing to it
  u16 usual = 0;    // where flits go, as usual_place() says; 0: elsewhere, or it is slow or leaves the part
  u16 pointer = 0, head_count = 0;  // of switches of more than 64 slots: as `from`; bits among the heads
  u64 flits = 0;                    // that entered the channel, since the last tally
  u32 routed = 0;  // for choices and marks: flits that will enter or have, counted since `flits` are
  u8 port = 0, lane_pointer = 0;
  u16 body_count = 0;  // likewise among the bodies

  u8 send_pointer = 0;
  bool leaves_part = false, is_slow = false, is_endless = false;  // endless: unlimited ejection
  u16 far_part = 0;
  bool has_queue = false;
  u32 flight = 1;
  u64 free_at = 0;  // when the channel is free next, in 1/65536 of a cycle
  u64 until = 0;    // packets as the unit: the cycle from which the channel is free
  u32 step = 65536;
  EntryId sending = none<EntryId>;  // virtual cut-through: the entry of its queue that is on its way
};
static_assert(offsetof(Output, send_pointer) == 64 && sizeof(Output) == 128);

// A packet that holds an input port: virtual cut-through.
struct Crossing {
  EntryId entry;
  Channel exit;  // from the input's queue to that output
  EntryId copy;  // its entry in the output's queue, or none
  LaneId lane;   // it stood in
};

struct State {
  State(const Fabric& fabric, const NetworkOptions& options, u32 packet_flits, Mode mode, const Share& share);

  // What is not of this process's nodes stays untouched.
  Layout layout;
  NetworkOptions options;
  Mode mode;
  u32 packet_flits;
  bool is_staged;              // switches allocate in stages
  PagedVector<Input> inputs;   // by lane; with virtual output queues only `back` counts
  PagedVector<Queue> voq;      // by voq_place
  std::vector<u64> first_voq;  // by node
  PagedVector<OutLane> lanes;
  PagedVector<Queue> queues;     // by lane: output queues
  PagedVector<u64> trickle_end;  // by lane, packets as the unit: when the last credit of a packet comes
  PagedVector<u64>
      consuming;  // by exit of a NIC, likewise: when it has consumed what arrives through that port
  PagedVector<Output> outputs;  // by exit
  PagedVector<u64> masks;  // by exit: words of heads, then of bodies, as in Output, of more than 64 slots
  PagedVector<u64> idle;   // by node and word: slots of input ports that no packet holds
  PagedVector<Crossing> crossings;  // by exit: what holds the input port
  PagedVector<u64> ready;           // by node and port word: outputs that may have a candidate
  PagedVector<u64> crossing;        // likewise: input ports that a packet holds
  PagedVector<u64> sends;           // likewise: outputs whose queue is not empty
  SharedPool<PacketId, Packet> packets;
  SharedPool<MessageId, Message> messages;

  void begin_node(Node v);  // as it is before anything happens

  const Output& output(Channel exit) const { return outputs[index(exit)]; }
  const OutLane& out_lane(LaneId lane) const { return lanes[index(lane)]; }
  const Queue& queue(LaneId lane) const { return queues[index(lane)]; }

  // Where the queue of packets from a slot of a node to one of its ports stands.
  u64 voq_place(Node v, u32 slot, u32 port) const {
    return first_voq[index(v)] + u64{slot} * layout.ports(v) + port;
  }
};

}  // namespace banyan::flit
