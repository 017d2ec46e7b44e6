// What a lane of a warp knows of its port, in fast memory, whatever moves through it: packets
// (gpu/port_kernel.hpp) or flits (gpu/flit_kernel.hpp).
#pragma once
#include "base/histogram_slots.hpp"
#include "gpu/port_data.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// A replica. Of each buffer, `kept` packets (a power of two, or none) are in fast memory.
template <class OfWarp, class Shape, u32 kept>
class PortState {
 public:
  using Warp = OfWarp;
  using Mask = typename Shape::Mask;
  using Packet = typename Shape::Packet;
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  BANYAN_KERNEL PortState(const ReplicaFabric& fabric, const PortLayout& layout, const ReplicaMemory& memory,
                          u8* state, u32 replica, const ReplicaRun& run)
      : fabric_(fabric),
        layout_(layout),
        nics_(memory.nic + u64{replica} * fabric.nics),
        first_(run.first),
        end_(run.first + run.cycles),
        state_(state),
        packets_(reinterpret_cast<Packet*>(memory.packed) +
                 (u64{replica} * fabric.ports << Shape::shift(fabric)) * fabric.places),
        draws_(fabric, memory.target, replica),
        latency_(memory.results.latency + u64{replica} * fabric.latencies) {}

  BANYAN_KERNEL u32& pointers(u32 port) const { return at<u32>(layout_.pointers, port); }

  // --- before the first cycle; the state of a replica that has never run is 0
  BANYAN_KERNEL void begin_port(u32 port) const {
    if (fabric_.port[port].far == no_port) return;
    pointers(port) = ((1u << fabric_.lanes) - 1) << 16;
    for (u32 lane = 0; lane < fabric_.lanes; ++lane)
      at<u16>(layout_.end, (port << shift()) + lane) = static_cast<u16>(fabric_.capacity);
  }
  BANYAN_KERNEL void begin_nic(u32 number) const {
    const ReplicaNic& nic = nics_[number];
    at<u64>(layout_.random, number) = nic.random;
    at<double>(layout_.time, number) = nic.time;
    at<u64>(layout_.route, number) = fabric_.route[number * fabric_.nics + nic.pending_to];
    at<u32>(layout_.created, number) = as_cycle(nic.pending);
    at<u32>(layout_.wake, number) = nic.rate > 0 ? as_cycle(nic.pending) : never;
    at<u32>(layout_.drawn, number) = 1;
  }

  // --- a cycle
  // Lanes whose outputs the switch visits before this one's.
  BANYAN_KERNEL u32 visited_before(const ReplicaPort& here, u32 port, u32 now) const {
    const u32 own = port - here.first_port;
    const u32 start = (here.ports & (here.ports - 1)) == 0 ? now & (here.ports - 1) : now % here.ports;
    const u32 below = (1u << own) - 1, skipped = (1u << start) - 1;
    const u32 all = (2u << (here.ports - 1)) - 1;
    return (own >= start ? below & ~skipped : below | (all & ~skipped)) << here.first_port % lanes;
  }
  // Leaves candidates to those outputs that take one: its slot.
  BANYAN_KERNEL void match(const Warp& warp, const PerLane<ReplicaPort>& here, const PerLane<u32>& pointers,
                           PerLane<Mask>& candidates, PerLane<u32>& slot, u32 first, u32 now) const {
    PerLane<u32> before, rivals;
    PerLane<bool> asks, bit;
    warp.compute([&](u32 lane) {
      before[lane] = candidates[lane] != 0 ? visited_before(here[lane], first + lane, now) : 0;
    });
    do {
      warp.compute([&](u32 lane) {
        const Mask all = candidates[lane], later = all & ~Mask{0} << (pointers[lane] & 255);
        asks[lane] = all != 0;
        slot[lane] = asks[lane] ? first_bit_of(later != 0 ? later : all) : 0;
      });
      const u32 asking = warp.ballot(asks);
      warp.compute([&](u32 lane) { rivals[lane] = asks[lane] ? before[lane] & asking : 0; });
      BANYAN_UNROLL
      for (u32 b = 0; b < Shape::port_bits(fabric_); ++b) {
        warp.compute([&](u32 lane) { bit[lane] = (slot[lane] >> (shift() + b) & 1) != 0; });
        const u32 ones = warp.ballot(bit);
        warp.compute([&](u32 lane) { rivals[lane] &= bit[lane] ? ones : ~ones; });
      }
      warp.compute([&](u32 lane) {
        asks[lane] = rivals[lane] != 0;
        if (asks[lane]) candidates[lane] &= ~slots_of(slot[lane] >> shift());
      });
    } while (warp.ballot(asks) != 0);
  }

 protected:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles
  static constexpr u32 bits = 8 * sizeof(Mask);

