// What a device needs beside gpu/replica_data.hpp where switches are small: a lane of a warp then has a port,
// and a warp has whole switches. Ports stand in groups of 32, NICs first; the first port of a switch is a
// multiple of the next power of two of its ports, so that no switch is in two warps.
#pragma once
#include "gpu/replica_data.hpp"

namespace banyan::gpu {

// A way is a word: a few bits for each hop, `hop_bits` of the fabric, that of the NIC lowest. A hop is the
// port, and above it the set of lanes.
struct PortRoute {
  static constexpr u32 min_port_bits = 3, max_port_bits = 5, max_hop_bits = 8;
};

// A packet in a buffer. The hop of the node it stands in is the lowest of its way.
struct alignas(16) WidePacket {
  u64 route = 0;
  u32 created_in = 0, entered_in = 0;  // as ReplicaPacket has them

  static BANYAN_KERNEL WidePacket of(const ReplicaFabric&, u64 route, u32 created, u32 entered) {
    return {route, created, entered};
  }
  BANYAN_KERNEL u32 hop(const ReplicaFabric& fabric) const {
    return static_cast<u32>(route) & ((1u << fabric.hop_bits) - 1);
  }
  BANYAN_KERNEL WidePacket in_next(const ReplicaFabric& fabric) const {
    return {route >> fabric.hop_bits, created_in, entered_in};
  }
  BANYAN_KERNEL u32 created(const ReplicaFabric&) const { return created_in; }
  BANYAN_KERNEL u32 entered(const ReplicaFabric&) const { return entered_in; }
};

// The same in 64 bits, where ways and times are short enough: the way, both times, and a bit that is set.
template <u32 hop_bits>
struct NarrowPacket {
  u64 word = 0;

  static BANYAN_KERNEL NarrowPacket of(const ReplicaFabric& fabric, u64 route, u32 created, u32 entered) {
    return {u64{1} << 63 | route | (u64{created} | u64{entered} << fabric.time_bits) << fabric.route_bits};
  }
  BANYAN_KERNEL bool is_there() const { return word != 0; }
  BANYAN_KERNEL u32 hop(const ReplicaFabric&) const {
    return static_cast<u32>(word) & ((1u << hop_bits) - 1);
  }
  BANYAN_KERNEL NarrowPacket in_next(const ReplicaFabric& fabric) const {
    const u32 low = static_cast<u32>(word), way = low & ((1u << fabric.route_bits) - 1);
    return {(word & ~u64{0xFFFFFFFF}) | (low ^ way ^ way >> hop_bits)};
  }
  BANYAN_KERNEL u32 created(const ReplicaFabric& fabric) const { return time(fabric, 0); }
  BANYAN_KERNEL u32 entered(const ReplicaFabric& fabric) const { return time(fabric, fabric.time_bits); }

  static bool fits(const ReplicaFabric& fabric) {
    return fabric.hop_bits == hop_bits && fabric.route_bits < 32 && fabric.time_bits < 32 &&
           fabric.route_bits + 2 * fabric.time_bits < 64;
  }

 private:
  BANYAN_KERNEL u32 time(const ReplicaFabric& fabric, u32 from) const {
    return static_cast<u32>(word >> (fabric.route_bits + from)) & ((1u << fabric.time_bits) - 1);
  }
};

constexpr u32 kept_packets = 2, kept_bytes = 16;  // of each buffer, in the memory of a multiprocessor

// What a kernel knows when it is compiled: that a port has 2^shift lanes, and a packet may take any of them;
// the bits of a port's number; the flits of a packet, if not 0. `Mask` has a bit for each slot of a switch.
template <class OfMask, u32 of_shift, u32 of_bits, u32 of_flits = 0>
struct KnownShape {
  using Mask = OfMask;
  using Packet = NarrowPacket<of_bits>;
  static constexpr bool has_one_set = true;
  static constexpr u32 kept = kept_packets;  // at most

  static BANYAN_KERNEL u32 shift(const ReplicaFabric&) { return of_shift; }
  static BANYAN_KERNEL u32 port_bits(const ReplicaFabric&) { return of_bits; }
  static BANYAN_KERNEL u32 flits(const ReplicaFabric& fabric) {
    return of_flits > 0 ? of_flits : fabric.packet_flits;
  }
  static bool fits(const ReplicaFabric& fabric) {
    return fabric.slots <= 8 * sizeof(Mask) && fabric.shift == of_shift && fabric.sets == 1 &&
           fabric.lane_set[0] == (1u << fabric.lanes) - 1 && Packet::fits(fabric) &&
           (of_flits == 0 || fabric.packet_flits == of_flits);
  }
};

template <class OfMask>
struct AnyShape {
  using Mask = OfMask;
  using Packet = WidePacket;
  static constexpr bool has_one_set = false;
  static constexpr u32 kept = 0;

