// Replicas of a fabric of small switches in time, each by a block of warps: a lane of a warp has a port, with
// the input and the output there, or a NIC. What a node does in a cycle depends on its own state, and what it
// writes to others is due in a later cycle, so warps meet once for each cycle. A switch is within a warp.
// docs/simulator.md defines what happens; gpu/replica_kernel.hpp does the same for larger switches.
//
// A switch visits its outputs one after another, and each takes the first of its candidates whose input no
// earlier output took. All inputs so prefer outputs in one order: outputs that ask all at once, and ask for
// their next candidate where an earlier output asks for the same input, come to the same end.
#pragma once
#include "gpu/port_state.hpp"

namespace banyan::gpu {

// Virtual cut-through with packets as the unit.
template <class OfWarp, class Shape, u32 kept>
class PacketPorts : public PortState<OfWarp, Shape, kept> {
  using Base = PortState<OfWarp, Shape, kept>;

 public:
  using Base::Base;
  using typename Base::Mask;
  using typename Base::Packet;
  using typename Base::Warp;

  // --- before the first cycle
  // Flits of a channel are counted when their packet begins, but come later.
  BANYAN_KERNEL u32 start_counting(u32 port) const {
    at<u32>(layout_.entered, port) = 0;
    return this->to_come(at<u32>(layout_.out_until, port), first_);
  }
  // What a NIC began to consume in the run before may end in this one.
  BANYAN_KERNEL void resume_nic(u32 number) const {
    const ReplicaNic& nic = nics_[number];
    this->restart_counts(number);
    at<u32>(layout_.consumed, number) = nic.consumed > 0;
    if (nic.consumed > 0 && nic.consuming <= end_)
      this->count_packet(number, nic.consumed_created, nic.consumed_entered, nic.consuming - 1);
  }

  // --- a cycle of a switch
  BANYAN_KERNEL void arrive(u32 port, const ReplicaPort& here, u32& pointers, u32 now) const {
    this->take_credit(port, pointers, now);
    if (this->packet_flits() > 1 && at<u16>(layout_.in_until, port) == static_cast<u16>(now))
      change_busy(port, here, false);
    u16& due = this->arrival(port, now);
    if (due == 0) return;
    const PortArrival arrival{due};
    due = 0;
    u16& buffer = at<u16>(layout_.begin, (port << this->shift()) + arrival.lane());
    if (buffer >> 8 == 0) this->show(here, this->slot_of(here, port, arrival.lane()), arrival.hop());
    buffer = static_cast<u16>((arrival.restarts() ? buffer & 0xFF00u : buffer) + 256u);
  }
  BANYAN_KERNEL Mask candidates(u32 port, const ReplicaPort& here, u32 pointers, u32 now) const {
    if (pointers >> 16 == 0 || (this->packet_flits() > 1 && at<u32>(layout_.out_until, port) > now)) return 0;
    const Mask out = this->heads(port, pointers >> 16);
    return this->packet_flits() > 1 ? out & ~this->mask_at(layout_.busy, here.first_port / 4) : out;
  }
  // The front of an input buffer crosses to this output.
  BANYAN_KERNEL void cross(u32 port, const ReplicaPort& here, u32 slot, u32& pointers, u32 now) const {
    const u32 input = here.first_port + (slot >> this->shift()), lane = slot & ((1u << this->shift()) - 1);
    const u32 number = (input << this->shift()) + lane;
    u16& buffer = at<u16>(layout_.begin, number);
    const u32 head = buffer & 255, left = (buffer >> 8) - 1u, next = this->next_place(head);
    const Packet packet = this->take(number, head);
    const u32 hop = packet.hop(fabric_);
    Warp::unmark(this->half(port, this->set_of(hop), slot), 1u << slot % 32);
    if (left > 0) this->show(here, slot, this->load(number, next).hop(fabric_));
    buffer = static_cast<u16>(next | left << 8);
    pointers = (pointers & ~255u) | ((slot + 1) & (Base::bits - 1));
    start_packet(port, here, this->permitted(hop, pointers >> 16), packet.in_next(fabric_), pointers, now);
    give_credit(fabric_.port[input], lane, now);
    if (this->packet_flits() > 1) {
      at<u16>(layout_.in_until, input) = static_cast<u16>(now + this->packet_flits());
      change_busy(input, here, true);
    }
  }

  // --- a cycle of a NIC
  BANYAN_KERNEL void visit_nic(u32 number, u32 now) const {
    const ReplicaPort here = fabric_.port[number];
    u32 pointers = this->pointers(number);
    this->take_credit(number, pointers, now);
    u16& arrival = this->arrival(number, now);
    if (arrival != 0) {
      consume(number, here, PortArrival{arrival}, now);
      arrival = 0;
    }
    const u32 wake = at<u32>(layout_.wake, number);
    if (wake == Base::waits_for_room || wake <= now) send(number, here, pointers, wake, now);
    this->pointers(number) = pointers;
  }

