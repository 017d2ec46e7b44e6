// Wormhole: every flit is arbitrated for anew; a packet owns a lane from its head to its tail.
#pragma once

namespace banyan::flit {

template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::visit_wormhole(const Site& at, Output& out) {
  if (queues && out.has_queue) {
    for (u32 wanted = writers(out); wanted > 0 && take_flit(at, out); --wanted) {
    }
    out.free_lanes |= left_lanes_;
    left_lanes_ = 0;
  } else if (is_free(out)) {
    take_flit(at, out);
  }
}

// One flit crosses to the output, if there is one that can.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_flit(const Site& at, Output& out) {
  const u64 *head = heads(out), *body = bodies(out);
  const bool heads_too = (out.free_lanes & out.open_lanes) != 0;
  return each_candidate(
      out,
      [&](u32 w)
          __attribute__((always_inline)) { return (heads_too ? body[w] | head[w] : body[w]) & unused_[w]; },
      [&](u32 slot) __attribute__((always_inline)) {
        if constexpr (queues) reserve_entry();
        Input& input = at.inputs[slot];
        Queue& queue = candidates(input, out);
        Entry& entry = entries_[queue.front];
        if (entry.lane == no_lane) {
          if (!take_lane(out, entry)) return false;
          move_flit<true>(out, lanes_[out.first_lane + entry.lane], input, slot, queue, entry);
          return true;
        }
        OutLane& lane = lanes_[entry.out];
        if (entry.there > 0 && lane.room > 0) {
          move_flit<false>(out, lane, input, slot, queue, entry);
          return true;
        }
        // Not looked at until something arrives. While a flit comes in each cycle, the bit stays.
        entry.asleep = 1;
        clear_body(out, slot);
        return false;
      });
}

// The head of a packet is given a lane, if there is one.
template <Mode mode, bool voq, bool queues, bool wide>
bool Engine<mode, voq, queues, wide>::take_lane(Output& out, Entry& entry) {
  const u16 fit = entry.lanes & out.free_lanes & out.open_lanes;
  if (fit == 0) return false;
  entry.lane = lane_from(fit, out.lane_pointer);
  out.lane_pointer = static_cast<u8>(entry.lane + 1);
  return true;
}

template <Mode mode, bool voq, bool queues, bool wide>
template <bool is_head>
void Engine<mode, voq, queues, wide>::move_flit(Output& out, OutLane& lane, const Input& input, u32 slot,
                                                Queue& queue, Entry& entry) {
  const u32 i = queue.front, number = entry.lane;
  unused_[wide ? slot / 64 : 0] &= input.others;
  go_behind(out, slot);
  give_credit(input, 0);
  if (--lane.room == 0) [[unlikely]]
    out.open_lanes &= static_cast<u16>(~(1u << number));
  if (!queues || !out.has_queue)
    enter_channel(out, number, is_head ? entry.packet : absent, 1);
  else if (is_head)
    write_head(exit_of(out), i);
  else
    ++entries_[state_.queues[out.first_lane + number].back].there;
  if (is_head) clear_head(out, slot);
  if (entry.left > 1) {
    --entry.there;
    --entry.left;
    if (is_head) own_lane(out, lane, slot, i);
    return;
  }
  const u16 bit = static_cast<u16>(1u << number);
  if (!is_head) {
    clear_body(out, slot);
    lane.owner = absent;
    out.free_lanes |= bit;
  }
  if (queues && out.has_queue) {  // others may write in this cycle, but not to this lane
    out.free_lanes &= static_cast<u16>(~bit);
    left_lanes_ |= bit;
  }
  drop(queue, entry.next, slot);
  free_entry(i, entry);
}

// From the head of a packet of several flits to its tail.
template <Mode mode, bool voq, bool queues, bool wide>
void Engine<mode, voq, queues, wide>::own_lane(Output& out, OutLane& lane, u32 slot, u32 i) {
  Entry& entry = entries_[i];
  out.free_lanes &= static_cast<u16>(~(1u << entry.lane));
  entry.out = out.first_lane + entry.lane;
  lane.owner = i;
  lane.owner_slot = slot;
  set_body(out, slot);
}

}  // namespace banyan::flit