  static BANYAN_KERNEL u32 shift(const ReplicaFabric& fabric) { return fabric.shift; }
  static BANYAN_KERNEL u32 port_bits(const ReplicaFabric& fabric) { return fabric.port_bits; }
  static BANYAN_KERNEL u32 flits(const ReplicaFabric& fabric) { return fabric.packet_flits; }
  static bool fits(const ReplicaFabric& fabric) { return fabric.slots <= 8 * sizeof(Mask); }
};

// What reaches a port: the lane, plus 1; whether the buffer begins at its first place; the packet's hop. Or
// one more flit of the packet that came last on that lane.
struct PortArrival {
  u32 word = 0;

  static BANYAN_BOTH PortArrival of(u32 lane, bool restarts, u32 hop) {
    return {(lane + 1) | (restarts ? 32u : 0) | hop << 6};
  }
  static BANYAN_BOTH PortArrival of_body(u32 lane) { return {(lane + 1) | 1u << 14}; }
  BANYAN_BOTH bool is_body() const { return word >> 14 != 0; }
  BANYAN_BOTH u32 lane() const { return (word & 31) - 1; }
  BANYAN_BOTH bool restarts() const { return (word & 32) != 0; }
  BANYAN_BOTH u32 hop() const { return word >> 6; }
};

// Where the state of a replica stands in the memory of a multiprocessor, in bytes. All of it belongs to ports
// or NICs.
struct PortLayout {
  u32 arrivals = 0, credits = 0;          // by cycle and port
  u32 candidates = 0;                     // by set of lanes, port and half: slots that want to leave here
  u32 busy = 0;                           // by first port of a switch / 4 and half: slots of busy inputs
  u32 begin = 0;                          // by port and lane: place of the front; packets, behind 8 bits
  u32 end = 0;                            // by port and lane, of the buffer at the other end: room, place
  u32 pointers = 0;                       // by port: open lanes, and where the scans begin
  u32 out_until = 0, in_until = 0;        // by port: the cycle from which channel and input are free
  u32 entered = 0;                        // by port: that entered its channel
  u32 random = 0, time = 0, route = 0;    // by NIC, as in ReplicaNic; the way of the next message, or of
  u32 created = 0, wake = 0, drawn = 0;   // the one at the front
  u32 latencies = 0, network_cycles = 0;  // by NIC: sums of what was consumed
  u32 times = 0, sent = 0;                // by NIC: as in ReplicaTally; packets whose heads it has sent
  u32 consumed = 0, max_latency = 0, last = 0;  // by NIC: packets; cycles
  // Of flits:
  u32 front = 0, owner = 0;   // by port and lane: what is on its way; the slot that owns a lane
  u32 bodies = 0, owned = 0;  // by port: slots with a lane and a flit; lanes that have an owner
  u32 flits = 0;              // by NIC: consumed
  u32 kept = 0;               // by port and lane: a few packets of the buffer
  u32 bytes = 0;

  PortLayout() = default;
  // So many bytes of each buffer are in the memory of the multiprocessor.
  constexpr PortLayout(const ReplicaFabric& fabric, u32 of_buffer) {
    const auto take = [this](u32 size) {
      const u32 at = bytes;
      bytes += aligned(size);
      return at;
    };
    const u32 ports = fabric.ports, buffers = ports << fabric.shift, halves = halves_of(fabric);
    kept = take(of_buffer * buffers);
    arrivals = take(2 * ports * fabric.flights), credits = take(ports * fabric.credit_flights);
    candidates = take(4 * ports * halves * fabric.sets);
    begin = take(2 * buffers), end = take(2 * buffers);
    pointers = take(4 * ports), entered = take(4 * ports);
    if (fabric.moves_flits) {
      front = take(4 * buffers), owner = take(buffers);
      bodies = take(4 * ports * halves), owned = take(2 * ports), flits = take(4 * fabric.nics);
    } else {
      busy = take(ports * halves), out_until = take(4 * ports), in_until = take(2 * ports);
    }
    random = take(8 * fabric.nics), time = take(8 * fabric.nics), route = take(8 * fabric.nics);
    latencies = take(8 * fabric.nics), network_cycles = take(8 * fabric.nics), times = take(8 * fabric.nics);
    created = take(4 * fabric.nics), wake = take(4 * fabric.nics), drawn = take(4 * fabric.nics);
    sent = take(4 * fabric.nics), consumed = take(4 * fabric.nics), max_latency = take(4 * fabric.nics),
    last = take(4 * fabric.nics);
  }

  static constexpr u32 halves_of(const ReplicaFabric& fabric) { return fabric.slots <= 32 ? 1 : 2; }
};

}  // namespace banyan::gpu
