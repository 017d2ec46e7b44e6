// A NIC of a host with several: what its policy sends is cut into packets; a stripe and a control packet are
// on their way at a time, on lanes of their own.
#include "flit/choice.hpp"
#include "flit/masks.hpp"
#include "flit/rail_nics.hpp"

namespace banyan::flit {

void RailNics::wake(Part& part, Nic nic) {
  RailPort& port = m_.ports[nic];
  if (port.control == none<EntryId> && !port.controls.empty()) {
    const ParcelId id = port.controls.front();
    port.controls.pop_front();
    port.control = begin_packet(part, nic, id, m_.parcels[id].flits, 0);
  }
  if (port.data != none<EntryId>) return;
  if (port.to_cut == 0) {
    if (port.stripes.empty()) return;
    port.parcel = port.stripes.front();
    port.stripes.pop_front();
    port.to_cut = m_.parcels[port.parcel].flits;
    port.place = 0;
    port.first = port.sent;
  }
  const u32 flits = std::min(port.to_cut, part.packet_flits);
  port.to_cut -= flits;
  part.flits_taken += flits;
  port.data = begin_packet(part, nic, port.parcel, flits, port.place++);
}

EntryId RailNics::begin_packet(Part& part, Nic from, ParcelId parcel_id, u32 flits, u32 place) {
  RailPort& port = m_.ports[from];
  const Parcel& parcel = m_.parcels[parcel_id];
  const Machine& machine = part.machine;
  const Nic to = m_.nic(parcel.to, parcel.rail);
  const u64 bytes = u64{parcel.flits} * machine.flit_bytes;
  const u32 count = machine.source.count(from, to, bytes);
  if (count == 0) no_way(machine.setting, from, to);
  const bool is_stripe = parcel.kind == Parcel::Kind::stripe;
  const PathChoice choice = part.state.options.path_choice;
  // Control packets may have been taken up between those of a stripe.
  const u64 drawn_by = is_stripe && choice == PathChoice::message ? port.first + place : port.sent;
  const u32 way = count == 1 ? 0 : chosen_way(choice, machine.setting.seed, from, drawn_by, place, count);
  const PacketId id = part.new_packet();
  Packet& packet = part.state.packets[id];
  packet.header = machine.source.way(from, to, bytes, way);
  packet.number = port.sent++;
  packet.flits = flits;
  packet.parcel = parcel_id;
  packet.is_control = !is_stripe;
  packet.source = from;
  const EntryId entry = part.new_entry();
  part.entries[entry] = {id, flits, flits, none<EntryId>, none<Channel>, 0, none<Lane>, 0};
  part.route_soon(part.layout.first_lane(Node{index(from)}), id);
  return entry;
}

// Of the two packets at the front, the one that was routed.
void RailNics::take_exit(Part& part, Nic nic, const RouteJob& job) {
  const RailPort& port = m_.ports[nic];
  const bool is_control = port.control != none<EntryId> && part.entries[port.control].packet == job.packet;
  Entry& entry = part.entries[is_control ? port.control : port.data];
  entry.exit = job.exit;
  entry.lanes = job.lanes;
  part.wake(Node{index(nic)});
}

EntryId RailNics::sending(const Entries& entries, Nic nic, Channel exit) const {
  const RailPort& port = m_.ports[nic];
  for (const EntryId id : {port.data, port.control})
    if (id != none<EntryId> && entries[id].lane != none<Lane> && entries[id].exit == exit) return id;
  return none<EntryId>;
}

// Whether the packet at the front can send a flit now; gives its head a lane. `other`: the other one at the
// front, whose lane is its own until its tail has left.
bool RailNics::can_send(Part& part, EntryId id, EntryId other) {
  const bool is_wormhole = part.state.mode == Mode::wormhole;
  Entry& entry = part.entries[id];
  if (entry.exit == none<Channel>) return false;
  Output& out = part.output(entry.exit);
  if (!part.is_free(out)) return false;
  const bool other_moves = other != none<EntryId> && part.entries[other].lane != none<Lane>;
  if (entry.lane != none<Lane>) return !is_wormhole || part.out_lane(part.lane_of(out, entry.lane)).room > 0;
  u16 fit = 0;
  if (is_wormhole) {
    fit = static_cast<u16>(entry.lanes & out.open_lanes);
    if (other_moves && part.entries[other].exit == entry.exit) remove(fit, part.entries[other].lane);
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
  const RailPort& port = m_.ports[nic];
  const u64 now = part.clock.now;
  if (&front == &port.data && port.to_cut == 0 && !m_.is_dead(nic, now)) {
    const Parcel& parcel = m_.parcels[port.parcel];  // of a dead rail it may be another's by now
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