  BANYAN_KERNEL u32 shift() const { return Shape::shift(fabric_); }
  BANYAN_KERNEL u32 packet_flits() const { return Shape::flits(fabric_); }
  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(state_ + array)[i];
  }
  BANYAN_KERNEL Mask mask_at(u32 array, u32 i) const {
    if constexpr (bits == 32)
      return reinterpret_cast<const AnyU32*>(state_ + array)[i];
    else
      return reinterpret_cast<const AnyU64*>(state_ + array)[i];
  }
  static BANYAN_KERNEL u32 to_come(u32 until, u32 now) { return until > now ? until - now : 0; }
  static BANYAN_KERNEL u32 as_cycle(u64 time) {
    return time < waits_for_room ? static_cast<u32>(time) : never;
  }

  // --- buffers
  BANYAN_KERNEL u32 next_place(u32 place) const { return place + 1 == fabric_.places ? 0 : place + 1; }
  // A packet that finds fewer than `kept` others in its buffer stands in fast memory, where it takes turns
  // with them: the one before it there has been taken.
  BANYAN_KERNEL Packet load(u32 buffer, u32 place) const {
    if constexpr (kept > 0)
      if (const Packet& packet = kept_place(buffer, place); packet.is_there()) return packet;
    return packets_[u64{buffer} * fabric_.places + place];
  }
  BANYAN_KERNEL Packet take(u32 buffer, u32 place) const {
    if constexpr (kept > 0) {
      Packet& packet = kept_place(buffer, place);
      const Packet out = packet;
      packet = {};
      if (out.is_there()) return out;
    }
    return packets_[u64{buffer} * fabric_.places + place];
  }
  BANYAN_KERNEL void store(u32 buffer, u32 place, const Packet& packet, u32 used_room) const {
    if constexpr (kept > 0)
      if (used_room <= (kept - 1) * fabric_.packet_room) {
        kept_place(buffer, place) = packet;
        return;
      }
    packets_[u64{buffer} * fabric_.places + place] = packet;
  }

  // --- hops
  BANYAN_KERNEL u32 hop_of(u64 route) const {
    return static_cast<u32>(route) & ((1u << fabric_.hop_bits) - 1);
  }
  BANYAN_KERNEL u32 port_of(u32 hop) const {
    return Shape::has_one_set ? hop : hop & ((1u << fabric_.hop_port_bits) - 1);
  }
  BANYAN_KERNEL u32 set_of(u32 hop) const { return Shape::has_one_set ? 0 : hop >> fabric_.hop_port_bits; }

  // --- what is due
  BANYAN_KERNEL u16& arrival(u32 port, u32 when) const {
    return at<u16>(layout_.arrivals, (when & (fabric_.flights - 1)) * fabric_.ports + port);
  }
  BANYAN_KERNEL u8& credit(u32 port, u32 when) const {
    return at<u8>(layout_.credits, (when & (fabric_.credit_flights - 1)) * fabric_.ports + port);
  }
  BANYAN_KERNEL void take_credit(u32 port, u32& pointers, u32 now) const {
    u8& due = credit(port, now);
    if (due == 0) return;
    ++at<u16>(layout_.end, (port << shift()) + due - 1);
    pointers |= 1u << (15 + due);
    due = 0;
  }

  // --- candidates
  // A slot wants to leave through this port: a packet that may take these lanes, or the one that has a lane.
  BANYAN_KERNEL u32& half(u32 port, u32 set, u32 slot) const {
    const u32 row = Shape::has_one_set ? port : set * fabric_.ports + port;
    return at<u32>(layout_.candidates, row * (bits / 32) + (bits == 32 ? 0 : slot / 32));
  }
  BANYAN_KERNEL u32 slot_of(const ReplicaPort& here, u32 port, u32 lane) const {
    return ((port - here.first_port) << shift()) + lane;
  }
  // The front of a buffer is a candidate for its output.
  BANYAN_KERNEL void show(const ReplicaPort& here, u32 slot, u32 hop) const {
    Warp::mark(half(here.first_port + port_of(hop), set_of(hop), slot), 1u << slot % 32);
  }
  // Of these lanes, those that a packet may take.
  BANYAN_KERNEL u32 permitted(u32 hop, u32 lanes_of_channel) const {
    return Shape::has_one_set ? lanes_of_channel : fabric_.lane_set[set_of(hop)] & lanes_of_channel;
  }
  // Heads that could take one of these lanes.
  BANYAN_KERNEL Mask heads(u32 port, u32 lanes_of_channel) const {
    if constexpr (Shape::has_one_set) return lanes_of_channel != 0 ? mask_at(layout_.candidates, port) : 0;
    Mask out = 0;
    for (u32 set = 0; set < fabric_.sets; ++set)
      if ((fabric_.lane_set[set] & lanes_of_channel) != 0)
        out |= mask_at(layout_.candidates, set * fabric_.ports + port);
    return out;
  }

  // --- channels
  // A packet gets a lane: the first of these from the pointer on. Returns the lane.
  BANYAN_KERNEL u32 enter_channel(u32 port, const ReplicaPort& here, u32 fit, const Packet& packet,
                                  u32& pointers, u32 now) const {
    const u32 lane = lane_from(fit, pointers >> 8 & 255);
    u16& end = at<u16>(layout_.end, (port << shift()) + lane);
    const u32 room = end & 255;
    const bool restarts = room == fabric_.capacity;
    const u32 place = restarts ? 0 : end >> 8;
    end = static_cast<u16>((room - 1) | next_place(place) << 8);
    pointers = (pointers & ~0xFF00u) | (lane + 1) << 8;
    if (room == 1) pointers &= ~(1u << (16 + lane));
    store((here.far << shift()) + lane, place, packet, fabric_.capacity - room);
    arrival(here.far, now + here.flight) =
        static_cast<u16>(PortArrival::of(lane, restarts, packet.hop(fabric_)).word);
    ++at<u32>(layout_.entered, port);
    return lane;
  }

  // --- NICs
  BANYAN_KERNEL void restart_counts(u32 number) const {
    at<u64>(layout_.latencies, number) = at<u64>(layout_.network_cycles, number) = 0;
    at<u64>(layout_.times, number) = at<u32>(layout_.sent, number) = 0;
    at<u32>(layout_.max_latency, number) = at<u32>(layout_.last, number) = 0;
    at<u32>(layout_.consumed, number) = 0;
  }
  BANYAN_KERNEL void count_packet(u32 number, u32 created, u32 entered, u32 done) const {
    const u32 latency = done - created;
    Warp::add(latency_[histogram_slot(latency)], u32{1});
    at<u64>(layout_.latencies, number) += latency;
    at<u64>(layout_.network_cycles, number) += done - entered;
    at<u64>(layout_.times, number) += done;
    u32& largest = at<u32>(layout_.max_latency, number);
    largest = latency > largest ? latency : largest;
    at<u32>(layout_.last, number) = done;
  }
  // The packet that leaves a NIC in this cycle; it is counted.
  BANYAN_KERNEL Packet first_of(u64 route, u32 number, u32 now) const {
    ++at<u32>(layout_.sent, number);
    at<u64>(layout_.times, number) -= now;
    return Packet::of(fabric_, route >> fabric_.hop_bits, at<u32>(layout_.created, number), now);
  }
  // The next message, which waits at least until `free`.
  BANYAN_KERNEL void draw_next(u32 number, u32 free) const {
    ReplicaNic nic = nics_[number];
    nic.random = at<u64>(layout_.random, number);
    nic.time = at<double>(layout_.time, number);
    draws_.draw(nic);
    at<u64>(layout_.random, number) = nic.random;
    at<double>(layout_.time, number) = nic.time;
    ++at<u32>(layout_.drawn, number);
    const u32 next = as_cycle(nic.pending);
    at<u64>(layout_.route, number) = fabric_.route[number * fabric_.nics + nic.pending_to];
    at<u32>(layout_.created, number) = next;
    at<u32>(layout_.wake, number) = next > free ? next : free;
  }
  // What was counted, but for packets and flits. `is_at_front`: a message has come to the front.
  BANYAN_KERNEL void tally_messages(u32 number, bool is_at_front, ReplicaTally& out, u32& waits_since) const {
    ReplicaNic& nic = nics_[number];
    waits_since = is_at_front ? at<u32>(layout_.created, number) : no_message;
    Warp::add(out.latencies, at<u64>(layout_.latencies, number));
    Warp::add(out.network_cycles, at<u64>(layout_.network_cycles, number));
    Warp::add(out.entered, u64{at<u32>(layout_.sent, number)});
    Warp::add(out.times, at<u64>(layout_.times, number));
    Warp::raise(out.last_message, u64{at<u32>(layout_.last, number)});
    Warp::raise(out.max_latency, u64{at<u32>(layout_.max_latency, number)});
    ReplicaNic next = nic;
    next.random = at<u64>(layout_.random, number);
    next.time = at<double>(layout_.time, number);
    next.drawn = at<u32>(layout_.drawn, number);
    next.pending = draws_.pending(next);
    if (is_at_front) draws_.draw(next);  // what is behind it, to be counted
    Warp::add(out.created, draws_.created_until(next, end_));
  }

  const ReplicaFabric& fabric_;
  const PortLayout& layout_;
  ReplicaNic* const nics_;
  const u32 first_, end_;

 private:
  BANYAN_KERNEL Packet& kept_place(u32 buffer, u32 place) const {
    return at<Packet>(layout_.kept, buffer * kept + place % kept);
  }
  BANYAN_KERNEL Mask slots_of(u32 input) const {
    return static_cast<Mask>((Mask{2} << ((1u << shift()) - 1)) - 1) << (input << shift());
  }

  u8* const state_;
  Packet* const packets_;
  const ReplicaDraws draws_;
  u32* const latency_;
};

}  // namespace banyan::gpu
