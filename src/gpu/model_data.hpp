// What a device needs to simulate all that docs/simulator.md defines for switches that give lane and output
// at once, flit by flit: virtual cut-through and wormhole, virtual output queues, output queues, unlimited
// ejection, channels of different rates, messages of several packets and of random lengths, several ways and
// adaptive routings. It is slower than gpu/replica_data.hpp and gpu/port_data.hpp, which say what they take.
//
// Where packets go is a graph. A vertex is a node and the header with which a packet comes there, and it
// lists the hops that are offered; a hop leads to the vertex at the next node.
#pragma once
#include "gpu/replica_data.hpp"

namespace banyan::gpu {

// A port of a node and the channel that leaves through it. They have the numbers of channels; NICs come
// first, one port each.
struct ModelPort {
  u32 far = no_port;   // the port at the other end; none: no cable
  u32 flight = 1;      // cycles until a flit is visible there, or at a NIC consumed
  u32 latency = 1;     // cycles until a credit is there
  u32 step = 65536;    // between two flits, in 1/65536 of a cycle
  u32 on_the_way = 0;  // missing credits that do not count when a packet chooses
  bool is_endless = false, has_queue = false;
};

struct ModelHop {
  u32 next = 0;  // vertex; none at a NIC
  u16 lanes = 0;
  u8 port = 0, left = 0;
};

struct ModelLength {
  double until;  // share of this length and all before it
  u32 flits, unused = 0;
};

struct ModelData {
  static constexpr u32 max_ports = 64, max_packets = 1u << 26, max_flits = 65535;
  static constexpr u32 in_turn = 0, in_message = 1, by_packet = 2, by_message = 3;  // path_choice

  ReplicaFabric fabric{};  // without ports and ways: NICs and switches, lanes, and what draws messages
  u32 ports = 0;
  u32 words = 1;                        // of 64 slots, for the largest switch
  u32 places = 1, queue_places = 0;     // of packets in an input buffer, in an output queue
  u32 queues = 1;                       // of an input lane: one, or one for each output
  u32 flights = 2, credit_flights = 2;  // powers of two above any flight, above any latency
  bool moves_packets = true;            // virtual cut-through: a packet holds input and output
  bool counts_packets = false;          // a packet that has begun does not wait: as packets as the unit
  bool is_adaptive = false, has_slow = false, has_queues = false, is_finite = true;
  u32 output_flits = 0, writers = 1, hop_bias = 0, path_choice = 0;
  u32 packets = 0;                                   // that a replica can hold
  u32 message_flits = 0;                             // of every message; 0: they are drawn
  u32 lengths = 0;                                   // 0: drawn lengths are exponential
  double mean_flits = 0, size_scale = 0;             // of a message; of exponential lengths
  double burst_on = 0, burst_off = 0, on_share = 1;  // on: 0, if sources are always on
  const ReplicaNode* node = nullptr;                 // NICs first
  const ModelPort* port = nullptr;
  const u32* first_hop = nullptr;  // by vertex, and one past the last
  const ModelHop* hop = nullptr;
  const u32* first_way = nullptr;  // by source NIC * nics + destination, and one past the last
  const u32* way = nullptr;        // the vertex where a packet starts
  const ModelLength* length = nullptr;
  u64 vertices = 0, hops = 0, ways = 0, ranks = 0;  // sizes of arrays

  // Calls f(array, size) for each array; some are null.
  static constexpr void arrays(auto& self, auto&& f) {
    const u64 nics = self.fabric.nics;
    f(self.node, nics + self.fabric.switches);
    f(self.port, u64{self.ports});
    f(self.first_hop, self.vertices + 1);
    f(self.hop, self.hops);
    f(self.first_way, nics * nics + 1);
    f(self.way, self.ways);
    f(self.length, u64{self.lengths});
    f(self.fabric.nic_of_rank, self.ranks);
    f(self.fabric.logarithms, u64{1});
  }
};

// A NIC: what creates its messages, and the message and the packet at its front.
struct ModelNic {
  ReplicaNic random{};  // `drawn` counts flits; what it has consumed since the last tally
  double on_until = 0, off = 0;
  u64 seed = 0;  // of choices among ways and hops
  u32 pending_flits = 0;
  u32 to = 0, to_cut = 0;                 // flits of the message that are in no packet yet
  u32 message = 0, created = 0, cut = 0;  // its first packet; when; packets that were cut
  u32 sent = 0;                           // packets that came to the front
  u32 packet = no_port;                   // at the front
  u32 left = 0, lanes = 0, lane = 0;      // its flits; lanes that it may take; the one it has, plus 1
  u32 messages = 0;                       // consumed
  u64 message_cycles = 0;
};

struct ModelPacket {
  u32 created = 0, entered = 0;  // cycles: of its message; in which its head left its NIC
  u32 vertex = 0;                // where it is routed next
  u32 source = 0, number = 0;    // among those that its NIC has sent
  u32 flits = 0;
  u32 message = 0, to_come = 0;  // the first packet of its message; of that: flits that are not consumed
  // In an endless queue:
  u32 next = 0;
  u16 there = 0, left = 0;
};

// A packet in an input buffer.
struct ModelEntry {
  u32 packet = 0;
  u16 there = 0, left = 0;  // flits that may leave, that have not left
  u16 copy = 0;             // its place in the output queue
  u16 lanes = 0;            // that it may take
  u16 next = 0;             // place of the one behind it
  u8 output = 0, lane = 0;  // the one that it has, plus 1
};

// A packet in an output queue: flits that were written and not sent, that have not been sent.
struct ModelQueued {
  u32 packet = 0;
  u16 there = 0, left = 0;
};

constexpr u32 no_place = 0xFFFF, no_packet = ~u32{0};

// What reaches a port: the lane, plus 1; and of a head its packet.
struct ModelArrival {
  u32 word = 0;

