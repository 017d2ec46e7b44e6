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
    const u64 *head = this->heads(out), *body = this->bodies(out);
    const bool heads_too = (out.free_lanes & out.open_lanes) != 0;
    return this->each_candidate(
        out,
        [&](u32 w)
            __attribute__((always_inline)) { return (heads_too ? body[w] | head[w] : body[w]) & unused[w]; },
        [&](Slot slot) __attribute__((always_inline)) {
          if constexpr (kind.queues) this->reserve_entry();
          Input& buffer = at.inputs[slot.number];
          Queue& queue = this->candidates(buffer, out);
          Entry& entry = entries[queue.front];
          if (entry.lane == none<Lane>) {
            if (!take_lane(out, entry)) return false;
            unused[word_of(slot)] &= buffer.others;
            move_flit<true>(out, out_lane(lane_of(out, entry.lane)), buffer, slot, queue, entry);
            return true;
          }
          OutLane& lane = out_lane(entry.out);
          if (entry.there > 0 && lane.room > 0) {
            unused[word_of(slot)] &= buffer.others;
            move_flit<false>(out, lane, buffer, slot, queue, entry);
            return true;
          }
          // Not looked at until something arrives. While a flit comes in each cycle, the bit stays.
          entry.asleep = 1;
          this->clear_body(out, slot);
          return false;
        });
  }
  // The head of a packet is given a lane, if there is one.
  [[gnu::always_inline]] bool take_lane(Output& out, Entry& entry) {
    const u16 fit = entry.lanes & out.free_lanes & out.open_lanes;
    if (fit == 0) return false;
    entry.lane = next_lane(fit, out.lane_pointer);
    return true;
  }
  template <bool is_head>
  [[gnu::always_inline]] void move_flit(Output& out, OutLane& lane, const Input& buffer, Slot slot,
                                        Queue& queue, Entry& entry) {
    const EntryId id = queue.front;
    const Lane taken = entry.lane;
    this->go_behind(out, slot);
    this->give_credit(buffer, 0);
    if (--lane.room == 0) [[unlikely]]
      remove(out.open_lanes, taken);
    if (!kind.queues || !out.has_queue)
      this->enter_channel(out, taken, is_head ? entry.packet : none<PacketId>, 1);
    else if (is_head)
      this->write_head(out, id);
    else
      ++entries[this->queue_of(lane_of(out, taken)).back].there;
    if (is_head) this->clear_head(out, slot);
    if (entry.left > 1) {
      --entry.there;
      --entry.left;
      if (is_head) own_lane(out, lane, slot, id);
      return;
    }
    if (!is_head) {
      this->clear_body(out, slot);
      lane.owner = none<EntryId>;
      out.free_lanes |= bit_of(taken);
    }
    if (kind.queues && out.has_queue) {  // others may write in this cycle, but not to this lane
      remove(out.free_lanes, taken);
      left_lanes_ |= bit_of(taken);
    }
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
