// NICs: messages are cut into packets, one at a time stands at the front; what arrives is consumed.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::schedule_wake(u32 nic, u64 from) {
  const u64 when = state_.nics[nic].to_cut > 0 ? from : std::max(from, machine_.workload.when(Nic{nic}));
  if (when == Workload::never) return;
  wheels_.wakes.push(std::min(when, now_ + wheels_.wakes.reach()), nic);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::wake_nic(u32 nic) {
  NicState& state = state_.nics[nic];
  if (state.entry != absent) return;
  if (mode == Mode::packets && state.busy_until > now_) return;
  if (state.to_cut == 0) {
    if (machine_.workload.when(Nic{nic}) > now_) return schedule_wake(nic, now_ + 1);
    begin_message(nic);
  }
  begin_packet(nic);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::begin_message(u32 nic) {
  NicState& state = state_.nics[nic];
  const Workload::Post post = machine_.workload.take(Nic{nic}, now_);
  state.message = state_.messages.take(number_, messages_);
  state_.messages[state.message] = {post.created, post.flits, post.round};
  state.to = post.to;
  state.to_cut = post.flits;
  state.bytes = post.bytes;
  state.place = 0;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::begin_packet(u32 nic) {
  NicState& state = state_.nics[nic];
  const Nic from{nic};
  const u32 flits = std::min(state.to_cut, packet_flits_);
  const u32 count = machine_.source.count(from, state.to, state.bytes);
  if (count == 0) [[unlikely]]
    no_way(machine_.setting, from, state.to);
  const u32 way = count == 1 ? 0
                             : chosen_way(state_.options.path_choice, machine_.setting.seed, from, state.sent,
                                          state.place, count);
  const u32 i = state_.packets.take(number_, packets_);
  Packet& packet = state_.packets[i];
  packet.header = machine_.source.way(from, state.to, state.bytes, way);
  packet.number = state.sent;
  packet.flits = flits;
  packet.message = state.message;
  packet.source = from;
  state.to_cut -= flits;
  flits_taken += flits;
  ++state.sent;
  ++state.place;
  state.entry = new_entry();
  entries_[state.entry] = {i, flits, flits, absent, absent, 0, no_lane, 0};
  add_job(layout_.first_lane(nic), i);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::give_exit(u32 nic, const RouteJob& job) {
  Entry& entry = entries_[has_rails ? rail_entry(nic, job.packet) : state_.nics[nic].entry];
  entry.exit = job.exit;
  entry.lanes = job.lanes;
  if (has_rails || send_from_nic(nic)) wake(nic);
}

template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::lane_at_nic(const Entry& entry, Output& out) {
  const u16 fit =
      mode == Mode::wormhole ? static_cast<u16>(entry.lanes & out.open_lanes) : lanes_with_room(out, entry);
  if (fit == 0) return no_lane;
  const u8 lane = lane_from(fit, out.lane_pointer);
  out.lane_pointer = static_cast<u8>(lane + 1);
  return lane;
}

template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::send_from_nic(u32 nic) {
  NicState& state = state_.nics[nic];
  if (state.entry == absent) return false;
  Entry& entry = entries_[state.entry];
  Output& out = outputs_[entry.exit];
  if (!is_free(out)) return true;
  u32 packet = absent;
  if (entry.lane == no_lane) {
    const u32 found = lane_at_nic(entry, out);
    if (found == no_lane) return false;
    entry.lane = static_cast<u8>(found);
    packet = entry.packet;
  }
  OutLane& lane = lanes_[out.first_lane + entry.lane];
  const u16 bit = static_cast<u16>(1u << entry.lane);
  u32 flits = 1;
  if constexpr (mode == Mode::wormhole) {
    if (lane.room == 0) return false;
    if (--lane.room == 0) out.open_lanes &= static_cast<u16>(~bit);
  } else {
    if (packet != absent) lane.room -= entry.left;
    if (lane.room < packet_flits_) out.open_lanes &= static_cast<u16>(~bit);
    if constexpr (mode == Mode::packets) flits = packet_flits_, out.until = now_ + flits;
  }
  enter_channel(out, entry.lane, packet, flits);
  entry.left -= flits;
  if (entry.left > 0) return true;
  free_entry(state.entry);
  state.entry = absent;
  state.busy_until = now_ + flits;
  schedule_wake(nic, state.busy_until);
  return false;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::consume(const Arrival& arrival) {
  const bool gives_credit = state_.options.ejection == Ejection::finite;
  if constexpr (mode == Mode::packets) {
    tally.flits += packet_flits_;
    state_.consuming[arrival.lane >> shift_] = now_ + packet_flits_;
    if (gives_credit) give_credit(inputs_[arrival.lane], packet_flits_ - 1);
    if (packet_flits_ == 1) return finish_packet(node_of(arrival.lane), arrival.packet);
    wheels_.consumed.push(now_ + packet_flits_ - 1, arrival);
  } else {
    Input& buffer = inputs_[arrival.lane];  // here: the packet, and its flits to come
    if (arrival.packet != absent)
      buffer.front = arrival.packet, buffer.back = state_.packets[arrival.packet].flits;
    ++tally.flits;
    if (gives_credit) give_credit(buffer, 0);
    if (--buffer.back == 0) finish_packet(node_of(arrival.lane), buffer.front);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::finish_packet(u32 nic, u32 i) {
  const Packet& packet = state_.packets[i];
  Message& message = state_.messages[packet.message];
  ++tally.packets;
  tally.packet_latency.add(now_ - message.created);
  message.flits -= packet.flits;
  if (message.flits == 0) {
    ++tally.messages;
    tally.message_latency.add(now_ - message.created);
    tally.last_message = now_;
    if (machine_.workload.ends()) {
      machine_.workload.arrived(Nic{nic}, message.round, now_);
      const NicState& state = state_.nics[nic];
      if (state.entry == absent && state.to_cut == 0) schedule_wake(nic, std::max(now_, state.busy_until));
    }
    free_message(packet.message);
  }
  free_packet(i);
}

}  // namespace banyan::flit
