// A NIC of a host with several: what its policy sends is cut into packets; one stripe or two, and a control
// packet, are on their way at a time, on lanes of their own.
#include "flit/choice.hpp"
#include "flit/masks.hpp"
#include "flit/rail_nics.hpp"

namespace banyan::flit {

void RailNics::wake(Part& part, Nic nic) {
  RailPort& port = m_.ports[nic];
  if (port.control == none<EntryId> && !port.controls.empty()) {
    const ParcelId id = port.controls.front();
    port.controls.pop_front();
    port.control = begin_packet(part, nic, id, m_.parcels[id].flits, 0, 0);
  }
  for (u32 i = 0; i < m_.options.nic_messages; ++i)
    if (port.streams[i].data == none<EntryId>) feed(part, nic, port.streams[i]);
}

// The next packet of the stream's stripe, or the first one of the next stripe.
void RailNics::feed(Part& part, Nic nic, RailPort::Stream& stream) {
  RailPort& port = m_.ports[nic];
  if (stream.to_cut == 0) {
    if (port.stripes.empty()) return;
    stream.parcel = port.stripes.front();
    port.stripes.pop_front();
    const Parcel& parcel = m_.parcels[stream.parcel];
    stream.to_cut = parcel.flits;
    stream.place = 0;
    stream.first = port.sent;
    if (m_.options.sends == Sends::begun)
      plan({.kind = RailEvent::Kind::begun,
            .due = part.clock.now + 1,
            .host = parcel.from,
            .rail = parcel.rail,
            .process = parcel.process});
  }
  const u32 flits = std::min(stream.to_cut, part.packet_flits);
  stream.to_cut -= flits;
  part.flits_taken += flits;
  stream.data = begin_packet(part, nic, stream.parcel, flits, stream.place++, stream.first);
}

EntryId RailNics::begin_packet(Part& part, Nic from, ParcelId parcel_id, u32 flits, u32 place, u64 first) {
  RailPort& port = m_.ports[from];
  const Parcel& parcel = m_.parcels[parcel_id];
  const Machine& machine = part.machine;
  const Nic to = m_.nic(parcel.to, parcel.to_rail);
  const u64 bytes = u64{parcel.flits} * machine.flit_bytes;
  const u32 count = machine.source.count(from, to, bytes);
  if (count == 0) no_way(machine.setting, from, to);
  const bool is_stripe = parcel.kind == Parcel::Kind::stripe;
  const PathChoice choice = part.state.options.path_choice;
  // Control packets may have been taken up between those of a stripe.
  const u64 drawn_by = is_stripe && choice == PathChoice::message ? first + place : port.sent;
  const u32 way = count == 1 ? 0 : chosen_way(choice, machine.setting.seed, from, drawn_by, place, count);
  const PacketId id = part.new_packet();
  Packet& packet = part.state.packets[id];
  packet.header = machine.source.way(from, to, bytes, way);
  packet.number = port.sent++;
  packet.flits = flits;
  packet.parcel = parcel_id;
  packet.is_control = !is_stripe;
  packet.source = from;
  const EntryId entry =
      part.new_entry({.packet = id, .left = flits, .exit = none<Channel>, .lanes = 0, .there = flits});
  part.route_soon(part.layout.first_lane(Node{index(from)}), id);
  return entry;
}

// Of the packets at the front, the one that was routed.
void RailNics::take_exit(Part& part, Nic nic, const RouteJob& job) {
  const RailPort& port = m_.ports[nic];
  EntryId found = port.control;
  for (const RailPort::Stream& stream : port.streams)
    if (stream.data != none<EntryId> && part.entries[stream.data].packet == job.packet) found = stream.data;
  Entry& entry = part.entries[found];
  entry.exit = job.exit;
  entry.lanes = job.lanes;
  part.wake(Node{index(nic)});
}

EntryId RailNics::sending(const Entries& entries, Nic nic, Channel exit) const {
  const RailPort& port = m_.ports[nic];
  const auto is_sending = [&](EntryId id) {
    return id != none<EntryId> && entries[id].lane != none<Lane> && entries[id].exit == exit;
  };
  for (const RailPort::Stream& stream : port.streams)
    if (is_sending(stream.data)) return stream.data;
  return is_sending(port.control) ? port.control : none<EntryId>;
}

// Whether the packet at the front can send a flit now; gives its head a lane. The lanes of the others at the
// front are their own until their tails have left.
bool RailNics::can_send(Part& part, const RailPort& port, EntryId id) {
  const bool is_wormhole = part.state.mode == Mode::wormhole;
  Entry& entry = part.entries[id];
  if (entry.exit == none<Channel>) return false;
  Output& out = part.output(entry.exit);
  if (!part.is_free(out)) return false;
  if (entry.lane != none<Lane>) return !is_wormhole || part.out_lane(part.lane_of(out, entry.lane)).room > 0;
  bool other_moves = false;
  u16 taken = 0;  // lanes of this exit
  const auto note = [&](EntryId other) {
    if (other == none<EntryId> || other == id || part.entries[other].lane == none<Lane>) return;
    other_moves = true;
    if (part.entries[other].exit == entry.exit) taken |= bit_of(part.entries[other].lane);
  };
  note(port.control);
  for (const RailPort::Stream& stream : port.streams) note(stream.data);
  u16 fit = 0;
  if (is_wormhole) {
    fit = static_cast<u16>(entry.lanes & out.open_lanes & ~taken);
  } else {
    if (other_moves) return false;
    fit = part.lanes_with_room(out, entry);
  }
  if (fit == 0) return false;
  entry.asleep = index(lane_from(fit, out.lane_pointer));  // the lane it will take; not asleep in a NIC
  return true;
}

void RailNics::send_flit(Part& part, Nic nic, EntryId& front) {
  Entry& entry = part.entries[front];
  Output& out = part.output(entry.exit);
  PacketId packet = none<PacketId>;
  if (entry.lane == none<Lane>) {
    entry.lane = Lane{entry.asleep};
    out.lane_pointer = static_cast<u8>(entry.asleep + 1);
    entry.asleep = 0;
    packet = entry.packet;
    part.enter_network(packet);
    if (!part.state.packets[packet].is_control) part.presence.enter(part.clock.now);
  }
  OutLane& lane = part.out_lane(part.lane_of(out, entry.lane));
  const bool is_wormhole = part.state.mode == Mode::wormhole;
  if (is_wormhole)
    --lane.room;
  else if (packet != none<PacketId>)
    lane.room -= entry.left;
  if (lane.room < (is_wormhole ? 1 : part.packet_flits)) remove(out.open_lanes, entry.lane);
  part.enter_channel(out, entry.lane, packet, 1);
  if (--entry.left == 0) finish_packet_out(part, nic, front);
}

void RailNics::finish_packet_out(Part& part, Nic nic, EntryId& front) {
  const u64 now = part.clock.now;
  for (const RailPort::Stream& stream : m_.ports[nic].streams) {
    if (&front != &stream.data || stream.to_cut > 0 || m_.is_dead(nic, now)) continue;
    if (stream.parcel == none<ParcelId>) continue;
    const Parcel& parcel = m_.parcels[stream.parcel];  // of a dead rail it may be another's by now
    plan({.kind = RailEvent::Kind::sent,
          .due = now + 1,
          .host = parcel.from,
          .rail = parcel.rail,
          .process = parcel.process,
          .is_reserved = parcel.is_reserved});
  }
  part.free_entry(front);
  front = none<EntryId>;
  part.clock.wheels.wakes.push(now + 1, Node{index(nic)});
}

}  // namespace banyan::flit
