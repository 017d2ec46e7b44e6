// Wormhole: every flit is arbitrated for anew; a packet owns a lane from its head to its tail.
#pragma once

namespace banyan {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_wormhole(u32 node, u32 exit) {
  Output& out = state_.outputs[exit];
  if (queues && out.has_queue) {
    for (u32 wanted = writers(out); wanted > 0 && take_flit(node, exit); --wanted) {
    }
  } else if (is_free(out)) {
    take_flit(node, exit);
  }
  out.free_lanes |= left_lanes_;
  left_lanes_ = 0;
  update_ready(exit);
}

// One flit crosses to the output, if there is one that can.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_flit(u32 node, u32 exit) {
  Output& out = state_.outputs[exit];
  const u64 *head = heads(exit), *body = bodies(exit);
  const u64 heads_too = (out.free_lanes & out.open_lanes) != 0 ? ~u64{0} : 0;
  return scan_round<wide>(
      words(), out.pointer, [&](u32 w) { return (body[w] | (head[w] & heads_too)) & ~used_[w]; },
      [&](u32 slot) {
        const u32 entry = candidate(node, slot, exit);
        const bool is_head = entries_[entry].lane == no_lane;
        if (is_head && !take_head(slot, exit, entry)) return false;
        move_flit(node, slot, exit, entry, is_head);
        used_[wide ? slot / 64 : 0] |= port_slots(slot);
        out.pointer = behind(slot);
        return true;
      });
}

// The head of a packet is given a lane, if there is one.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_head(u32 slot, u32 exit, u32 i) {
  Output& out = state_.outputs[exit];
  Entry& entry = entries_[i];
  const u16 fit = entry.lanes & out.free_lanes & out.open_lanes;
  if (fit == 0) return false;
  entry.lane = lane_from(fit, out.lane_pointer);
  out.lane_pointer = static_cast<u8>(entry.lane + 1);
  out.free_lanes &= static_cast<u16>(~(1u << entry.lane));
  OutLane& lane = state_.lanes[(exit << shift_) + entry.lane];
  lane.owner = i;
  lane.owner_slot = slot;
  clear_head(exit, slot);
  return true;
}

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::move_flit(u32 node, u32 slot, u32 exit, u32 i, bool is_head) {
  Output& out = state_.outputs[exit];
  const u32 place = (exit << shift_) + entries_[i].lane;
  OutLane& lane = state_.lanes[place];
  const u16 bit = static_cast<u16>(1u << entries_[i].lane);
  if (--lane.room == 0) out.open_lanes &= static_cast<u16>(~bit);
  give_credit(layout_.first_lane(node) + slot, 0);
  if (queues && out.has_queue) {
    if (is_head)
      write_head(exit, i);
    else
      ++entries_[state_.queues[place].back].there;
  } else {
    enter_channel(exit, entries_[i].lane, is_head ? entries_[i].packet : absent, 1);
  }
  Entry& entry = entries_[i];
  --entry.there;
  if (--entry.left > 0) return set_body(exit, slot, entry.there > 0 && lane.room > 0);
  set_body(exit, slot, false);
  left_lanes_ |= bit;
  lane.owner = absent;
  drop(node, slot, exit);
  free_entry(i);
}

}  // namespace banyan
