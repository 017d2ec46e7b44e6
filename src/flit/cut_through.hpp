// Virtual cut-through: a packet that starts has room for all of it and holds its input port and the output
// until its last flit has left. With packets as the unit that is one event instead of one for each flit.
#pragma once
#include "flit/output_queues.hpp"

namespace banyan::flit {

template <SwitchKind kind>
class CutThrough : public OutputQueues<kind> {
  using Base = OutputQueues<kind>;
  using typename Base::Site;
  static constexpr bool has_packets = kind.mode == Mode::packets;  // as the unit

 public:
  using Base::Base;

  // The far end of a lane has room for one more flit, or packet. wake_nic(node): the lane is a NIC's.
  template <class F>
  [[gnu::always_inline]] void credit(LaneId place, F&& wake_nic) {
    OutLane& lane = out_lane(place);
    Output& out = this->output_of(place);
    const u32 flits = has_packets ? packet_flits : 1;
    if (kind.queues && out.has_queue) {
      lane.credits += flits;
      if constexpr (has_packets) wake(out.node);
      return;
    }
    lane.room += flits;
    const u16 bit = this->bit_of_id(place);
    if (this->is_of_nic(place)) {
      if (lane.room >= packet_flits) out.open_lanes |= bit;
      return wake_nic(out.node);
    }
    if (lane.room < packet_flits || (out.open_lanes & bit) != 0) return;
    out.open_lanes |= bit;
    update_ready(out);
  }

  // --- packets as the unit
  // Credits for a packet come one by one from now on; the last one counts for all.
  void trickle(LaneId lane) {
    const u64 end = clock.now + packet_flits - 1;
    state.trickle_end[index(lane)] = end;
    clock.wheels.credits.push(end, lane);
  }
  // An input port and an output are free again.
  [[gnu::always_inline]] void release(const Release& release) {
    const Output& in = output(release.input);
    idle_word(in.node, u32{in.port} << this->shift_) |= ~input(in.first_lane).others;
    --output(release.output).writing;
    update_ready(output(release.output));
    if (this->any_ready(in.node)) wake(in.node);
  }
  // An output queue has sent one.
  void sent(LaneId lane) {
    Output& out = this->output_of(lane);
    out_lane(lane).room += packet_flits;
    out.open_lanes |= this->bit_of_id(lane);
    update_ready(out);
    wake(out.node);
  }

  [[gnu::noinline]] void visit_switches() {
    const u32 nics = this->first_switch_;
    if constexpr (has_packets) {
      auto& active = this->active_;
      for (u32 w = nics / 64; w < active.size(); ++w) {
        const u64 are_nics = w == nics / 64 ? (u64{1} << nics % 64) - 1 : 0;
        const u64 awake = active[w] & ~are_nics;
        active[w] &= are_nics;
        for (u64 bits = awake; bits != 0; bits &= bits - 1) {
          const Site& at = this->sites_[w * 64 + static_cast<u32>(std::countr_zero(bits)) - nics];
          if (this->asks_ahead())
            this->order_.push_back(&at);
          else
            visit_switch(at);
        }
      }
      this->visit_order([&](const Site& at) { visit_switch(at); });
      this->order_.clear();
    } else {
      this->each_switch(
          [&](Node v) __attribute__((always_inline)) {
            return this->any_ready(v) || this->any_port(state.crossing.data(), v) ||
                   (kind.queues && this->any_port(state.sends.data(), v));
          },
          [&](const Site& at) __attribute__((always_inline)) { visit_switch(at); });
    }
  }

 protected:
  using Base::clock, Base::entries, Base::layout, Base::state, Base::packet_flits, Base::wake;
  using Base::of_ports, Base::set, Base::clear, Base::idle_word, Base::update_ready;
  using Base::output, Base::out_lane, Base::input, Base::lane_of, Base::enter_channel, Base::give_credit;

