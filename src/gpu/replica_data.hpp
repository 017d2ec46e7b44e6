// What a device needs to simulate many replicas of one fabric: virtual cut-through with packets as the unit,
// or wormhole, as docs/simulator.md defines them. Replicas differ in load, seed and targets. Buffers are
// FIFO, packets have one size, and a packet's whole way is known when it starts.
#pragma once
#include "base/logarithm.hpp"
#include "gpu/kernel.hpp"

namespace banyan::gpu {

constexpr u32 no_port = ~u32{0}, no_way = ~u32{0};

// A port of a node and the channel that leaves through it.
struct ReplicaPort {
  u32 far = no_port;   // the port at the other end; none: no cable
  u16 flight = 1;      // cycles until a packet is visible there, or at a NIC consumed
  u16 latency = 1;     // cycles until a credit is there
  u32 first_port = 0;  // of its node
  u32 ports = 1;       // of its node
};

struct ReplicaNode {
  u32 first_port = 0, ports = 0;  // the first one of a switch is a multiple of 4
};

// A hop of a way: the port of the node, and which set of lanes of its channel is permitted.
struct ReplicaHop {
  u16 word = 0;

  static constexpr ReplicaHop of(u32 port, u32 set) { return {static_cast<u16>(port | set << 6)}; }
  BANYAN_BOTH u32 port() const { return word & 63u; }
  BANYAN_BOTH u32 set() const { return word >> 6; }
};

// The same for all replicas. NICs come before switches, in nodes and in ports.
struct ReplicaFabric {
  static constexpr u32 max_capacity = 255, max_ports = 64, max_lane_sets = 32;

  u32 nics = 0, switches = 0, ports = 0, nic_ports = 0;
  u32 lanes = 1, shift = 0;             // numbers of lanes that are set aside for a port: 2^shift
  u32 words = 1;                        // of 64 slots (port and lane of an input), for the largest switch
  u32 slots = 0;                        // of the largest switch
  u32 sets = 0;                         // of lanes
  u32 port_bits = 0;                    // of the number of a port of a switch
  u32 hop_bits = 0, hop_port_bits = 0;  // of a hop, as gpu/port_data.hpp has ways; of the port in it
  u32 route_bits = 0;                   // of the longest way of a packet that has left its NIC
  u32 time_bits = 0;                    // of any cycle
  bool moves_flits = false;             // wormhole
  u32 packet_flits = 1;
  u32 capacity = 1;                     // of a buffer, in packets; in flits, if they move
  u32 packet_room = 1;                  // what a packet needs of it
  u32 places = 1;                       // of a buffer, for packets of which flits are there or still come
  u32 flights = 2, credit_flights = 2;  // powers of two above any time of a packet, or a credit, on its way
  u32 arrivals = 0;                     // as below
  u32 rank_stride = 0;               // from a replica's ranks to the next one's; 0: they are on the same NICs
  u32 latencies = 0;                 // slots of a histogram of latencies
  u16 lane_set[max_lane_sets] = {};  // masks
  const ReplicaNode* node = nullptr;
  const ReplicaPort* port = nullptr;
  const u32* first_hop = nullptr;    // by source NIC * nics + destination, or no_way
  const ReplicaHop* hop = nullptr;   // ways, the NIC's hop first
  const u64* route = nullptr;        // the same as gpu/port_data.hpp has them, if switches and ways are small
  const u32* nic_of_rank = nullptr;  // of uniform traffic, by replica
  const LogarithmTable* logarithms = nullptr;

