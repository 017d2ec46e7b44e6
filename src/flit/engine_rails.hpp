// Hosts with several NICs (docs/rails.md): what processes post goes through the rail policy, a NIC sends a
// stripe and a control packet at a time, and all data cross its bus, out and in.
#pragma once

namespace banyan {

// --- events of hosts

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::start_rails() {
  RailMachine& m = *machine_.rails;
  for (u32 h = 0; h < m.host_count; ++h) {
    if (layout_.part_of[h] != number_) continue;
    for (u32 p = 0; p < m.options.processes; ++p) plan_post(h, p, 0);
    if (m.dies_at == Workload::never) continue;
    plan({RailEvent::Kind::dies, m.dies_at, h, 0});
    // Then all parts have met, and know what had arrived when the rail died.
    plan({RailEvent::Kind::settle, m.dies_at + 1024 + 2 * u64{layout_.largest_flight}, h, 0});
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::plan(RailEvent event) {
  event.order = machine_.rails->orders[event.host]++;
  rail_events_.push(event);
}

// The process looks for its next message when there is one.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::plan_post(u32 host, u32 process, u64 from) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.processes[host * m.options.processes + process];
  const u64 when = own.lost.empty() ? machine_.workload.when(Nic{process * m.host_count + host}) : u64{0};
  if (when == Workload::never) return;
  const u64 due = std::max(from, when);
  if (due >= own.post_due) return;
  own.post_due = due;
  own.post_order = m.orders[host];
  plan({RailEvent::Kind::post, due, host, 0, 0, static_cast<u16>(process)});
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::run_rail_events() {
  while (!rail_events_.empty() && rail_events_.top().due <= now_) {
    const RailEvent event = rail_events_.top();
    rail_events_.pop();
    run_rail_event(event);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::run_rail_event(const RailEvent& event) {
  RailMachine& m = *machine_.rails;
  const RailRules& rules = m.rules(now_);
  const RailPolicy& policy = *m.before.policy;
  RailHost& host = m.hosts[event.host];
  using Kind = RailEvent::Kind;
  rail_actions_.clear();
  const bool is_data =
      event.kind == Kind::arriving || event.kind == Kind::sent || event.kind == Kind::received;
  if ((is_data || event.kind == Kind::control) && m.is_dead(event.rail, now_)) {
    if (!is_data) free_parcel(event.parcel);
    return;
  }
  switch (event.kind) {
    case Kind::post:
      return post(event.host, event.process, event.order);
    case Kind::dies:
      rail_dies(event.host);
      break;
    case Kind::settle:
      return settle(event.host);
    case Kind::expired:
      policy.expired(host, rules, event.process, event.ticket, event.round, rail_actions_);
      break;
    case Kind::control: {
      const Parcel& parcel = m.parcels[event.parcel];
      policy.control(host, rules, event.rail, {parcel.control, parcel.from, parcel.counter}, rail_actions_);
      free_parcel(event.parcel);
      break;
    }
    case Kind::arriving:
    case Kind::sent:
    case Kind::received: {
      const auto kind = event.kind == Kind::arriving ? DataEvent::Kind::arriving
                        : event.kind == Kind::sent   ? DataEvent::Kind::sent
                                                     : DataEvent::Kind::received;
      policy.data(host, rules, event.rail, {kind, event.round != 0}, rail_actions_);
      break;
    }
  }
  act(event.host);
}

// The process takes its next message, or a stripe that was lost, and asks the policy.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::post(u32 h, u32 p, u32 order) {
  RailMachine& m = *machine_.rails;
  RailProcess& own = m.processes[h * m.options.processes + p];
  Allocation& wish = m.hosts[h].processes[p];
  if (order != own.post_order) return;  // an earlier one was planned since
  own.post_due = Workload::never;
  if (wish.phase != Allocation::Phase::idle) return;
  const Nic seat{p * m.host_count + h};
  if (!own.lost.empty()) {
    const Parcel& parcel = m.parcels[own.lost.front()];
    own.message = parcel.message, own.seat = parcel.seat;
    wish = {.to = parcel.to, .flits = parcel.flits};
    free_parcel(own.lost.front());
    own.lost.pop_front();
  } else {
    if (machine_.workload.when(seat) > now_) return plan_post(h, p, now_);
    const Workload::Post next = machine_.workload.take(seat, now_);
    own.message = state_.messages.take(number_, messages_);
    own.seat = index(next.to);
    state_.messages[own.message] = {next.created, next.flits, next.round};
    wish = {.to = Host{index(next.to) % m.host_count}, .flits = next.flits};
  }
  wish.ticket = ++m.tickets[h];
  wish.bytes = u64{wish.flits} * machine_.flit_bytes;
  if (m.rules(now_).between(Host{h}, wish.to) == 0)
    throw InputError("no rail is left between " + machine_.setting.fabric.host_name(Host{h}) + " and " +
                     machine_.setting.fabric.host_name(wish.to));
  rail_actions_.clear();
  m.before.policy->posted(m.hosts[h], m.rules(now_), p, rail_actions_);
  act(h);
}

// Does what the policy wants.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::act(u32 h) {
  RailMachine& m = *machine_.rails;
  for (const RailAction& a : rail_actions_) {
    const RailProcess& own = m.processes[h * m.options.processes + a.process];
    const u32 nic = a.rail * m.host_count + h;
    if (a.kind == RailAction::Kind::timer) {
      plan({RailEvent::Kind::expired, now_ + m.options.timeout_cycles, h, 0, 0, a.process, 0, a.ticket,
            static_cast<u32>(a.counter)});
    } else if (a.kind == RailAction::Kind::done) {
      plan_post(h, a.process, now_);
    } else {
      const bool is_stripe = a.kind == RailAction::Kind::send;
      const u32 i = m.parcels.take(number_, parcels_);
      const u32 flits = is_stripe ? a.flits : m.options.control_flits;
      m.parcels[i] = {is_stripe ? Parcel::Kind::stripe : Parcel::Kind::control,
                      a.control,
                      a.is_reserved,
                      a.rail,
                      a.process,
                      Host{h},
                      a.to,
                      own.message,
                      own.seat,
                      flits,
                      flits,
                      a.counter,
                      false};
      RailPort& port = m.ports[nic];
      (is_stripe ? port.stripes : port.controls).push_back(i);
      if (is_stripe && a.rail == m.dying && now_ < m.dies_at) port.unsettled.push_back(i);
      begin_rail_packets(nic);
    }
  }
}

// --- a rail dies: what is on it is lost; stripes that have not arrived as a whole are sent again

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::rail_dies(u32 h) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[m.dying * m.host_count + h];
  port.stripes.clear();
  for (const u32 i : port.controls) free_parcel(i);
  port.controls.clear();
  port.to_cut = 0;
  m.before.policy->died(m.hosts[h], m.rules(now_), m.dying, rail_actions_);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::settle(u32 h) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[m.dying * m.host_count + h];
  for (const u32 i : port.unsettled) {
    const Parcel& parcel = m.parcels[i];
    if (parcel.missing == 0) {
      free_parcel(i);
      continue;
    }
    m.processes[h * m.options.processes + parcel.process].lost.push_back(i);
    plan_post(h, parcel.process, now_);
  }
  port.unsettled.clear();
}

// --- sending

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
  if (--entry.left > 0) return;
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[nic];
  if (&front == &port.data) {
    state_.nics[nic].entry = absent;
    if (port.to_cut == 0 && !m.is_dead(nic / m.host_count, now_)) {
      const Parcel& parcel = m.parcels[port.parcel];
      plan(
          {RailEvent::Kind::sent, now_ + 1, nic % m.host_count, 0, parcel.rail, 0, 0, 0, parcel.is_reserved});
    }
  }
  free_entry(front);
  front = absent;
  wheels_.wakes.push(now_ + 1, nic);
}

// --- receiving

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
  plan({RailEvent::Kind::arriving, now_ + 1, index(parcel.to), 0, parcel.rail, 0, 0, 0, parcel.is_reserved});
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
  if (!lane.needs_no_bus) is_lost ? --flits_taken : ++tally.flits;
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

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::finish_rail_packet(u32 nic, u32 i) {
  RailMachine& m = *machine_.rails;
  const u32 number = state_.packets[i].message & ~control_bit;
  Parcel& parcel = m.parcels[number];
  const u32 h = index(parcel.to);
  RailPort& port = m.ports[nic];
  const auto processed = [&] {
    return port.processor_free = std::max(port.processor_free, now_) + std::max(1u, m.options.nic_cycles);
  };
  if (parcel.kind == Parcel::Kind::control) {
    plan({RailEvent::Kind::control, processed(), h, 0, parcel.rail, 0, number});
    return;
  }
  ++tally.packets;
  parcel.missing -= state_.packets[i].flits;
  if (parcel.missing > 0) return;
  plan({RailEvent::Kind::received, parcel.is_reserved ? processed() : now_ + 1, h, 0, parcel.rail, 0, 0, 0,
        parcel.is_reserved});
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

// --- a cycle of a NIC

// The lane whose first packet may cross the bus inwards, or no_lane; a flit for the processor needs no bus.
template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::inward_lane(u32 nic, bool& is_busy) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[nic];
  const u32 first = layout_.first_lane(nic), count = layout_.first_lane(nic + 1) - first;
  const bool is_dead = m.is_dead(nic / m.host_count, now_);
  u32 found = no_lane;
  for (u32 i = 0; i < count; ++i) {
    const u32 l = (port.lane_pointer + i) % count;
    RailLane& lane = m.lanes[first + l];
    if (lane.held == 0) continue;
    is_busy = true;
    if (lane.needs_no_bus || is_dead)
      take_rail_flit(nic, first + l);
    else if (found == no_lane)
      found = l;
  }
  return found;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::step_rail_nic(u32 nic) {
  RailMachine& m = *machine_.rails;
  RailPort& port = m.ports[nic];
  bool is_busy = false;
  u32 in = inward_lane(nic, is_busy);
  bool out = false;
  if (port.control != absent && can_send(port.control, port.data)) {
    send_rail_flit(nic, port.control);
    is_busy = true;
  } else if (port.data != absent) {
    out = can_send(port.data, port.control);
  }
  is_busy |= out;
  if (m.options.bus == Bus::half && in != no_lane && out) {
    const bool keeps = port.burst < m.options.bus_burst;
    const bool inward = port.is_inward == keeps;
    if (inward)
      out = false;
    else
      in = no_lane;
  }
  if (in != no_lane || out) {
    const bool inward = in != no_lane;
    port.burst = inward == port.is_inward ? port.burst + 1 : 1;
    port.is_inward = inward;
  }
  if (in != no_lane) {
    port.lane_pointer = static_cast<u8>(in + 1);
    take_rail_flit(nic, layout_.first_lane(nic) + in);
  }
  if (out) send_rail_flit(nic, port.data);
  if (is_busy) return;
  const auto waits_for_rate = [&](u32 i) {
    return i != absent && entries_[i].exit != absent && !is_free(outputs_[entries_[i].exit]);
  };
  if (!waits_for_rate(port.data) && !waits_for_rate(port.control)) sleep(nic);
}

}  // namespace banyan
