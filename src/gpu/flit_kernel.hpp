// Wormhole, flit by flit, as gpu/port_kernel.hpp runs it: every flit asks for its output, and a packet owns a
// lane from its head to its tail. flit/wormhole.hpp does the same event by event.
#pragma once
#include "gpu/port_kernel.hpp"

namespace banyan::gpu {

template <class OfWarp, class Shape, u32 kept>
class FlitPorts : public PortState<OfWarp, Shape, kept> {
  using Base = PortState<OfWarp, Shape, kept>;

 public:
  using Base::Base;
  using typename Base::Mask;
  using typename Base::Packet;
  using typename Base::Warp;

  // --- before the first cycle
  BANYAN_KERNEL u32 start_counting(u32 port) const { return at<u32>(layout_.entered, port) = 0; }
  BANYAN_KERNEL void resume_nic(u32 number) const {
    this->restart_counts(number);
    at<u32>(layout_.flits, number) = 0;
  }

  // --- a cycle of a switch
  BANYAN_KERNEL void arrive(u32 port, const ReplicaPort& here, u32& pointers, u32 now) const {
    this->take_credit(port, pointers, now);
    u16& due = this->arrival(port, now);
    if (due == 0) return;
    const PortArrival arrival{due};
    due = 0;
    const u32 number = (port << this->shift()) + arrival.lane();
    const u32 slot = this->slot_of(here, port, arrival.lane());
    u16& buffer = at<u16>(layout_.begin, number);
    if (buffer >> 8 == 0) {
      if (arrival.is_body())
        Warp::mark(body(here.first_port + Front{at<u32>(layout_.front, number)}.output(), slot),
                   1u << slot % 32);
      else
        this->show(here, slot, arrival.hop());
    }
    buffer = static_cast<u16>((arrival.restarts() ? buffer & 0xFF00u : buffer) + 256u);
  }
  BANYAN_KERNEL Mask candidates(u32 port, const ReplicaPort&, u32 pointers, u32) const {
    const u32 open = pointers >> 16, owned = at<u16>(layout_.owned, port);
    Mask owners = 0;
    for (u32 left = open & owned; left != 0; left &= left - 1)
      owners |= Mask{1} << at<u8>(layout_.owner, (port << this->shift()) + first_bit_of(left));
    return this->heads(port, open & ~owned) | (owners & this->mask_at(layout_.bodies, port));
  }
  // The flit at the front of an input buffer crosses to this output.
  BANYAN_KERNEL void cross(u32 port, const ReplicaPort& here, u32 slot, u32& pointers, u32 now) const {
    const u32 input = here.first_port + (slot >> this->shift()), lane = slot & ((1u << this->shift()) - 1);
    const u32 number = (input << this->shift()) + lane;
    const Front front{at<u32>(layout_.front, number)};
    pointers = (pointers & ~255u) | ((slot + 1) & (Base::bits - 1));
    u32 taken = front.lane();
    if (front.sent() == 0) {
      const Packet packet = this->take(number, at<u16>(layout_.begin, number) & 255);
      const u32 hop = packet.hop(fabric_), owned = at<u16>(layout_.owned, port);
      Warp::unmark(this->half(port, this->set_of(hop), slot), 1u << slot % 32);
      taken = this->enter_channel(port, here, this->permitted(hop, pointers >> 16 & ~owned),
                                  packet.in_next(fabric_), pointers, now);
    } else {
      send_body(port, here, taken, pointers, now);
    }
    const ReplicaPort& entrance = fabric_.port[input];
    this->credit(entrance.far, now + entrance.latency) = static_cast<u8>(lane + 1);
    if (front.sent() + 1 < this->packet_flits())
      go_on(port, here, slot, number, front.sent(), taken);
    else
      finish(port, here, slot, number, front.sent(), taken);
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
  BANYAN_KERNEL u32 counted(u32 port) const { return at<u32>(layout_.entered, port); }
  BANYAN_KERNEL void tally_nic(u32 number, ReplicaTally& out, u32& waits_since) const {
    Warp::add(out.packets, u64{at<u32>(layout_.consumed, number)});
    Warp::add(out.flits, u64{at<u32>(layout_.flits, number)});
    const bool is_on_its_way = Front{at<u32>(layout_.front, number << this->shift())}.sent() > 0;
    this->tally_messages(number, is_on_its_way || at<u32>(layout_.wake, number) == Base::waits_for_room, out,
                         waits_since);
  }

 private:
  using Base::fabric_, Base::layout_;

  // The packet at the front of a buffer, whose head has left: how many of its flits have, through which
  // output and lane. Of a NIC: what it sends.
  struct Front {
    u32 word;

    static BANYAN_KERNEL Front of(u32 sent, u32 output, u32 lane) {
      return {sent | output << 8 | lane << 16};
    }
    BANYAN_KERNEL u32 sent() const { return word & 255; }
    BANYAN_KERNEL u32 output() const { return word >> 8 & 255; }
    BANYAN_KERNEL u32 lane() const { return word >> 16; }
  };

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return Base::template at<T>(array, i);
  }
  // Slots whose packet has a lane of this output, and a flit.
  BANYAN_KERNEL u32& body(u32 port, u32 slot) const {
    return at<u32>(layout_.bodies, port * (Base::bits / 32) + slot / 32);
  }
  BANYAN_KERNEL void send_body(u32 port, const ReplicaPort& here, u32 lane, u32& pointers, u32 now) const {
    u16& end = at<u16>(layout_.end, (port << this->shift()) + lane);
    --end;
    if ((end & 255) == 0) pointers &= ~(1u << (16 + lane));
    this->arrival(here.far, now + here.flight) = static_cast<u16>(PortArrival::of_body(lane).word);
    ++at<u32>(layout_.entered, port);
  }
  // A flit of the packet has crossed, and others follow.
  BANYAN_KERNEL void go_on(u32 port, const ReplicaPort& here, u32 slot, u32 number, u32 sent,
                           u32 lane) const {
    u16& buffer = at<u16>(layout_.begin, number);
    buffer = static_cast<u16>(buffer - 256u);
    if (sent == 0) {
      at<u16>(layout_.owned, port) |= static_cast<u16>(1u << lane);
      at<u8>(layout_.owner, (port << this->shift()) + lane) = static_cast<u8>(slot);
      if (buffer >> 8 != 0) Warp::mark(body(port, slot), 1u << slot % 32);
    } else if (buffer >> 8 == 0) {
      Warp::unmark(body(port, slot), 1u << slot % 32);
    }
    at<u32>(layout_.front, number) = Front::of(sent + 1, port - here.first_port, lane).word;
  }
  // The last one has crossed.
  BANYAN_KERNEL void finish(u32 port, const ReplicaPort& here, u32 slot, u32 number, u32 sent,
                            u32 lane) const {
    u16& buffer = at<u16>(layout_.begin, number);
    const u32 left = (buffer >> 8) - 1u, next = this->next_place(buffer & 255);
    if (sent > 0) {
      at<u16>(layout_.owned, port) &= static_cast<u16>(~(1u << lane));
      Warp::unmark(body(port, slot), 1u << slot % 32);
    }
    at<u32>(layout_.front, number) = 0;
    if (left > 0) this->show(here, slot, this->load(number, next).hop(fabric_));
    buffer = static_cast<u16>(next | left << 8);
  }

