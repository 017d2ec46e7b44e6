// Output queues: packets cross into them, and they send into the channel, both in the same cycle. So queues
// send first, and the room they free is given back after the crossing.
#pragma once
#include "flit/ahead.hpp"

namespace banyan::flit {

template <SwitchKind kind>
class OutputQueues : public Ahead<kind> {
  using Base = Ahead<kind>;

 public:
  using Base::Base;

 protected:
  using Base::clock, Base::entries, Base::layout, Base::state, Base::packet_flits;
  using Base::output, Base::out_lane, Base::lane_of, Base::enter_channel, Base::of_ports, Base::set,
      Base::clear;

  // The entry's head is written; its copy in the queue has what was written so far.
  EntryId write_head(const Output& out, EntryId id) {
    const Lane lane = entries[id].lane;
    const EntryId copy = this->new_entry({.packet = entries[id].packet,
                                          .left = entries[id].left,
                                          .exit = this->exit_of(out),
                                          .lanes = 0,
                                          .there = 1});
    Queue& queue = queue_of(lane_of(out, lane));
    if (queue.is_empty())
      queue.front = copy;
    else
      entries[queue.back].next = copy;
    queue.back = copy;
    set(of_ports(state.sends, out.node), out.port);
    return copy;
  }
  Queue& queue_of(LaneId lane) { return state.queues[index(lane)]; }

  // All queues of a switch send what they can.
  void send_queues(Node v) {
    const u64* mask = of_ports(state.sends, v);
    for (u32 w = 0; w < this->port_words(); ++w)
      scan_bits(mask[w], w * 64, [&](u32 port) {
        Output& out = output(layout.exit(v, port));
        if constexpr (kind.mode == Mode::packets)
          send_packet(out);
        else
          send_flit(out);
        return false;
      });
  }
  // What was sent in this cycle makes room, from the next cycle on.
  void free_room() {
    for (const LaneId lane : freed_) add_room(lane);
    freed_.clear();
  }

 private:
  IdRange<Lane> all_lanes() const { return IdRange<Lane>(static_cast<u8>(layout.lanes)); }
  // By the third pointer, or none<Lane>.
  Lane sendable_lane(const Output& out) {
    u32 fit = 0;
    for (const Lane lane : all_lanes()) {
      const LaneId place = lane_of(out, lane);
      const EntryId front = queue_of(place).front;
      if (front == none<EntryId> || entries[front].there == 0) continue;
      const u32 needed = kind.mode == Mode::wormhole ? 1 : entries[front].left;
      if (out.is_endless || out_lane(place).credits >= needed) fit |= bit_of(lane);
    }
    return fit == 0 ? none<Lane> : lane_from(fit, out.send_pointer);
  }
  void send_flit(Output& out) {
    if (!this->is_free(out)) return;
    EntryId id = out.sending;
    if (id == none<EntryId>) {
      const Lane lane = sendable_lane(out);
      if (lane == none<Lane>) return;
      out.send_pointer = static_cast<u8>(index(lane) + 1);
      const LaneId place = lane_of(out, lane);
      id = queue_of(place).front;
      if (!out.is_endless) out_lane(place).credits -= kind.mode == Mode::wormhole ? 1 : entries[id].left;
      if (kind.mode == Mode::vct) out.sending = id;
      entries[id].lanes = index(lane);
    }
    Entry& entry = entries[id];
    if (entry.there == 0) return;
    const Lane lane{static_cast<u8>(entry.lanes)};
    const bool is_head = entry.lane == none<Lane>;
    entry.lane = lane;
    enter_channel(out, lane, is_head ? entry.packet : none<PacketId>, 1);
    freed_.push_back(lane_of(out, lane));
    --entry.there;
    if (--entry.left > 0) return;
    out.sending = none<EntryId>;
    leave(out, lane);
  }
  void send_packet(Output& out) {
    if (out.until > clock.now) return;
    const Lane lane = sendable_lane(out);
    if (lane == none<Lane>) return;
    const LaneId place = lane_of(out, lane);
    out.send_pointer = static_cast<u8>(index(lane) + 1);
    out.until = clock.now + packet_flits;
    if (!out.is_endless) out_lane(place).credits -= packet_flits;
    enter_channel(out, lane, entries[queue_of(place).front].packet, packet_flits);
    clock.wheels.sent.push(out.until, place);
    leave(out, lane);
  }
  // All of the packet at the front has left.
  void leave(const Output& out, Lane lane) {
    Queue& queue = queue_of(lane_of(out, lane));
    const EntryId gone = queue.front;
    queue.front = entries[gone].next;
    this->free_entry(gone);
    for (const Lane other : all_lanes())
      if (!queue_of(lane_of(out, other)).is_empty()) return;
    clear(of_ports(state.sends, out.node), out.port);
  }
  // A flit has left the queue of a lane.
  void add_room(LaneId place) {
    Output& out = this->output_of(place);
    OutLane& lane = out_lane(place);
    ++lane.room;
    const u16 bit = this->bit_of_id(place);
    if (lane.room < (kind.mode == Mode::wormhole ? 1 : packet_flits) || (out.open_lanes & bit) != 0) return;
    out.open_lanes |= bit;
    if (kind.mode == Mode::wormhole && lane.owner != none<EntryId> && entries[lane.owner].asleep)
      this->wake_body(out, lane);
    this->update_ready(out);
  }

  std::vector<LaneId> freed_;  // lanes of the visited switch whose queue has sent a flit
};

}  // namespace banyan::flit