  // --- behind the last cycle
  BANYAN_KERNEL u32 counted(u32 port) const {
    return at<u32>(layout_.entered, port) * this->packet_flits() -
           this->to_come(at<u32>(layout_.out_until, port), end_);
  }
  BANYAN_KERNEL void tally_nic(u32 number, ReplicaTally& out, u32& waits_since) const {
    ReplicaNic& nic = nics_[number];
    const u32 rest = this->to_come(nic.consuming, end_), consumed = at<u32>(layout_.consumed, number);
    Warp::add(out.packets, u64{consumed} - (rest > 0));
    Warp::add(out.flits, u64{consumed - (nic.consumed > 0)} * this->packet_flits() + nic.consumed - rest);
    nic.consumed = rest;
    this->tally_messages(number, at<u32>(layout_.wake, number) == Base::waits_for_room, out, waits_since);
  }

 private:
  using Base::fabric_, Base::layout_, Base::nics_, Base::first_, Base::end_;

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return Base::template at<T>(array, i);
  }
  // Room for a packet: the near end knows it when all its flits have left.
  BANYAN_KERNEL void give_credit(const ReplicaPort& here, u32 lane, u32 now) const {
    this->credit(here.far, now + here.latency + this->packet_flits() - 1) = static_cast<u8>(lane + 1);
  }
  BANYAN_KERNEL void change_busy(u32 port, const ReplicaPort& here, bool is_busy) const {
    const u32 from = (port - here.first_port) << this->shift();
    u32& word = at<u32>(layout_.busy, here.first_port / 4 * (Base::bits / 32) + from / 32);
    const u32 slots = ((2u << ((1u << this->shift()) - 1)) - 1) << from % 32;
    if (is_busy)
      Warp::mark(word, slots);
    else
      Warp::unmark(word, slots);
  }
  BANYAN_KERNEL void start_packet(u32 port, const ReplicaPort& here, u32 fit, const Packet& packet,
                                  u32& pointers, u32 now) const {
    this->enter_channel(port, here, fit, packet, pointers, now);
    if (this->packet_flits() > 1) at<u32>(layout_.out_until, port) = now + this->packet_flits();
  }
  BANYAN_KERNEL void consume(u32 number, const ReplicaPort& here, PortArrival arrival, u32 now) const {
    const u32 lane = arrival.lane(), buffer = (number << this->shift()) + lane;
    u16& begin = at<u16>(layout_.begin, buffer);
    const u32 place = arrival.restarts() ? 0 : begin;
    begin = static_cast<u16>(this->next_place(place));
    const Packet packet = this->take(buffer, place);
    give_credit(here, lane, now);
    ++at<u32>(layout_.consumed, number);
    const u32 done = now + this->packet_flits() - 1;
    if (done < end_) {
      this->count_packet(number, packet.created(fabric_), packet.entered(fabric_), done);
    } else {
      ReplicaNic& nic = nics_[number];
      nic.consumed_created = packet.created(fabric_);
      nic.consumed_entered = packet.entered(fabric_);
      nic.consuming = done + 1;
    }
  }
  // The next message leaves if a lane has room.
  BANYAN_KERNEL void send(u32 number, const ReplicaPort& here, u32& pointers, u32 wake, u32 now) const {
    if (wake != Base::waits_for_room && fabric_.arrivals == ReplicaFabric::back_to_back)
      at<u32>(layout_.created, number) = now;
    const u64 route = at<u64>(layout_.route, number);
    const u32 fit = this->permitted(this->hop_of(route), pointers >> 16);
    if (fit == 0) {
      at<u32>(layout_.wake, number) = Base::waits_for_room;
      return;
    }
    start_packet(number, here, fit, this->first_of(route, number, now), pointers, now);
    this->draw_next(number, now + this->packet_flits());
  }
};

// The switches of 32 ports from `first` on.
template <class Ports>
BANYAN_KERNEL void visit_switches(const Ports& ports, const typename Ports::Warp& warp,
                                  const ReplicaFabric& fabric, u32 first, u32 now) {
  typename Ports::template PerLane<ReplicaPort> here;
  typename Ports::template PerLane<u32> pointers, slot;
  typename Ports::template PerLane<typename Ports::Mask> candidates;
  typename Ports::template PerLane<bool> asks;
  warp.each([&](u32 lane) {
    here[lane] = fabric.port[first + lane];
    pointers[lane] = ports.pointers(first + lane);
    if (here[lane].far != no_port) ports.arrive(first + lane, here[lane], pointers[lane], now);
  });
  warp.compute([&](u32 lane) {
    candidates[lane] = ports.candidates(first + lane, here[lane], pointers[lane], now);
    asks[lane] = candidates[lane] != 0;
  });
  if (warp.ballot(asks) != 0) {
    ports.match(warp, here, pointers, candidates, slot, first, now);
    warp.compute([&](u32 lane) {
      if (candidates[lane] != 0) ports.cross(first + lane, here[lane], slot[lane], pointers[lane], now);
    });
  }
  warp.compute([&](u32 lane) { ports.pointers(first + lane) = pointers[lane]; });
}

// A block simulates a replica for the cycles of its run. `fast` is memory of the block for its state.
template <template <class, class, u32> class Ports, class Shape, u32 kept, class Block>
BANYAN_KERNEL void run_ports(const Block& block, const ReplicaFabric& fabric, const PortLayout& layout,
                             const ReplicaMemory& memory, const ReplicaRun& run, u8* fast, u32 replica) {
  using Warp = typename Block::Warp;
  if (run.cycles == 0) return;
  const Ports<Warp, Shape, kept> here(fabric, layout, memory, fast, replica, run);
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
          visit_switches(here, warp, fabric, first, now);
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
