// A NIC of a host with several: what arrives stands in its buffers until the bus, or its processor, takes it.
#pragma once

namespace banyan::flit {

// A flit; with its packet, if it is the head.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::rail_arrives(const Arrival& arrival) {
  const u32 nic = outputs_[arrival.lane >> shift_].node;
  RailLane& lane = machine_.rails->lanes[arrival.lane];
  ++lane.held;
  if (arrival.packet != absent) {
    if (lane.left == 0)
      show_packet(nic, lane, arrival.packet);
    else
      lane.behind.push_back(arrival.packet);
  }
  wake(nic);
}

// The packet is the first of its lane. With the first one of a stripe, the policy learns that it arrives.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::show_packet(u32 nic, RailLane& lane, u32 i) {
  RailMachine& m = *machine_.rails;
  const Packet& packet = state_.packets[i];
  lane.packet = i;
  lane.left = packet.flits;
  lane.needs_no_bus = (packet.message & control_bit) != 0;
  if (lane.needs_no_bus || m.is_dead(nic / m.host_count, now_)) return;
  Parcel& parcel = m.parcels[packet.message];
  if (parcel.has_begun) return;
  parcel.has_begun = true;
  plan({.kind = RailEvent::Kind::arriving,
        .due = now_ + 1,
        .host = index(parcel.to),
        .rail = parcel.rail,
        .is_reserved = parcel.is_reserved});
}

// A flit leaves the NIC's buffer: over the bus, or for its processor. Of a rail that is dead it is lost;
// whoever sent it knows.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::take_rail_flit(u32 nic, u32 place) {
  RailMachine& m = *machine_.rails;
  RailLane& lane = m.lanes[place];
  --lane.held;
  if (state_.options.ejection == Ejection::finite) give_credit(inputs_[place], 0);
  const bool is_lost = m.is_dead(nic / m.host_count, now_);
  if (!lane.needs_no_bus && is_lost) --flits_taken;
  if (!lane.needs_no_bus && !is_lost) ++tally.flits;
  if (--lane.left > 0) return;
  const u32 i = lane.packet;
  if (!is_lost)
    finish_rail_packet(nic, i);
  else if (lane.needs_no_bus)
    free_parcel(state_.packets[i].message & ~control_bit);
  free_packet(i);
  if (lane.behind.empty()) return;
  show_packet(nic, lane, lane.behind.front());
  lane.behind.pop_front();
}

// Control packets, and the ends of reserved stripes, wait for the NIC's processor.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::finish_rail_packet(u32 nic, u32 i) {
  RailMachine& m = *machine_.rails;
  const u32 number = state_.packets[i].message & ~control_bit;
  Parcel& parcel = m.parcels[number];
  u64& processor_free = m.ports[nic].processor_free;
  const auto processed = [&] {
    return processor_free = std::max(processor_free, now_) + std::max(1u, m.options.nic_cycles);
  };
  RailEvent event{.kind = RailEvent::Kind::control, .due = 0, .host = index(parcel.to), .rail = parcel.rail};
  if (parcel.kind == Parcel::Kind::control) {
    event.due = processed();
    event.parcel = number;
    return plan(event);
  }
  ++tally.packets;
  parcel.missing -= state_.packets[i].flits;
  if (parcel.missing > 0) return;
  event.kind = RailEvent::Kind::received;
  event.due = parcel.is_reserved ? processed() : now_ + 1;
  event.is_reserved = parcel.is_reserved;
  plan(event);
  finish_stripe(parcel);
  if (parcel.rail != m.dying) free_parcel(number);
}

// A message is whole when its last stripe is.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::finish_stripe(const Parcel& parcel) {
  Message& message = state_.messages[parcel.message];
  message.flits -= parcel.flits;
  if (message.flits > 0) return;
  const u64 latency = now_ - message.created;
  ++tally.messages;
  tally.packet_latency.add(latency);
  tally.message_latency.add(latency);
  tally.last_message = now_;
  if (machine_.workload.ends()) {
    machine_.workload.arrived(Nic{parcel.seat}, message.round, now_);
    const u32 hosts = machine_.rails->host_count, h = parcel.seat % hosts, p = parcel.seat / hosts;
    if (machine_.rails->hosts[h].processes[p].phase == Allocation::Phase::idle) plan_post(h, p, now_ + 1);
  }
  free_message(parcel.message);
}

}  // namespace banyan::flit
