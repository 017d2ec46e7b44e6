// Wormhole: every flit is arbitrated for anew; a packet owns a lane from its head to its tail.
#pragma once

namespace banyan {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_wormhole(const Site& at, Output& out) {
  if (queues && out.has_queue) {
    for (u32 wanted = writers(out); wanted > 0 && take_flit(at, out); --wanted) {
    }
  } else if (is_free(out)) {
    take_flit(at, out);
  }
  out.free_lanes |= left_lanes_;
  left_lanes_ = 0;
}

// One flit crosses to the output, if there is one that can.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_flit(const Site& at, Output& out) {
  const u64 *head = heads(out), *body = bodies(out);
  const u64 heads_too = (out.free_lanes & out.open_lanes) != 0 ? ~u64{0} : 0;
  return scan_round<wide>(
      words(), out.pointer,
      [&](u32 w) __attribute__((always_inline)) { return (body[w] | (head[w] & heads_too)) & ~used_[w]; },
      [&](u32 slot) __attribute__((always_inline)) {
        Queue& queue = candidates(at.node, at.inputs, slot, out);
        const bool is_head = entries_[queue.front].lane == no_lane;
        if (!(is_head ? take_head(at, out, slot, queue.front)
                      : can_move(at, out, slot, entries_[queue.front])))
          return false;
        used_[wide ? slot / 64 : 0] |= port_slots(slot);
        out.pointer = behind(slot);
        move_flit(at, out, slot, queue, is_head);
        return true;
      });
}

// Whether the next flit of a packet that has a lane can cross. If not, its bit is cleared until something
// arrives; while flits stream through, one in each cycle, it stays.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::can_move(const Site& at, Output& out, u32 slot, Entry& entry) {
  if (entry.there > 0 && at.lanes[(u32{out.port} << shift_) + entry.lane].room > 0) return true;
  entry.asleep = 1;
  clear_body(out, slot);
  return false;
}

// The head of a packet is given a lane, if there is one.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_head(const Site& at, Output& out, u32 slot, u32 i) {
  Entry& entry = entries_[i];
  const u16 fit = entry.lanes & out.free_lanes & out.open_lanes;
  if (fit == 0) return false;
  entry.lane = lane_from(fit, out.lane_pointer);
  out.lane_pointer = static_cast<u8>(entry.lane + 1);
  out.free_lanes &= static_cast<u16>(~(1u << entry.lane));
  OutLane& lane = at.lanes[(u32{out.port} << shift_) + entry.lane];
  lane.owner = i;
  lane.owner_slot = slot;
  clear_head(out, slot);
  return true;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::move_flit(const Site& at, Output& out, u32 slot, Queue& queue,
                                                bool is_head) {
  const u32 i = queue.front, number = entries_[i].lane;
  OutLane& lane = at.lanes[(u32{out.port} << shift_) + number];
  give_credit(at.outputs[slot >> shift_], slot & lane_mask_, 0);
  if (queues && out.has_queue) {
    if (is_head)
      write_head(exit_of(out), i);
    else
      ++entries_[state_.queues[(exit_of(out) << shift_) + number].back].there;
  } else {
    enter_channel(out, number, is_head ? entries_[i].packet : absent, 1);
  }
  Entry& entry = entries_[i];
  --entry.there;
  const u16 bit = static_cast<u16>(1u << number);
  if (--lane.room == 0) out.open_lanes &= static_cast<u16>(~bit);
  if (--entry.left > 0) {
    if (is_head) set_body(out, slot);
    return;
  }
  if (!is_head) clear_body(out, slot);
  left_lanes_ |= bit;
  lane.owner = absent;
  drop(queue, slot);
  free_entry(i);
}

}  // namespace banyan
