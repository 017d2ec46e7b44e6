// A NIC of a host with several: what arrives stands in its buffers until the bus, or its processor, takes it.
// The bus moves a flit out of host memory or into it in each cycle.
#include "flit/rail_nics.hpp"

namespace banyan::flit {
namespace {

// Both ways want the bus: whether it goes inwards now. They alternate after a burst.
bool goes_inward(const RailPort& port, u32 burst) { return port.is_inward == (port.burst < burst); }

// A slow channel is not free yet; nothing else would wake the NIC.
bool waits_for_rate(const Channels<Unit::flit>& part, EntryId id) {
  if (id == none<EntryId>) return false;
  const Channel exit = part.entries[id].exit;
  return exit != none<Channel> && !part.is_free(part.output(exit));
}

}  // namespace

// A flit; with its packet, if it is the head.
void RailNics::arrive(Part& part, const Arrival& arrival) {
  const Node v = part.node_of(arrival.lane);
  RailLane& lane = m_.lanes[arrival.lane];
  ++lane.held;
  if (arrival.packet != none<PacketId>) {
    if (lane.left == 0)
      show_packet(part, Nic{index(v)}, lane, arrival.packet);
    else
      lane.behind.push_back(arrival.packet);
  }
  part.wake(v);
}

// Whether its rail has died, at this end or at the other.
bool RailNics::is_lost(Part& part, Nic nic, PacketId id) const {
  const u64 now = part.clock.now;
  return now >= m_.dies_at && (m_.is_dead(nic, now) || m_.is_dead(part.state.packets[id].source, now));
}

// The packet is the first of its lane. With the first one of a stripe, the policy learns that it arrives.
void RailNics::show_packet(Part& part, Nic nic, RailLane& lane, PacketId id) {
  const Packet& packet = part.state.packets[id];
  lane.packet = id;
  lane.left = packet.flits;
  lane.needs_no_bus = packet.is_control;
  if (lane.needs_no_bus || is_lost(part, nic, id)) return;
  Parcel& parcel = m_.parcels[packet.parcel];
  if (parcel.has_begun) return;
  parcel.has_begun = true;
  plan({.kind = RailEvent::Kind::arriving,
        .due = part.clock.now + 1,
        .host = parcel.to,
        .rail = parcel.to_rail,
        .is_reserved = parcel.is_reserved});
}

// A flit leaves the NIC's buffer: over the bus, or for its processor. Of a rail that is dead it is lost;
// whoever sent it knows.
void RailNics::take_flit(Part& part, Nic nic, LaneId place) {
  RailLane& lane = m_.lanes[place];
  --lane.held;
  if (part.state.options.ejection == Ejection::finite) part.give_credit(part.input(place), 0);
  const bool is_lost = this->is_lost(part, nic, lane.packet);
  if (!lane.needs_no_bus && is_lost) --part.flits_taken;
  if (!lane.needs_no_bus && !is_lost) ++part.tally.flits;
  if (--lane.left > 0) return;
  const PacketId id = lane.packet;
  if (!is_lost)
    finish_packet_in(part, nic, id);
  else if (lane.needs_no_bus)
    free_parcel(part, part.state.packets[id].parcel);
  else
    part.presence.leave(part.clock.now);
  part.free_packet(id);
  if (lane.behind.empty()) return;
  show_packet(part, nic, lane, lane.behind.front());
  lane.behind.pop_front();
}

// Control packets, and the ends of reserved stripes, wait for the NIC's processor.
void RailNics::finish_packet_in(Part& part, Nic nic, PacketId id) {
  const Packet& packet = part.state.packets[id];
  Parcel& parcel = m_.parcels[packet.parcel];
  u64& processor_free = m_.ports[nic].processor_free;
  const u64 now = part.clock.now;
  const auto processed = [&] {
    return processor_free = std::max(processor_free, now) + std::max(1u, m_.options.nic_cycles);
  };
  RailEvent event{.kind = RailEvent::Kind::control, .due = 0, .host = parcel.to, .rail = parcel.to_rail};
  if (parcel.kind == Parcel::Kind::control) {
    event.due = processed();
    event.parcel = packet.parcel;
    return plan(event);
  }
  part.count_packet(packet);
  part.tally.add_rail_flits(m_.rails, parcel.rail, parcel.to_rail, packet.flits);
  parcel.missing -= packet.flits;
  if (parcel.missing > 0) return;
  event.kind = RailEvent::Kind::received;
  event.due = parcel.is_reserved ? processed() : now + 1;
  event.is_reserved = parcel.is_reserved;
  plan(event);
  finish_stripe(part, parcel);
  free_parcel(part, packet.parcel);
}

// A message is whole when its last stripe is.
void RailNics::finish_stripe(Part& part, const Parcel& parcel) {
  Message& message = part.state.messages[parcel.message];
  message.flits -= parcel.flits;
  if (message.flits > 0) return;
  const u64 now = part.clock.now, latency = now - message.created;
  part.tally.message_latency.add(latency);
  part.tally.last_message = now;
  if (part.machine.workload.reacts()) {
    part.machine.workload.arrived(parcel.seat, message.round, now);
    const Host h{index(parcel.seat) % m_.host_count};
    const u32 p = index(parcel.seat) / m_.host_count;
    if (m_.hosts[h].processes[p].phase == Allocation::Phase::idle) plan_post(part, h, p, now + 1);
  }
  part.free_message(parcel.message);
}

// The lane whose first packet may cross the bus inwards, or none; a flit for the processor needs no bus.
LaneId RailNics::inward_lane(Part& part, Nic nic, bool& is_busy) {
  const IdRange<LaneId> lanes = part.layout.lanes_of(Node{index(nic)});
  LaneId found = none<LaneId>;
  u32 l = m_.ports[nic].lane_pointer;
  for (u32 i = 0; i < lanes.size(); ++i, ++l) {
    if (l >= lanes.size()) l = 0;
    const LaneId place{index(*lanes.begin()) + l};
    const RailLane& lane = m_.lanes[place];
    if (lane.held == 0) continue;
    is_busy = true;
    if (lane.needs_no_bus || is_lost(part, nic, lane.packet))
      take_flit(part, nic, place);
    else if (found == none<LaneId>)
      found = place;
  }
  return found;
}

// The stream whose flit leaves next, if one can; streams take turns flit by flit.
RailPort::Stream* RailNics::next_out(Part& part, RailPort& port) {
  const u32 count = m_.options.nic_messages;
  for (u32 i = 0; i < count; ++i) {
    RailPort::Stream& stream = port.streams[(port.next_stream + i) % count];
    if (stream.data != none<EntryId> && can_send(part, port, stream.data)) return &stream;
  }
  return nullptr;
}

bool RailNics::act(Part& part, Nic nic) {
  RailPort& port = m_.ports[nic];
  bool is_busy = false;
  LaneId in = inward_lane(part, nic, is_busy);
  RailPort::Stream* out = nullptr;
  if (port.control != none<EntryId> && can_send(part, port, port.control)) {
    send_flit(part, nic, port.control);
    is_busy = true;
  } else {
    out = next_out(part, port);
  }
  is_busy |= out != nullptr;
  if (m_.options.bus == Bus::half && in != none<LaneId> && out) {
    if (goes_inward(port, m_.options.bus_burst))
      out = nullptr;
    else
      in = none<LaneId>;
  }
  const bool inward = in != none<LaneId>;
  if (inward || out) {
    if (inward != port.is_inward && m_.options.bus == Bus::half && port.turned < m_.options.bus_turn) {
      ++port.turned;
      return true;
    }
    port.turned = 0;
    port.burst = inward == port.is_inward ? port.burst + 1 : 1;
    port.is_inward = inward;
  }
  if (inward) {
    port.lane_pointer = static_cast<u8>(index(in) - index(part.layout.first_lane(Node{index(nic)})) + 1);
    take_flit(part, nic, in);
  }
  if (out) {
    port.next_stream = static_cast<u8>(out - port.streams.data() + 1);
    send_flit(part, nic, out->data);
  }
  for (const RailPort::Stream& stream : port.streams) is_busy |= waits_for_rate(part, stream.data);
  return is_busy || waits_for_rate(part, port.control);
}

}  // namespace banyan::flit
