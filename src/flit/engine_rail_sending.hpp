// A NIC of a host with several: what its policy sends is cut into packets; a stripe and a control packet are
// on their way at a time, on lanes of their own.
#pragma once

namespace banyan::flit {

// If nothing of that kind is on its way, the next control packet and the next packet of a stripe come to the
// front.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::begin_rail_packets(u32 nic) {
  RailPort& port = machine_.rails->ports[nic];
  if (port.control == absent && !port.controls.empty()) {
    const u32 i = port.controls.front();
    port.controls.pop_front();
    port.control = begin_rail_packet(nic, i, machine_.rails->parcels[i].flits, 0);
  }
  if (port.data != absent) return;
  if (port.to_cut == 0) {
    if (port.stripes.empty()) return;
    port.parcel = port.stripes.front();
    port.stripes.pop_front();
    port.to_cut = machine_.rails->parcels[port.parcel].flits;
    port.place = 0;
    port.first = port.sent;
  }
  const u32 flits = std::min(port.to_cut, packet_flits_);
  port.to_cut -= flits;
  flits_taken += flits;
  port.data = begin_rail_packet(nic, port.parcel, flits, port.place++);
  state_.nics[nic].entry = port.data;
}

template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::begin_rail_packet(u32 nic, u32 parcel_number, u32 flits, u32 place) {
  RailPort& port = machine_.rails->ports[nic];
  const Parcel& parcel = machine_.rails->parcels[parcel_number];
  const Nic from{nic}, to{parcel.rail * machine_.rails->host_count + index(parcel.to)};
  const u64 bytes = u64{parcel.flits} * machine_.flit_bytes;
  const u32 count = machine_.source.count(from, to, bytes);
  if (count == 0) no_way(machine_.setting, from, to);
  const bool is_stripe = parcel.kind == Parcel::Kind::stripe;
  const PathChoice choice = state_.options.path_choice;
  // Control packets may have been taken up between those of a stripe.
  const u64 drawn_by = is_stripe && choice == PathChoice::message ? port.first + place : port.sent;
  const u32 way = count == 1 ? 0 : chosen_way(choice, machine_.setting.seed, from, drawn_by, place, count);
  const u32 i = state_.packets.take(number_, packets_);
  Packet& packet = state_.packets[i];
  packet.header = machine_.source.way(from, to, bytes, way);
  packet.number = port.sent++;
  packet.flits = flits;
  packet.message = is_stripe ? parcel_number : parcel_number | control_bit;
  packet.source = from;
  const u32 entry = new_entry();
  entries_[entry] = {i, flits, flits, absent, absent, 0, no_lane, 0};
  add_job(layout_.first_lane(nic), i);
  return entry;
}

// Which of the two at the front a packet is.
template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::rail_entry(u32 nic, u32 packet) const {
  const RailPort& port = machine_.rails->ports[nic];
  return port.control != absent && entries_[port.control].packet == packet ? port.control : port.data;
}

// Whether the packet at the front can send a flit now; gives its head a lane. `other`: the other one at the
// front, whose lane is its own until its tail has left.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::can_send(u32 i, u32 other) {
  Entry& entry = entries_[i];
  if (entry.exit == absent) return false;
  Output& out = outputs_[entry.exit];
  if (!is_free(out)) return false;
  const bool other_moves = other != absent && entries_[other].lane != no_lane;
  if (entry.lane != no_lane)
    return Engine::mode != Mode::wormhole || lanes_[(entry.exit << shift_) + entry.lane].room > 0;
  u16 fit = 0;
  if constexpr (Engine::mode == Mode::wormhole) {
    fit = static_cast<u16>(entry.lanes & out.open_lanes);
    if (other_moves && entries_[other].exit == entry.exit)
      fit &= static_cast<u16>(~(1u << entries_[other].lane));
  } else {
    if (other_moves) return false;
    fit = lanes_with_room(out, entry);
  }
  if (fit == 0) return false;
  entry.asleep = lane_from(fit, out.lane_pointer);  // the lane it will take; not asleep in a NIC
  return true;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::send_rail_flit(u32 nic, u32& front) {
  Entry& entry = entries_[front];
  Output& out = outputs_[entry.exit];
  u32 packet = absent;
  if (entry.lane == no_lane) {
    entry.lane = entry.asleep;
    entry.asleep = 0;
    out.lane_pointer = static_cast<u8>(entry.lane + 1);
    packet = entry.packet;
  }
  OutLane& lane = lanes_[(entry.exit << shift_) + entry.lane];
  const u16 bit = static_cast<u16>(1u << entry.lane);
  if constexpr (Engine::mode == Mode::wormhole) {
    if (--lane.room == 0) out.open_lanes &= static_cast<u16>(~bit);
  } else {
    if (packet != absent) lane.room -= entry.left;
    if (lane.room < packet_flits_) out.open_lanes &= static_cast<u16>(~bit);
  }
  enter_channel(out, entry.lane, packet, 1);
  if (--entry.left == 0) rail_packet_has_left(nic, front);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::rail_packet_has_left(u32 nic, u32& front) {
  RailMachine& m = *machine_.rails;
  const RailPort& port = m.ports[nic];
  if (&front == &port.data) {
    state_.nics[nic].entry = absent;
    if (port.to_cut == 0 && !m.is_dead(nic / m.host_count, now_)) {
      const Parcel& parcel = m.parcels[port.parcel];  // of a dead rail it may be another's by now
      plan({.kind = RailEvent::Kind::sent,
            .due = now_ + 1,
            .host = index(parcel.from),
            .rail = parcel.rail,
            .process = parcel.process,
            .is_reserved = parcel.is_reserved});
    }
  }
  free_entry(front);
  front = absent;
  wheels_.wakes.push(now_ + 1, nic);
}

}  // namespace banyan::flit