  BANYAN_KERNEL void consume(u32 number, const ReplicaPort& here, PortArrival arrival, u32 now) const {
    const u32 lane = arrival.lane(), buffer = (number << this->shift()) + lane;
    u16& begin = at<u16>(layout_.begin, buffer);
    const u32 place = arrival.restarts() ? 0 : begin & 255, flits = (begin >> 8) + 1u;
    this->credit(here.far, now + here.latency) = static_cast<u8>(lane + 1);
    ++at<u32>(layout_.flits, number);
    if (flits < this->packet_flits()) {
      begin = static_cast<u16>(place | flits << 8);
      return;
    }
    begin = static_cast<u16>(this->next_place(place));
    const Packet packet = this->take(buffer, place);
    ++at<u32>(layout_.consumed, number);
    this->count_packet(number, packet.created(fabric_), packet.entered(fabric_), now);
  }
  // The next flit leaves if its lane, or for a head one of its lanes, has room.
  BANYAN_KERNEL void send(u32 number, const ReplicaPort& here, u32& pointers, u32 wake, u32 now) const {
    u32& front = at<u32>(layout_.front, number << this->shift());
    const u32 sent = Front{front}.sent();
    u32 lane = Front{front}.lane();
    if (sent == 0) {
      if (wake != Base::waits_for_room && fabric_.arrivals == ReplicaFabric::back_to_back)
        at<u32>(layout_.created, number) = now;
      const u64 route = at<u64>(layout_.route, number);
      const u32 fit = this->permitted(this->hop_of(route), pointers >> 16);
      at<u32>(layout_.wake, number) = fit == 0 ? Base::waits_for_room : now;
      if (fit == 0) return;
      lane = this->enter_channel(number, here, fit, this->first_of(route, number, now), pointers, now);
    } else {
      if ((pointers >> (16 + lane) & 1) == 0) return;
      send_body(number, here, lane, pointers, now);
    }
    const bool is_last = sent + 1 == this->packet_flits();
    front = is_last ? 0 : Front::of(sent + 1, 0, lane).word;
    if (is_last) this->draw_next(number, now + 1);
  }
};

}  // namespace banyan::gpu
