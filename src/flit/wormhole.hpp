// Wormhole: every flit is arbitrated for anew; a packet owns a lane from its head to its tail.
#pragma once
#include "flit/output_queues.hpp"

namespace banyan::flit {

template <SwitchKind kind>
class Wormhole : public OutputQueues<kind> {
  using Base = OutputQueues<kind>;
  using typename Base::Site;

 public:
  using Base::Base;

  // The far end of a lane has room for one more flit. wake_nic(node): the lane is a NIC's.
  template <class F>
  [[gnu::always_inline]] void credit(LaneId place, F&& wake_nic) {
    OutLane& lane = out_lane(place);
    if constexpr (!kind.queues)
      if (++lane.room > 1) return;  // nothing changes
    Output& out = this->output_of(place);
    if (kind.queues && out.has_queue) {
      ++lane.credits;
      return;
    }
    if constexpr (kind.queues) ++lane.room;
    if (this->is_of_nic(place)) {
      out.open_lanes |= this->bit_of_id(place);
      return wake_nic(out.node);
    }
    if (lane.room > 1) return;
    out.open_lanes |= this->bit_of_id(place);
    if (lane.owner != none<EntryId> && entries[lane.owner].asleep) this->wake_body(out, lane);
    this->update_ready(out);
  }

  [[gnu::noinline]] void visit_switches() {
    this->each_switch(
        [&](Node v) __attribute__((always_inline)) {
          return this->any_ready(v) || (kind.queues && this->any_port(state.sends.data(), v));
        },
        [&](const Site& at) __attribute__((always_inline)) { visit_switch(at); });
  }

 protected:
  using Base::entries, Base::state, Base::out_lane, Base::lane_of, Base::word_of;

 private:
  [[gnu::always_inline]] void visit_switch(const Site& at) {
    if constexpr (kind.queues) this->send_queues(at.node);
    u64 only = ~u64{0};
    u64* const unused = kind.wide ? unused_ : &only;
    for (u32 w = 0; w < this->words(); ++w) unused[w] = ~u64{0};
    this->each_ready(
        at, [&](Output & out) __attribute__((always_inline)) { visit_output(at, out, unused); });
    if constexpr (kind.queues) this->free_room();
  }
  // `unused`: slots of the switch's input ports that were not used in this cycle.
  [[gnu::always_inline]] void visit_output(const Site& at, Output& out, u64* unused) {
    if (kind.queues && out.has_queue) {
      for (u32 wanted = this->writers(out); wanted > 0 && take_flit(at, out, unused); --wanted) {
      }
      out.free_lanes |= left_lanes_;
      left_lanes_ = 0;
    } else if (this->is_free(out)) {
      take_flit(at, out, unused);
    }
  }
  // One flit crosses to the output, if there is one that can.
  [[gnu::always_inline]] bool take_flit(const Site& at, Output& out, u64* unused) {
    const u32 lanes = u32{out.free_lanes} & out.open_lanes;  // for heads
    const u64 *head = this->heads(out), *body = this->bodies(out);
    if (!this->any_body(out))  // most of the time, where packets are short
      return lanes != 0 &&
             this->each_candidate(
                 out, [&](u32 w) __attribute__((always_inline)) { return head[w] & unused[w]; },
                 [&](Slot slot) __attribute__((always_inline)) {
                   Input& buffer = at.inputs[slot.number];
                   return take_head(out, lanes, buffer, slot, this->candidates(buffer, out), unused);
                 });
    return this->each_candidate(
        out,
        [&](u32 w)
            __attribute__((always_inline)) { return (lanes != 0 ? body[w] | head[w] : body[w]) & unused[w]; },
        [&](Slot slot) __attribute__((always_inline)) {
          Input& buffer = at.inputs[slot.number];
          Queue& queue = this->candidates(buffer, out);
          return entries[queue.front].lane == none<Lane> ? take_head(out, lanes, buffer, slot, queue, unused)
                                                         : take_body(out, buffer, slot, queue, unused);
        });
  }
  // The head of a packet moves, if it may take one of the lanes.
  [[gnu::always_inline]] bool take_head(Output& out, u32 lanes, Input& buffer, Slot slot, Queue& queue,
                                        u64* unused) {
    if constexpr (kind.queues) this->reserve_entry();
    const EntryId id = queue.front;
    Entry& entry = entries[id];
    const u32 fit = entry.lanes & lanes;
    if (fit == 0) return false;
    const Lane taken = next_lane(fit, out.lane_pointer);
    OutLane& lane = leave_buffer(out, lane_of(out, taken), taken, buffer, slot, unused);
    if (!kind.queues || !out.has_queue) {
      this->enter_channel(out, taken, entry.packet, 1);
    } else {
      entry.lane = taken;
      this->write_head(out, id);
    }
    this->clear_head(out, slot);
    if (entry.left > 1) {
      entry.lane = taken;
      --entry.there;
      --entry.left;
      own_lane(out, lane, slot, id);
    } else {
      finish(out, taken, slot, queue, id);
    }
    return true;
  }
  // A flit behind the head moves, if it is there and its lane has room.
  [[gnu::always_inline]] bool take_body(Output& out, Input& buffer, Slot slot, Queue& queue, u64* unused) {
    const EntryId id = queue.front;
    Entry& entry = entries[id];
    if (entry.there == 0 || out_lane(entry.out).room == 0) {
      // Not looked at until something arrives. While a flit comes in each cycle, the bit stays.
      entry.asleep = 1;
      this->clear_body(out, slot);
      return false;
    }
    const Lane taken = entry.lane;
    OutLane& lane = leave_buffer(out, entry.out, taken, buffer, slot, unused);
    if (!kind.queues || !out.has_queue)
      this->enter_channel(out, taken, none<PacketId>, 1);
    else
      ++entries[this->queue_of(lane_of(out, taken)).back].there;
    if (entry.left > 1) {
      --entry.there;
      --entry.left;
      return true;
    }
    this->clear_body(out, slot);
    lane.owner = none<EntryId>;
    out.free_lanes |= bit_of(taken);
    finish(out, taken, slot, queue, id);
    return true;
  }
  // What a flit that moves leaves behind.
  [[gnu::always_inline]] OutLane& leave_buffer(Output& out, LaneId place, Lane taken, const Input& buffer,
                                               Slot slot, u64* unused) {
    unused[word_of(slot)] &= buffer.others;
    this->go_behind(out, slot);
    this->give_credit(buffer, 0);
    OutLane& lane = out_lane(place);
    if (--lane.room == 0) [[unlikely]]
      remove(out.open_lanes, taken);
    return lane;
  }
  // The last flit of a packet has moved.
  [[gnu::always_inline]] void finish(Output& out, Lane taken, Slot slot, Queue& queue, EntryId id) {
    if (kind.queues && out.has_queue) {  // others may write in this cycle, but not to this lane
      remove(out.free_lanes, taken);
      left_lanes_ |= bit_of(taken);
    }
    Entry& entry = entries[id];
    this->drop(queue, entry.next, slot);
    this->free_entry(id, entry);
  }
  // From the head of a packet of several flits to its tail.
  [[gnu::always_inline]] void own_lane(Output& out, OutLane& lane, Slot slot, EntryId id) {
    Entry& entry = entries[id];
    remove(out.free_lanes, entry.lane);
    entry.out = lane_of(out, entry.lane);
    lane.owner = id;
    lane.owner_slot = slot;
    this->set_body(out, slot);
  }

  u64 unused_[64] = {};  // of the visited switch, where it has more than 64 slots
  u16 left_lanes_ = 0;   // of the visited output, those that a tail has left
};

}  // namespace banyan::flit