  static BANYAN_KERNEL ModelArrival of_head(u32 lane, u32 packet) { return {(lane + 1) | 32u | packet << 6}; }
  static BANYAN_KERNEL ModelArrival of_body(u32 lane) { return {lane + 1}; }
  BANYAN_KERNEL u32 lane() const { return (word & 31) - 1; }
  BANYAN_KERNEL bool is_head() const { return (word & 32) != 0; }
  BANYAN_KERNEL u32 packet() const { return word >> 6; }
};

// Where the state of a replica stands in memory, in bytes.
struct ModelLayout {
  u32 candidates = 0;                      // by port: slots whose first packet for it could move
  u32 ready = 0, crossing = 0, sends = 0;  // by switch: outputs with candidates; inputs that packets hold;
                                           // outputs whose queues hold something
  u32 free_at = 0;                         // by port: of a slow channel, in 1/65536 of a cycle
  u32 arrivals = 0, credits = 0;           // by cycle and port
  u32 queued = 0;                          // by port: flits that were routed to it
  u32 held = 0;                            // by port: the packet that crosses from there, lane and place
  u32 writing = 0, owned = 0, pointers = 0, sending = 0;  // by port: packets; lanes; slot, lane and lane to
                                                          // send; the lane that sends, plus 1
  u32 credit = 0, room = 0;                               // by port and lane: of the far buffer, of the queue
  u32 entries = 0;                                        // by port of a switch, lane and place
  u32 last = 0, free = 0;      // by port and lane: places of the packet that came last, of a free one
  u32 front = 0, back = 0;     // by port, lane and queue
  u32 queue = 0, begin = 0;    // by port and lane: output queues, place and number of packets
  u32 endless = 0, freed = 0;  // by port and lane: front and back; by port: the lane that has sent
  u32 arriving = 0;            // by NIC and lane: packet, flits to come
  u32 bytes = 0;
  u64 wanted = 0;  // the same; it does not fit if this is 2^32 or more

  ModelLayout() = default;
  constexpr explicit ModelLayout(const ModelData& data) {
    const auto take = [this](u64 size) {
      const u32 at = bytes;
      bytes += aligned(static_cast<u32>(size));
      wanted += size + 16;
      return at;
    };
    const u32 ports = data.ports, buffers = ports * data.fabric.lanes, nics = data.fabric.nics;
    const u32 of_switches = buffers - nics * data.fabric.lanes;
    candidates = take(8 * ports * data.words);
    ready = take(8 * data.fabric.switches), crossing = take(8 * data.fabric.switches);
    sends = take(8 * data.fabric.switches);
    if (data.has_slow) free_at = take(8 * ports);
    arrivals = take(u64{4} * ports * data.flights), credits = take(u64{ports} * data.credit_flights);
    if (data.is_adaptive) queued = take(4 * ports);
    held = take(4 * ports), pointers = take(4 * ports);
    writing = take(2 * ports), owned = take(2 * ports), sending = take(ports);
    credit = take(2 * buffers), entries = take(u64{of_switches} * data.places * sizeof(ModelEntry));
    last = take(2 * buffers), free = take(2 * buffers);
    front = take(u64{2} * buffers * data.queues), back = take(u64{2} * buffers * data.queues);
    arriving = take(8 * nics * data.fabric.lanes);
    if (!data.has_queues) return;
    room = take(2 * buffers), begin = take(4 * buffers), endless = take(u64{8} * buffers),
    freed = take(ports);
    queue = take(u64{buffers} * data.queue_places * sizeof(ModelQueued));
  }
};

// What was counted in the cycles of a run.
struct ModelTally {
  u64 packets = 0, flits = 0, messages = 0;        // consumed
  u64 packet_cycles = 0, message_cycles = 0;       // latencies, of packets that were not the last of
                                                   // their message; of messages
  u64 network_cycles = 0, entered = 0, times = 0;  // as in ReplicaTally, and those below
  u64 created = 0, last_message = 0, max_latency = 0;
  u64 lacks_packets = 0;  // it would need more than `packets` at a time
};

// What a run writes, by replica.
struct ModelResults {
  ModelTally* tally = nullptr;
  u32* channel_flits = nullptr;  // by port
  u32* latency = nullptr;        // two histograms: of packets that were not the last; of messages
  u32* waits_since = nullptr;    // by NIC, as in ReplicaResults
};

struct ModelStart {
  u32 replicas = 0;
  const ModelNic* nic = nullptr;
  const ReplicaTarget* target = nullptr;
  u64 targets = 0;
};

// Numbers of packets that are free, in a ring: `taken` of `given` have been taken out.
struct ModelPool {
  u32 taken = 0, given = 0;
};

// The memory of all replicas, by replica.
struct ModelMemory {
  u8* state = nullptr;  // layout.bytes each
  ModelNic* nic = nullptr;
  ModelPacket* packet = nullptr;
  u32* unused = nullptr;  // packets
  ModelPool* pool = nullptr;
  const ReplicaTarget* target = nullptr;  // of all replicas together
  ModelResults results{};
};

}  // namespace banyan::gpu
