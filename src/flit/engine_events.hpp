// What is due in a cycle: credits, flits, free ports; then the packets that have become visible are routed.
#pragma once

namespace banyan {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::deliver() {
  Wheel::Slot& due = wheel_.at(now_);
  for (const u32 lane : due.credits) credit(lane);
  due.credits.clear();
  if constexpr (mode == Mode::packets) {
    for (const u32 lane : due.trickles) {
      state_.trickle_end[lane] = now_ + packet_flits_ - 1;
      wheel_.at(now_ + packet_flits_ - 1).credits.push_back(lane);
    }
    due.trickles.clear();
    for (const Release& r : due.releases) release(r);
    due.releases.clear();
    for (const u32 lane : due.sent) sent(lane);
    due.sent.clear();
    for (const Arrival& c : due.consumed) finish_packet(layout_.node_of(c.lane), c.packet);
    due.consumed.clear();
  }
  for (const Arrival& a : due.arrivals) arrive(a);
  due.arrivals.clear();
  for (const u32 node : due.wakes)
    if (is_nic(node))
      wake_nic(node);
    else
      wake(node);
  due.wakes.clear();
}

// The far end of a lane has room for one more flit, or packet.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::credit(u32 lane) {
  const u32 exit = lane >> shift_, node = layout_.exits[exit].node;
  Output& out = state_.outputs[exit];
  OutLane& l = state_.lanes[lane];
  const u32 flits = mode == Mode::packets ? packet_flits_ : 1;
  if (queues && out.has_queue) {
    l.credits += flits;
    if constexpr (mode == Mode::packets) wake(node);
    return;
  }
  l.room += flits;
  const u16 bit = static_cast<u16>(1u << (lane & lane_mask_));
  if (is_nic(node)) {
    if (mode == Mode::wormhole || l.room >= packet_flits_) out.open_lanes |= bit;
    if (state_.nics[node].entry != absent) wake(node);
    return;
  }
  if constexpr (mode == Mode::wormhole) {
    if (l.room > 1) return;
    out.open_lanes |= bit;
    if (l.owner != absent && entries_[l.owner].there > 0) set_body(exit, l.owner_slot, true);
    update_ready(exit);
  } else {
    if (l.room < packet_flits_ || (out.open_lanes & bit) != 0) return;
    out.open_lanes |= bit;
    update_ready(exit);
  }
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::arrive(const Arrival& arrival) {
  const u32 node = layout_.node_of(arrival.lane);
  if (is_nic(node)) return consume(arrival);
  Queue& queue = state_.inputs[arrival.lane];
  if (arrival.packet == absent) {
    Entry& entry = entries_[queue.back];
    const bool was_empty = entry.there++ == 0;
    if (mode == Mode::wormhole && was_empty && entry.lane != no_lane) {
      const u32 exit = layout_.first_exit[node] + entry.port;
      if (state_.lanes[(exit << shift_) + entry.lane].room == 0) return;
      set_body(exit, slot_of(node, arrival.lane), true);
      update_ready(exit);
    }
    return;
  }
  const u32 i = new_entry();
  const u32 flits = mode == Mode::packets ? packet_flits_ : state_.packets[arrival.packet].flits;
  entries_[i] = {arrival.packet, flits, 1, absent, 0, 0, no_lane};
  if constexpr (!voq) {
    if (queue.front == absent)
      queue.front = i;
    else
      entries_[queue.back].next = i;
  }
  queue.back = i;
  jobs_.push_back({arrival.lane, i});
}

// Packets as the unit: an input port and an output are free again.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::release(const Release& r) {
  const u32 node = layout_.exits[r.input].node;
  const u32 slot = (r.input - layout_.first_exit[node]) << shift_;
  busy(node)[wide ? slot / 64 : 0] &= ~port_slots(slot);
  --state_.outputs[r.output].writing;
  update_ready(r.output);
  wake(node);
}

// Packets as the unit: an output queue has sent one.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::sent(u32 lane) {
  const u32 exit = lane >> shift_;
  state_.lanes[lane].room += packet_flits_;
  state_.outputs[exit].open_lanes |= static_cast<u16>(1u << (lane & lane_mask_));
  update_ready(exit);
  wake(layout_.exits[exit].node);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::route() {
  if (jobs_.empty()) return;
  if (machine_.is_adaptive)
    std::sort(jobs_.begin(), jobs_.end(),
              [](const RouteJob& a, const RouteJob& b) { return a.lane < b.lane; });
  machine_.route(machine_.forward, machine_.setting, jobs_, entries_.data(), now_);
  for (const RouteJob& job : jobs_) {
    const u32 node = layout_.node_of(job.lane);
    if (is_nic(node))
      wake(node);
    else
      join(job.lane, job.entry);
  }
  jobs_.clear();
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_nodes() {
  for (u32 w = 0; w < active_.size(); ++w)
    scan_bits(active_[w], w * 64, [&](u32 node) {
      if (is_nic(node))
        send_from_nic(node);
      else
        visit_switch(node);
      return false;
    });
}

}  // namespace banyan
