// Output queues: packets cross into them, and they send into the channel, both in the same cycle. So queues
// send first, and the room they free is given back after the crossing.
#pragma once

namespace banyan::flit {

// The entry's head is written; its copy in the queue has what was written so far.
template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::write_head(u32 exit, u32 i) {
  const u32 copy = new_entry();
  const Entry& entry = entries_[i];
  entries_[copy] = {entry.packet, entry.left, 1, absent, exit, 0, no_lane, 0};
  Queue& queue = state_.queues[(exit << shift_) + entry.lane];
  if (queue.front == absent)
    queue.front = copy;
  else
    entries_[queue.back].next = copy;
  queue.back = copy;
  set(of_ports(state_.sends, outputs_[exit].node), outputs_[exit].port);
  return copy;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::send_queues(u32 node) {
  const u64* mask = of_ports(state_.sends, node);
  const u32 first = layout_.first_exit[node];
  for (u32 w = 0; w < port_words(); ++w)
    scan_bits(mask[w], w * 64, [&](u32 port) {
      if constexpr (mode == Mode::packets)
        send_packet_from_queue(first + port);
      else
        send_from_queue(first + port);
      return false;
    });
}

template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::sendable_lane(u32 exit) const {
  const Output& out = outputs_[exit];
  u32 fit = 0;
  for (u32 l = 0; l < layout_.lanes; ++l) {
    const u32 place = (exit << shift_) + l, front = state_.queues[place].front;
    if (front == absent || entries_[front].there == 0) continue;
    const u32 needed = mode == Mode::wormhole ? 1 : entries_[front].left;
    if (out.is_endless || lanes_[place].credits >= needed) fit |= 1u << l;
  }
  return fit == 0 ? no_lane : lane_from(fit, out.send_pointer);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::send_from_queue(u32 exit) {
  Output& out = outputs_[exit];
  if (!is_free(out)) return;
  u32 i = out.sending;
  if (i == absent) {
    const u32 lane = sendable_lane(exit);
    if (lane == no_lane) return;
    out.send_pointer = static_cast<u8>(lane + 1);
    const u32 place = (exit << shift_) + lane;
    i = state_.queues[place].front;
    if (!out.is_endless) lanes_[place].credits -= mode == Mode::wormhole ? 1 : entries_[i].left;
    if (mode == Mode::vct) out.sending = i;
    entries_[i].lanes = static_cast<u16>(lane);
  }
  Entry& entry = entries_[i];
  if (entry.there == 0) return;
  const u32 lane = entry.lanes;
  const bool is_head = entry.lane == no_lane;
  entry.lane = static_cast<u8>(lane);
  enter_channel(out, lane, is_head ? entry.packet : absent, 1);
  freed_.push_back((exit << shift_) + lane);
  --entry.there;
  if (--entry.left > 0) return;
  out.sending = absent;
  leave_queue(exit, lane);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::send_packet_from_queue(u32 exit) {
  Output& out = outputs_[exit];
  if (out.until > now_) return;
  const u32 lane = sendable_lane(exit);
  if (lane == no_lane) return;
  const u32 place = (exit << shift_) + lane;
  out.send_pointer = static_cast<u8>(lane + 1);
  out.until = now_ + packet_flits_;
  if (!out.is_endless) lanes_[place].credits -= packet_flits_;
  enter_channel(out, lane, entries_[state_.queues[place].front].packet, packet_flits_);
  wheels_.sent.push(out.until, place);
  leave_queue(exit, lane);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::leave_queue(u32 exit, u32 lane) {
  Queue& queue = state_.queues[(exit << shift_) + lane];
  const u32 gone = queue.front;
  queue.front = entries_[gone].next;
  free_entry(gone);
  for (u32 l = 0; l < layout_.lanes; ++l)
    if (state_.queues[(exit << shift_) + l].front != absent) return;
  clear(of_ports(state_.sends, outputs_[exit].node), outputs_[exit].port);
}

// A flit has left the queue of a lane.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::credit_queue(u32 place) {
  Output& out = outputs_[place >> shift_];
  OutLane& lane = lanes_[place];
  ++lane.room;
  const u16 bit = static_cast<u16>(1u << (place & lane_mask_));
  if (lane.room < (mode == Mode::wormhole ? 1 : packet_flits_) || (out.open_lanes & bit) != 0) return;
  out.open_lanes |= bit;
  if (mode == Mode::wormhole && lane.owner != absent && entries_[lane.owner].asleep) wake_body(out, lane);
  update_ready(out);
}

}  // namespace banyan::flit
