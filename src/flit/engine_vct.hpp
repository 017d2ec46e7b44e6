// Virtual cut-through: a packet that starts has room for all of it and holds its input port and the output
// until its last flit has left. With packets as the unit that is one event instead of one for each flit.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
u32 Engine<mode, voq, queues, wide>::writers(const Output& out) const {
  if (!queues || !out.has_queue) return 1;
  return out.is_endless ? 256 : state_.options.writers;
}

template <Mode mode, bool voq, bool queues, bool wide>
u16 Engine<mode, voq, queues, wide>::lanes_with_room(const Output& out, const Entry& entry) const {
  const u16 open = entry.lanes & out.open_lanes;
  if (mode == Mode::packets || entry.left == packet_flits_) return open;
  u32 fit = 0;
  for (u32 mask = entry.lanes; mask != 0; mask &= mask - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(mask));
    if (lanes_[(entry.exit << shift_) + lane].room >= entry.left) fit |= 1u << lane;
  }
  return static_cast<u16>(fit);
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_vct(const Site& at, Output& out) {
  if (queues && out.has_queue) {
    while (out.writing < writers(out) && take_packet(at, out)) {
    }
  } else if (out.writing == 0 && is_free(out)) {
    take_packet(at, out);
  }
}

// One packet begins to cross to the output, if there is one that can.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_packet(const Site& at, Output& out) {
  const u64 *head = heads(out), *idle = state_.idle.data() + std::size_t{at.node} * words();
  return each_candidate(
      out, [&](u32 w) __attribute__((always_inline)) { return head[w] & idle[w]; },
      [&](u32 slot) __attribute__((always_inline)) {
        if (!begin_crossing(at, out, at.inputs[slot])) return false;
        go_behind(out, slot);
        return true;
      });
}

template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::begin_crossing(const Site& at, Output& out, Input& input) {
  Queue& queue = candidates(input, out);
  const u32 i = queue.front, slot = input.slot;
  Entry& entry = entries_[i];
  const u16 fit = lanes_with_room(out, entry);
  if (fit == 0) return false;
  entry.lane = lane_from(fit, out.lane_pointer);
  out.lane_pointer = static_cast<u8>(entry.lane + 1);
  u32& room = lanes_[out.first_lane + entry.lane].room;
  room -= entry.left;
  if (room < packet_flits_) out.open_lanes &= static_cast<u16>(~(1u << entry.lane));
  clear_head(out, slot);
  drop(queue, entry.next, slot);
  idle(at.node)[wide ? slot / 64 : 0] &= input.others;
  ++out.writing;
  if constexpr (mode == Mode::packets) {
    cross_packet(input, out, i);
  } else {
    const u32 exit = exit_of(out);
    const u32 copy = queues && out.has_queue ? write_head(exit, i) : absent;
    if (copy == absent) enter_channel(out, entries_[i].lane, entries_[i].packet, 1);
    const u32 lane = static_cast<u32>(&input - inputs_);
    const Crossing crossing{i, exit, copy, lane};
    --entries_[i].there;
    give_credit(input, 0);
    state_.crossings[lane >> shift_] = crossing;
    if (--entries_[i].left == 0)
      finished_.push_back(crossing);
    else
      set(of_ports(state_.crossing, at.node), slot >> shift_);
  }
  return true;
}

// The next flit of the packet that holds an input port.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::cross_flit(u32 input) {
  const Crossing& crossing = state_.crossings[input];
  Entry& entry = entries_[crossing.entry];
  if (entry.there == 0) return;
  if (crossing.copy != absent) {
    ++entries_[crossing.copy].there;
  } else {
    if (!is_free(outputs_[crossing.exit])) return;
    enter_channel(outputs_[crossing.exit], entry.lane, absent, 1);
  }
  give_credit(inputs_[crossing.lane], 0);
  --entry.there;
  if (--entry.left == 0) finished_.push_back(crossing);
}

// Ports are free from the next cycle on: this comes after all else in a switch.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::finish_crossings() {
  for (const Crossing& crossing : finished_) {
    const Output& input = outputs_[crossing.lane >> shift_];
    const u32 node = input.node, port = input.port, slot = port << shift_;
    idle(node)[wide ? slot / 64 : 0] |= ~inputs_[crossing.lane].others;
    clear(of_ports(state_.crossing, node), port);
    --outputs_[crossing.exit].writing;
    free_entry(crossing.entry);
    update_ready(outputs_[crossing.exit]);
  }
  finished_.clear();
}

// Packets as the unit: all that a packet's flits would do, at once.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::cross_packet(const Input& input, Output& out, u32 i) {
  give_credit(input, packet_flits_ - 1);
  wheels_.releases.push(now_ + packet_flits_, {input.first_exit + (input.slot >> shift_), exit_of(out)});
  if (queues && out.has_queue) {
    write_head(exit_of(out), i);
    wheels_.wakes.push(now_ + 1, out.node);
  } else {
    out.until = now_ + packet_flits_;
    enter_channel(out, entries_[i].lane, entries_[i].packet, packet_flits_);
  }
  free_entry(i);
}

}  // namespace banyan::flit