  static constexpr u32 poisson = 0, bernoulli = 1, back_to_back = 2;
};

struct ReplicaTarget {
  double until;  // share of this target and all before it
  u32 nic, unused = 0;
};

// A NIC: the random process that creates its messages, and the packet at its front.
struct ReplicaNic {
  u64 random = 0;      // the state of its generator
  double time = 0;     // of the last arrival
  double rate = 0;     // messages a cycle
  double scale = 0;    // of the exponential variates that times are made from
  u64 pending = 0;     // the cycle in which the next message is created
  u64 drawn = 0;       // messages, the pending one included
  u32 pending_to = 0;  // NIC
  u32 rank = 0;        // of uniform traffic
  u32 first_target = 0, last_target = 0;
  // The packet at the front:
  u32 created = 0, way = 0;
  // What it consumes, and has consumed since the last tally:
  u32 consumed_created = 0, consumed_entered = 0;
  u32 last_message = 0;
  u32 packets = 0, max_latency = 0;
  u32 consuming = 0, consumed = 0;  // until which cycle; flits
  u32 ranks = 0;                    // of uniform traffic; 0: it has targets
  u64 latencies = 0, network_cycles = 0;
  u64 entered = 0, times = 0;  // as in ReplicaTally
};

// A packet in a buffer.
struct alignas(16) ReplicaPacket {
  u32 created = 0, entered = 0;  // cycles: of its message; in which its head left its NIC
  u32 way = 0;                   // where the hop of the node it stands in is, among all hops
  ReplicaHop hop{};              // that hop
  u16 unused = 0;
};

// What was counted in the cycles of a run, apart from the histogram and the flits of each port's channel.
struct ReplicaTally {
  u64 packets = 0, flits = 0;  // consumed
  u64 latencies = 0, network_cycles = 0;
  // Packets whose heads left their NICs; the cycles in which packets were consumed, less those in which heads
  // left their NICs.
  u64 entered = 0, times = 0;
  u64 created = 0;       // flits until now, in 1 / created_unit
  u64 last_message = 0;  // the cycle in which the last one was consumed
  u64 max_latency = 0;

  static constexpr u64 created_unit = u64{1} << 20;
};

struct ReplicaRun {
  u32 first = 0, cycles = 0;  // the cycles to simulate; none: the replica rests
};

// Where the state of a replica stands in memory, in bytes. All of it belongs to ports, switches or NICs.
struct ReplicaLayout {
  // What reaches a port, by cycle and port, 0: nothing. Arrivals: the lane, plus 1, and behind 5 bits the
  // packet's hop. Credits: the lane, plus 1. Fresh: of any cycle, the lane, plus 1, that has a new front.
  u32 arrivals = 0, credits = 0, fresh = 0;
  u32 head = 0, count = 0, front = 0;  // by port and lane: the buffer, and the hop of its front
  u32 room = 0, tail = 0;              // by port and lane: of the buffer at the other end
  u32 candidates = 0;                  // by port: slots whose front wants to leave through it
  u32 ready = 0;                       // by switch: ports that have candidates
  u32 out_until = 0, in_until = 0;     // by port: the cycle from which the channel, the input port, is free
  u32 open = 0, pointers = 0;  // by port: lanes with room; where the scans for a slot and a lane begin
  u32 granted = 0;             // by port: what crosses to it
  u32 wake = 0, finish = 0;    // by NIC: when it takes its next message; when it has consumed a packet
  u32 bytes = 0;

  ReplicaLayout() = default;
  constexpr explicit ReplicaLayout(const ReplicaFabric& fabric) {
    const auto take = [this](u32 size) {
      const u32 at = bytes;
      bytes += aligned(size);
      return at;
    };
    const u32 ports = fabric.ports, buffers = ports << fabric.shift;
    candidates = take(8 * ports * fabric.words), ready = take(8 * fabric.switches);
    out_until = take(4 * ports), in_until = take(4 * ports);
    open = take(2 * ports), pointers = take(4 * ports), granted = take(2 * ports);
    wake = take(4 * fabric.nics), finish = take(4 * fabric.nics);
    head = take(buffers), count = take(buffers), room = take(buffers), tail = take(buffers);
    front = take(2 * buffers);
    arrivals = take(2 * ports * fabric.flights), credits = take(ports * fabric.credit_flights);
    fresh = take(ports);
  }
};

// What replicas begin with.
struct ReplicaStart {
  u32 replicas = 0;
  const u8* image = nullptr;  // the state of each: layout.bytes
  const ReplicaNic* nic = nullptr;
  const ReplicaTarget* target = nullptr;
  u64 targets = 0;
  // The sizes of the arrays of the fabric:
  u32 nodes = 0;
  u64 hops = 0, ranks = 0;
};

// What a run writes, by replica.
struct ReplicaResults {
  ReplicaTally* tally = nullptr;
  u32* channel_flits = nullptr;  // by port
  u32* latency = nullptr;        // histogram, by slot
  u32* waits_since = nullptr;    // by NIC: when the message at its front was created; none there: no_message
};
constexpr u32 no_message = ~u32{0};

// The memory of all replicas, by replica.
struct ReplicaMemory {
  u8* state = nullptr;                    // layout.bytes each
  ReplicaNic* nic = nullptr;              // by NIC
  ReplicaPacket* packet = nullptr;        // by port, lane and place in the buffer; or as
  u8* packed = nullptr;                   // gpu/port_data.hpp has them
  const ReplicaTarget* target = nullptr;  // of all replicas together
  ReplicaResults results{};
};

}  // namespace banyan::gpu