 private:
  [[gnu::always_inline]] void visit_switch(const Site& at) {
    if constexpr (kind.queues) this->send_queues(at.node);
    u64 held[4];  // input ports that a packet held before this cycle
    if constexpr (!has_packets)
      for (u32 w = 0; w < this->port_words(); ++w) held[w] = of_ports(state.crossing, at.node)[w];
    this->each_ready(
        at, [&](Output & out) __attribute__((always_inline)) { visit_output(at, out); });
    if constexpr (!has_packets) {
      for (u32 w = 0; w < this->port_words(); ++w)
        for (u64 bits = held[w]; bits != 0; bits &= bits - 1)
          cross_flit(layout.exit(at.node, w * 64 + static_cast<u32>(std::countr_zero(bits))));
      finish_crossings();
      if constexpr (kind.queues) this->free_room();
    }
  }
  [[gnu::always_inline]] void visit_output(const Site& at, Output& out) {
    if (kind.queues && out.has_queue) {
      while (out.writing < this->writers(out) && take_packet(at, out)) {
      }
    } else if (out.writing == 0 && this->is_free(out)) {
      take_packet(at, out);
    }
  }
  // One packet begins to cross to the output, if there is one that can.
  [[gnu::always_inline]] bool take_packet(const Site& at, Output& out) {
    const u64 *head = this->heads(out), *idle = this->idle(at.node);
    return this->each_candidate(
        out, [&](u32 w) __attribute__((always_inline)) { return head[w] & idle[w]; },
        [&](Slot slot) __attribute__((always_inline)) {
          if (!begin_crossing(at, out, at.inputs[slot.number])) return false;
          this->go_behind(out, slot);
          return true;
        });
  }
  [[gnu::always_inline]] bool begin_crossing(const Site& at, Output& out, Input& buffer) {
    Queue& queue = this->candidates(buffer, out);
    const EntryId id = queue.front;
    const u32 slot = buffer.slot;
    Entry& entry = entries[id];
    const u16 fit = this->lanes_with_room(out, entry);
    if (fit == 0) return false;
    entry.lane = next_lane(fit, out.lane_pointer);
    u32& room = out_lane(lane_of(out, entry.lane)).room;
    room -= entry.left;
    if (room < packet_flits) remove(out.open_lanes, entry.lane);
    this->clear_head(out, slot);
    this->drop(queue, entry.next, slot);
    idle_word(at.node, slot) &= buffer.others;
    ++out.writing;
    if constexpr (has_packets)
      cross_packet(buffer, out, id);
    else
      cross_head(at, out, buffer, id);
    return true;
  }
  [[gnu::always_inline]] void cross_head(const Site& at, Output& out, const Input& buffer, EntryId id) {
    const EntryId copy = kind.queues && out.has_queue ? this->write_head(out, id) : none<EntryId>;
    Entry& entry = entries[id];
    if (copy == none<EntryId>) enter_channel(out, entry.lane, entry.packet, 1);
    const LaneId lane = lane_of(buffer);
    const Crossing crossing{id, this->exit_of(out), copy, lane};
    --entry.there;
    give_credit(buffer, 0);
    state.crossings[index(this->exit_of(lane))] = crossing;
    if (--entry.left == 0)
      finished_.push_back(crossing);
    else
      set(of_ports(state.crossing, at.node), buffer.slot >> this->shift_);
  }
  // The next flit of the packet that holds an input port.
  [[gnu::always_inline]] void cross_flit(Channel port) {
    const Crossing& crossing = state.crossings[index(port)];
    Entry& entry = entries[crossing.entry];
    if (entry.there == 0) return;
    if (crossing.copy != none<EntryId>) {
      ++entries[crossing.copy].there;
    } else {
      if (!this->is_free(output(crossing.exit))) return;
      enter_channel(output(crossing.exit), entry.lane, none<PacketId>, 1);
    }
    give_credit(input(crossing.lane), 0);
    --entry.there;
    if (--entry.left == 0) finished_.push_back(crossing);
  }
  // Ports are free from the next cycle on: this comes after all else in a switch.
  void finish_crossings() {
    for (const Crossing& crossing : finished_) {
      const Output& in = this->output_of(crossing.lane);
      idle_word(in.node, u32{in.port} << this->shift_) |= ~input(crossing.lane).others;
      clear(of_ports(state.crossing, in.node), in.port);
      --output(crossing.exit).writing;
      this->free_entry(crossing.entry);
      update_ready(output(crossing.exit));
    }
    finished_.clear();
  }
  // Packets as the unit: all that a packet's flits would do, at once.
  [[gnu::always_inline]] void cross_packet(const Input& buffer, Output& out, EntryId id) {
    give_credit(buffer, packet_flits - 1);
    const Channel port{buffer.first_exit + (buffer.slot >> this->shift_)};
    clock.wheels.releases.push(clock.now + packet_flits, {port, this->exit_of(out)});
    if (kind.queues && out.has_queue) {
      this->write_head(out, id);
      clock.wheels.wakes.push(clock.now + 1, out.node);
    } else {
      out.until = clock.now + packet_flits;
      enter_channel(out, entries[id].lane, entries[id].packet, packet_flits);
    }
    this->free_entry(id);
  }

  std::vector<Crossing> finished_;  // in this cycle, in the switch that is visited
};

}  // namespace banyan::flit
