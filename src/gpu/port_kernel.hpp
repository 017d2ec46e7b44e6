// Replicas of a fabric of small switches in time, each by a block of warps: a lane of a warp has a port, with
// the input and the output there, or a NIC. What a node does in a cycle depends on its own state, and what it
// writes to others is due in a later cycle, so warps meet once for each cycle. A switch is within a warp.
// docs/simulator.md defines what happens; gpu/replica_kernel.hpp does the same for larger switches.
//
// A switch visits its outputs one after another, and each takes the first of its candidates whose input no
// earlier output took. All inputs so prefer outputs in one order: outputs that ask all at once, and ask for
// their next candidate where an earlier output asks for the same input, come to the same end.
#pragma once
#include "base/histogram_slots.hpp"
#include "gpu/port_data.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// A replica. `Mask` has a bit for each slot of a switch; `places` of each buffer are in fast memory.
template <class Warp, class Mask, u32 places>
class PortReplica {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  BANYAN_KERNEL PortReplica(const ReplicaFabric& fabric, const PortLayout& layout,
                            const ReplicaMemory& memory, u8* state, u32 replica, const ReplicaRun& run)
      : fabric_(fabric),
        layout_(layout),
        state_(state),
        nics_(memory.nic + u64{replica} * fabric.nics),
        packets_(memory.packed + (u64{replica} * fabric.ports << fabric.shift) * fabric.capacity),
        draws_(fabric, memory.target, replica),
        latency_(memory.results.latency + u64{replica} * fabric.latencies),
        first_(run.first),
        end_(run.first + run.cycles) {}

  // --- before the first cycle; the state of a replica that has never run is 0
  BANYAN_KERNEL void begin_port(u32 port) const {
    if (fabric_.port[port].far == no_port) return;
    at<u32>(layout_.pointers, port) = ((1u << fabric_.lanes) - 1) << 16;
    for (u32 lane = 0; lane < fabric_.lanes; ++lane)
      at<u16>(layout_.end, (port << fabric_.shift) + lane) = static_cast<u16>(fabric_.capacity);
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
  // Counting starts again. Flits of a channel are counted when their packet begins, but come later.
  BANYAN_KERNEL u32 start_counting(u32 port) const {
    at<u32>(layout_.packets, port) = 0;
    return to_come(at<u32>(layout_.out_until, port), first_);
  }
  // What a NIC began to consume in the run before may end in this one.
  BANYAN_KERNEL void resume_nic(u32 number) const {
    const ReplicaNic& nic = nics_[number];
    at<u64>(layout_.latencies, number) = at<u64>(layout_.network_cycles, number) = 0;
    at<u32>(layout_.max_latency, number) = at<u32>(layout_.last, number) = 0;
    at<u32>(layout_.consumed, number) = nic.consumed > 0;
    if (nic.consumed > 0 && nic.consuming <= end_)
      count_packet(number, nic.consumed_created, nic.consumed_entered, nic.consuming - 1);
  }

  // --- a cycle
  BANYAN_KERNEL void visit_switches(const Warp& warp, u32 first, u32 now) const {
    PerLane<ReplicaPort> here;
    PerLane<u32> pointers, slot;
    PerLane<Mask> candidates;
    warp.each([&](u32 lane) {
      const u32 port = first + lane;
      here[lane] = fabric_.port[port];
      pointers[lane] = at<u32>(layout_.pointers, port);
      if (here[lane].far == no_port) return;
      take_credit(port, pointers[lane], now);
      take_arrival(port, here[lane], now);
      if (fabric_.packet_flits > 1 && at<u16>(layout_.in_until, port) == static_cast<u16>(now))
        change_busy(port, here[lane], false);
    });
    PerLane<bool> asks;
    warp.compute([&](u32 lane) {
      candidates[lane] = 0;
      if (pointers[lane] >> 16 != 0 && at<u32>(layout_.out_until, first + lane) <= now)
        candidates[lane] = candidates_of(first + lane, here[lane], pointers[lane] >> 16);
      asks[lane] = candidates[lane] != 0;
    });
    if (warp.ballot(asks) != 0) {
      match(warp, here, pointers, candidates, slot, first, now);
      warp.compute([&](u32 lane) {
        if (candidates[lane] != 0) cross(first + lane, here[lane], slot[lane], pointers[lane], now);
      });
    }
    warp.compute([&](u32 lane) { at<u32>(layout_.pointers, first + lane) = pointers[lane]; });
  }

  BANYAN_KERNEL void visit_nic(u32 number, u32 now) const {
    const ReplicaPort here = fabric_.port[number];
    u32 pointers = at<u32>(layout_.pointers, number);
    take_credit(number, pointers, now);
    u16& arrival = at<u16>(layout_.arrivals, (now & (fabric_.flights - 1)) * fabric_.ports + number);
    if (arrival != 0) {
      consume(number, here, PortArrival{arrival}, now);
      arrival = 0;
    }
    const u32 wake = at<u32>(layout_.wake, number);
    if (wake == waits_for_room || wake <= now) send(number, here, pointers, wake, now);
    at<u32>(layout_.pointers, number) = pointers;
  }

  // --- behind the last cycle
  BANYAN_KERNEL u32 counted(u32 port) const {
    return at<u32>(layout_.packets, port) * fabric_.packet_flits -
           to_come(at<u32>(layout_.out_until, port), end_);
  }
  BANYAN_KERNEL void tally_nic(u32 number, ReplicaTally& out, u32& waits_since) const {
    ReplicaNic& nic = nics_[number];
    const u32 wake = at<u32>(layout_.wake, number), rest = to_come(nic.consuming, end_);
    waits_since = wake == waits_for_room ? at<u32>(layout_.created, number) : no_message;
    const u32 consumed = at<u32>(layout_.consumed, number);
    Warp::add(out.packets, u64{consumed} - (rest > 0));
    Warp::add(out.flits, u64{consumed - (nic.consumed > 0)} * fabric_.packet_flits + nic.consumed - rest);
    Warp::add(out.latencies, at<u64>(layout_.latencies, number));
    Warp::add(out.network_cycles, at<u64>(layout_.network_cycles, number));
    Warp::raise(out.last_message, u64{at<u32>(layout_.last, number)});
    Warp::raise(out.max_latency, u64{at<u32>(layout_.max_latency, number)});
    nic.consumed = rest;
    nic.random = at<u64>(layout_.random, number);
    nic.time = at<double>(layout_.time, number);
    ReplicaNic next = nic;
    next.drawn = at<u32>(layout_.drawn, number);
    next.pending = draws_.pending(next);
    if (wake == waits_for_room) draws_.draw(next);  // what is behind the message that waits, to be counted
    Warp::add(out.created, draws_.created_until(next, end_));
  }

 private:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles
  static constexpr u32 bits = 8 * sizeof(Mask);

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
  BANYAN_KERNEL u32 next_place(u32 place) const { return place + 1 == fabric_.capacity ? 0 : place + 1; }

  // --- buffers
  BANYAN_KERNEL PortPacket load(u32 buffer, u32 place) const {
    if constexpr (places > 0)
      if (place < places) return at<PortPacket>(layout_.kept, buffer * places + place);
    return packets_[u64{buffer} * fabric_.capacity + place];
  }
  BANYAN_KERNEL void store(u32 buffer, u32 place, const PortPacket& packet) const {
    if constexpr (places > 0)
      if (place < places) {
        at<PortPacket>(layout_.kept, buffer * places + place) = packet;
        return;
      }
    packets_[u64{buffer} * fabric_.capacity + place] = packet;
  }

  // --- what is due
  BANYAN_KERNEL void take_credit(u32 port, u32& pointers, u32 now) const {
    u8& credit = at<u8>(layout_.credits, (now & (fabric_.credit_flights - 1)) * fabric_.ports + port);
    if (credit == 0) return;
    ++at<u16>(layout_.end, (port << fabric_.shift) + credit - 1);
    pointers |= 1u << (15 + credit);
    credit = 0;
  }
  BANYAN_KERNEL void give_credit(const ReplicaPort& here, u32 lane, u32 now) const {
    const u32 when = now + here.latency + fabric_.packet_flits - 1;
    at<u8>(layout_.credits, (when & (fabric_.credit_flights - 1)) * fabric_.ports + here.far) =
        static_cast<u8>(lane + 1);
  }
  BANYAN_KERNEL void take_arrival(u32 port, const ReplicaPort& here, u32 now) const {
    u16& due = at<u16>(layout_.arrivals, (now & (fabric_.flights - 1)) * fabric_.ports + port);
    if (due == 0) return;
    const PortArrival arrival{due};
    due = 0;
    const u32 lane = arrival.lane();
    u16& buffer = at<u16>(layout_.begin, (port << fabric_.shift) + lane);
    if (buffer >> 8 == 0) show(here, port, lane, arrival.hop());
    buffer = static_cast<u16>((arrival.restarts() ? buffer & 0xFF00u : buffer) + 256u);
  }
  // The front of a buffer is a candidate for its output.
  BANYAN_KERNEL void show(const ReplicaPort& here, u32 port, u32 lane, u32 hop) const {
    const u32 slot = ((port - here.first_port) << fabric_.shift) + lane;
    Warp::mark(half(here.first_port + PortRoute::port(hop), PortRoute::set(hop), slot), 1u << slot % 32);
  }
  BANYAN_KERNEL u32& half(u32 port, u32 set, u32 slot) const {
    return at<u32>(layout_.candidates, (set * fabric_.ports + port) * (bits / 32) + slot / 32);
  }
  BANYAN_KERNEL Mask slots_of(u32 input) const {
    return static_cast<Mask>((Mask{2} << ((1u << fabric_.shift) - 1)) - 1) << (input << fabric_.shift);
  }
  BANYAN_KERNEL void change_busy(u32 port, const ReplicaPort& here, bool is_busy) const {
    const u32 from = (port - here.first_port) << fabric_.shift;
    u32& word = at<u32>(layout_.busy, here.first_port / 4 * (bits / 32) + from / 32);
    const u32 slots = ((2u << ((1u << fabric_.shift) - 1)) - 1) << from % 32;
    if (is_busy)
      Warp::mark(word, slots);
    else
      Warp::unmark(word, slots);
  }

  // --- switches
  BANYAN_KERNEL Mask candidates_of(u32 port, const ReplicaPort& here, u32 open) const {
    Mask out = 0;
    for (u32 set = 0; set < fabric_.sets; ++set)
      if ((fabric_.lane_set[set] & open) != 0) out |= mask_at(layout_.candidates, set * fabric_.ports + port);
    return fabric_.packet_flits > 1 ? out & ~mask_at(layout_.busy, here.first_port / 4) : out;
  }
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
      for (u32 b = 0; b < fabric_.port_bits; ++b) {
        warp.compute([&](u32 lane) { bit[lane] = (slot[lane] >> (fabric_.shift + b) & 1) != 0; });
        const u32 ones = warp.ballot(bit);
        warp.compute([&](u32 lane) { rivals[lane] &= bit[lane] ? ones : ~ones; });
      }
      warp.compute([&](u32 lane) {
        asks[lane] = rivals[lane] != 0;
        if (asks[lane]) candidates[lane] &= ~slots_of(slot[lane] >> fabric_.shift);
      });
    } while (warp.ballot(asks) != 0);
  }
  // The front of an input buffer crosses to this output.
  BANYAN_KERNEL void cross(u32 port, const ReplicaPort& here, u32 slot, u32& pointers, u32 now) const {
    const u32 input = here.first_port + (slot >> fabric_.shift), lane = slot & ((1u << fabric_.shift) - 1);
    const u32 number = (input << fabric_.shift) + lane;
    u16& buffer = at<u16>(layout_.begin, number);
    const u32 head = buffer & 255, left = (buffer >> 8) - 1u, next = next_place(head);
    const PortPacket packet = load(number, head);
    const u32 set = PortRoute::set(static_cast<u32>(packet.route & 255));
    Warp::unmark(half(port, set, slot), 1u << slot % 32);
    if (left > 0) show(here, input, lane, static_cast<u32>(load(number, next).route & 255));
    buffer = static_cast<u16>(next | left << 8);
    pointers = (pointers & ~255u) | ((slot + 1) & (bits - 1));
    enter_channel(port, here, fabric_.lane_set[set] & pointers >> 16,
                  {packet.route >> 8, packet.created, packet.entered}, pointers, now);
    give_credit(fabric_.port[input], lane, now);
    if (fabric_.packet_flits > 1) {
      at<u16>(layout_.in_until, input) = static_cast<u16>(now + fabric_.packet_flits);
      change_busy(input, here, true);
    }
  }
  // One of these lanes gets the packet.
  BANYAN_KERNEL void enter_channel(u32 port, const ReplicaPort& here, u32 fit, const PortPacket& packet,
                                   u32& pointers, u32 now) const {
    const u32 lane = lane_from(fit, pointers >> 8 & 255);
    u16& end = at<u16>(layout_.end, (port << fabric_.shift) + lane);
    const u32 room = end & 255;
    const bool restarts = room == fabric_.capacity;
    const u32 place = restarts ? 0 : end >> 8;
    end = static_cast<u16>((room - 1) | next_place(place) << 8);
    pointers = (pointers & ~0xFF00u) | (lane + 1) << 8;
    if (room == 1) pointers &= ~(1u << (16 + lane));
    store((here.far << fabric_.shift) + lane, place, packet);
    at<u16>(layout_.arrivals, ((now + here.flight) & (fabric_.flights - 1)) * fabric_.ports + here.far) =
        static_cast<u16>(PortArrival::of(lane, restarts, static_cast<u32>(packet.route & 255)).word);
    at<u32>(layout_.out_until, port) = now + fabric_.packet_flits;
    ++at<u32>(layout_.packets, port);
  }

  // --- NICs
  BANYAN_KERNEL void consume(u32 number, const ReplicaPort& here, PortArrival arrival, u32 now) const {
    const u32 lane = arrival.lane(), buffer = (number << fabric_.shift) + lane;
    u16& begin = at<u16>(layout_.begin, buffer);
    const u32 place = arrival.restarts() ? 0 : begin;
    begin = static_cast<u16>(next_place(place));
    const PortPacket packet = load(buffer, place);
    give_credit(here, lane, now);
    ++at<u32>(layout_.consumed, number);
    const u32 done = now + fabric_.packet_flits - 1;
    if (done < end_) {
      count_packet(number, packet.created, packet.entered, done);
    } else {
      ReplicaNic& nic = nics_[number];
      nic.consumed_created = packet.created;
      nic.consumed_entered = packet.entered;
      nic.consuming = done + 1;
    }
  }
  BANYAN_KERNEL void count_packet(u32 number, u32 created, u32 entered, u32 done) const {
    const u32 latency = done - created;
    Warp::add(latency_[histogram_slot(latency)], u32{1});
    at<u64>(layout_.latencies, number) += latency;
    at<u64>(layout_.network_cycles, number) += done - entered;
    u32& largest = at<u32>(layout_.max_latency, number);
    largest = latency > largest ? latency : largest;
    at<u32>(layout_.last, number) = done;
  }
  // The next message leaves if a lane has room.
  BANYAN_KERNEL void send(u32 number, const ReplicaPort& here, u32& pointers, u32 wake, u32 now) const {
    if (wake != waits_for_room && fabric_.arrivals == ReplicaFabric::back_to_back)
      at<u32>(layout_.created, number) = now;
    const u64 route = at<u64>(layout_.route, number);
    const u32 fit = fabric_.lane_set[PortRoute::set(static_cast<u32>(route & 255))] & pointers >> 16;
    if (fit == 0) {
      at<u32>(layout_.wake, number) = waits_for_room;
      return;
    }
    enter_channel(number, here, fit, {route >> 8, at<u32>(layout_.created, number), now}, pointers, now);
    ReplicaNic nic = nics_[number];
    nic.random = at<u64>(layout_.random, number);
    nic.time = at<double>(layout_.time, number);
    draws_.draw(nic);
    at<u64>(layout_.random, number) = nic.random;
    at<double>(layout_.time, number) = nic.time;
    ++at<u32>(layout_.drawn, number);
    const u32 free = now + fabric_.packet_flits, next = as_cycle(nic.pending);
    at<u64>(layout_.route, number) = fabric_.route[number * fabric_.nics + nic.pending_to];
    at<u32>(layout_.created, number) = next;
    at<u32>(layout_.wake, number) = next > free ? next : free;
  }

  const ReplicaFabric& fabric_;
  const PortLayout& layout_;
  u8* const state_;
  ReplicaNic* const nics_;
  PortPacket* const packets_;
  const ReplicaDraws draws_;
  u32* const latency_;
  const u32 first_, end_;
};

// A block simulates a replica for the cycles of its run. `fast` is memory of the block for its state.
template <class Mask, u32 places, class Block>
BANYAN_KERNEL void run_ports(const Block& block, const ReplicaFabric& fabric, const PortLayout& layout,
                             const ReplicaMemory& memory, const ReplicaRun& run, u8* fast, u32 replica) {
  using Replica = PortReplica<typename Block::Warp, Mask, places>;
  using Warp = typename Block::Warp;
  if (run.cycles == 0) return;
  const Replica here(fabric, layout, memory, fast, replica, run);
  u8* const saved = memory.state + u64{replica} * layout.bytes;
  const u32 threads = block.warps * lanes, end = run.first + run.cycles;
  // f(thread) for all threads; f(i) for i below `count`, divided among threads.
  const auto each_thread = [&](auto&& f) {
    block.each_warp([&](const Warp& warp, u32 w) { warp.each([&](u32 lane) { f(w * lanes + lane); }); });
  };
  const auto each = [&](u32 count, auto&& f) {
    each_thread([&](u32 thread) {
      for (u32 i = thread; i < count; i += threads) f(i);
    });
  };
  u32* const flits = memory.results.channel_flits + u64{replica} * fabric.ports;
  each(layout.bytes / 4, [&](u32 w) {
    reinterpret_cast<AnyU32*>(fast)[w] = run.first == 0 ? 0 : reinterpret_cast<const AnyU32*>(saved)[w];
  });
  each(fabric.ports, [&](u32 port) {
    if (run.first == 0) here.begin_port(port);
    flits[port] = here.start_counting(port);
    if (port < fabric.nics) {
      if (run.first == 0) here.begin_nic(port);
      here.resume_nic(port);
    }
  });
  for (u32 now = run.first; now < end; ++now)
    block.each_warp([&](const Warp& warp, u32 w) {
      for (u32 first = w * lanes; first < fabric.ports; first += threads)
        if (first >= fabric.nic_ports)
          here.visit_switches(warp, first, now);
        else
          warp.each([&](u32 lane) {
            if (first + lane < fabric.nics) here.visit_nic(first + lane, now);
          });
    });
  each(fabric.ports, [&](u32 port) {
    flits[port] += here.counted(port);
    if (port < fabric.nics)
      here.tally_nic(port, memory.results.tally[replica],
                     memory.results.waits_since[u64{replica} * fabric.nics + port]);
  });
  each(layout.bytes / 4,
       [&](u32 w) { reinterpret_cast<AnyU32*>(saved)[w] = reinterpret_cast<const AnyU32*>(fast)[w]; });
}

}  // namespace banyan::gpu
