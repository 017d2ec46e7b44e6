// Switches that allocate in stages: docs/simulator.md, "Crossing a switch in stages". A packet is first given
// a lane of its output, and then asks for the switch, flit by flit; in virtual cut-through it has room for
// all of it when it is given the lane, and keeps the switch from its head to its tail. An entry stands in the
// output's heads until it has a lane, and then in its bodies.
#pragma once
#include <algorithm>
#include <vector>

#include "flit/allocator.hpp"
#include "flit/output_queues.hpp"

namespace banyan::flit {

template <SwitchKind kind>
class Staged : public OutputQueues<kind> {
  using Base = OutputQueues<kind>;
  using typename Base::Site;
  static constexpr bool takes_whole = kind.mode == Mode::vct;

 public:
  Staged(Machine& the_machine, u16 the_number)
      : Base(the_machine, the_number),
        allocator_(allocator_of(state.options.allocator)),
        keeps_switch_(takes_whole || state.options.switch_hold == SwitchHold::packet),
        priority_(state.options.priority),
        crossings_(layout.nodes - this->first_switch_),
        lane_stages_(layout.lane_count()) {
    for (const Node v : this->switches_)
      crossings_[index(v) - this->first_switch_] = begin_switch(this->sites_[index(v) - this->first_switch_]);
  }

  // The far end of a lane has room for one more flit. wake_nic(node): the lane is a NIC's.
  template <class F>
  void credit(LaneId place, F&& wake_nic) {
    OutLane& lane = out_lane(place);
    Output& out = this->output_of(place);
    if (out.has_queue) {
      ++lane.credits;
      return;
    }
    ++lane.room;
    const u16 bit = this->bit_of_id(place);
    const bool opens = lane.room >= (takes_whole ? packet_flits : 1) && (out.open_lanes & bit) == 0;
    if (opens) out.open_lanes |= bit;
    if (this->is_of_nic(place)) return wake_nic(out.node);
    if (!opens) return;
    if (lane.owner != none<EntryId> && entries[lane.owner].asleep) this->wake_body(out, lane);
    this->update_ready(out);
  }

  void visit_switches() {
    for (const Node v : this->switches_)
      if (this->any_ready(v) || this->any_port(state.sends.data(), v))
        visit_switch(this->sites_[index(v) - this->first_switch_],
                     crossings_[index(v) - this->first_switch_]);
  }

 protected:
  using Base::clock, Base::entries, Base::layout, Base::state, Base::packet_flits, Base::since_;
  using Base::out_lane, Base::lane_of;

 private:
  struct Hold {  // of a group of input lanes: the packet that keeps the switch
    EntryId entry = none<EntryId>;
    u32 slot = 0, output = 0;
  };
  struct SwitchCrossing {
    Crossbar crossbar;
    std::vector<u32> first_place;          // by output, and one past the last: of places that groups reach
    std::vector<u64> first_of_all_places;  // by output: of all places
    std::vector<Hold> holds;               // by group
  };
  struct LaneStage {
    u32 pointer = 0;         // one past the slot to which the lane was given last
    bool has_begun = false;  // the head of its owner has left
  };

  u32 speedup() const { return state.options.input_speedup; }
  SwitchCrossing begin_switch(const Site& at) const {
    SwitchCrossing out;
    const u32 groups = at.ports * speedup();
    u32 places = 0;
    u64 all_places = 0;
    for (u32 port = 0; port < at.ports; ++port) {
      out.first_place.push_back(places);
      out.first_of_all_places.push_back(all_places);
      const Output& output = at.outputs[port];
      const u32 own = output.is_endless ? groups : output.has_queue ? state.options.writers : 1;
      places += std::min(groups, own);
      all_places += own;
    }
    out.first_place.push_back(places);
    out.holds.resize(groups);
    out.crossbar = {at.ports, layout.lanes, groups, places, all_places};
    return out;
  }

  void visit_switch(const Site& at, SwitchCrossing& crossing) {
    this->send_queues(at.node);
    for (u32 step = 0; step < state.options.switch_speedup; ++step) allocate(at, crossing, step);
    free_lanes();
    this->free_room();
  }
  void allocate(const Site& at, SwitchCrossing& crossing, u32 step) {
    requests_.clear(), late_requests_.clear();
    this->each_ready(at, [&](Output& out) {
      give_lanes(at, out);
      collect(at, crossing, out);
    });
    crossing.crossbar.unblock_all();
    go_on(at, crossing);
    cross(at, crossing, requests_, step);
    cross(at, crossing, late_requests_, step);
  }

  // --- lanes
  void give_lanes(const Site& at, Output& out) {
    const u32 start = out.lane_pointer % layout.lanes;
    for (u32 i = 0; i < layout.lanes && this->any_head(out); ++i) {
      const Lane lane{static_cast<u8>((start + i) % layout.lanes)};
      if ((out.free_lanes & out.open_lanes & bit_of(lane)) == 0) continue;
      const u32 slot = next_head(at, out, lane);
      if (slot != no_slot) give_lane(at, out, lane, slot);
    }
  }
  // Who is given a lane: the first from the lane's pointer on, of those that go first.
  u32 next_head(const Site& at, Output& out, Lane lane) {
    const u64* head = this->heads(out);
    u32 found = no_slot, rank = 0;
    scan_round(
        this->words(), lane_stages_[index(lane_of(out, lane))].pointer % (64 * this->words()),
        [&](u32 w) { return head[w]; },
        [&](u32 slot) {
          const EntryId id = this->candidates(at.inputs[slot], out).front;
          const Entry& entry = entries[id];
          if ((entry.lanes & bit_of(lane)) == 0 || !has_passed(id, state.options.head_cycles)) return false;
          if (found != no_slot && rank_of(entry) >= rank) return false;
          found = slot;
          rank = rank_of(entry);
          return priority_ == Priority::none;
        });
    return found;
  }
  void give_lane(const Site& at, Output& out, Lane taken, u32 slot) {
    const EntryId id = this->candidates(at.inputs[slot], out).front;
    Entry& entry = entries[id];
    entry.lane = taken;
    entry.out = lane_of(out, taken);
    entry.asleep = 0;
    OutLane& lane = out_lane(entry.out);
    lane.owner = id;
    lane.owner_slot = slot;
    if (takes_whole) {
      lane.room -= entry.left;
      if (lane.room < packet_flits) remove(out.open_lanes, taken);
    }
    remove(out.free_lanes, taken);
    lane_stages_[index(entry.out)] = {slot + 1, false};
    out.lane_pointer = static_cast<u8>(index(taken) + 1);
    this->clear_head(out, slot);
    this->set_body(out, slot);
    this->shows(id, clock.now);
  }
  // Lanes that a tail has left in this cycle.
  void free_lanes() {
    for (const LaneId lane : left_) {
      Output& out = this->output_of(lane);
      out.free_lanes |= this->bit_of_id(lane);
      this->update_ready(out);
    }
    left_.clear();
  }
  bool has_passed(EntryId id, u32 cycles) const {  // since its stage began
    return static_cast<i32>(static_cast<u32>(clock.now) - since_[index(id)]) >= static_cast<i32>(cycles);
  }
  u32 rank_of(const Entry& entry) const {
    if (priority_ == Priority::none) return 0;
    const Packet& packet = state.packets[entry.packet];
    if (priority_ == Priority::replies) return state.messages[packet.message].round > 0;
    return ~(static_cast<u32>(clock.now) - packet.entered);
  }

  // --- the switch
  // What could cross to the output.
  void collect(const Site& at, const SwitchCrossing& crossing, Output& out) {
    if (!out.has_queue && !this->is_free(out)) return;
    const u64* body = this->bodies(out);
    for (u32 w = 0; w < this->words(); ++w)
      scan_bits(body[w], w * 64, [&](u32 slot) {
        ask(at, crossing, out, slot);
        return false;
      });
  }
  void ask(const Site& at, const SwitchCrossing& crossing, Output& out, u32 slot) {
    const EntryId id = this->candidates(at.inputs[slot], out).front;
    Entry& entry = entries[id];
    const u32 lane = slot & ((1u << this->shift_) - 1), port = slot >> this->shift_;
    const u32 group = port * speedup() + lane % speedup();
    if (crossing.holds[group].entry == id) return;
    if (!can_move(entry)) {  // not looked at until something arrives
      entry.asleep = 1;
      this->clear_body(out, slot);
      return;
    }
    const bool is_late =
        !has_passed(id, state.options.lane_cycles) && !lane_stages_[index(entry.out)].has_begun;
    if (is_late && state.options.speculation == Speculation::off) return;
    const u32 first = crossing.first_place[out.port], places = crossing.first_place[out.port + 1u] - first;
    const u32 place = group % places;
    const u64 diagonal = crossing.first_of_all_places[out.port] + place + group;
    (is_late ? late_requests_ : requests_)
        .push_back({slot, out.port, lane, group, first + place, rank_of(entry), diagonal});
  }
  bool can_move(const Entry& entry) const {
    return takes_whole || (entry.there > 0 && out_lane(entry.out).room > 0);
  }
  // Packets that keep the switch go on. In wormhole one that cannot lets go of it.
  void go_on(const Site& at, SwitchCrossing& crossing) {
    if (!keeps_switch_) return;
    for (u32 group = 0; group < crossing.holds.size(); ++group) {
      Hold& hold = crossing.holds[group];
      if (hold.entry == none<EntryId>) continue;
      Output& out = at.outputs[hold.output];
      const Entry& entry = entries[hold.entry];
      const bool moves = entry.there > 0 && can_move(entry) && (out.has_queue || this->is_free(out));
      if (!moves && !takes_whole) {
        hold.entry = none<EntryId>;
        continue;
      }
      const u32 first = crossing.first_place[hold.output];
      crossing.crossbar.block(group, first + group % (crossing.first_place[hold.output + 1] - first));
      if (moves) move_flit(out, at.inputs[hold.slot], hold);
    }
  }
  void cross(const Site& at, SwitchCrossing& crossing, const std::vector<CrossingRequest>& requests,
             u32 step) {
    granted_.clear();
    crossing.crossbar.allocate(allocator_, clock.now * state.options.switch_speedup + step, requests,
                               granted_);
    for (const u32 i : granted_) {
      const CrossingRequest& request = requests[i];
      Hold& hold = crossing.holds[request.group];
      Output& out = at.outputs[request.output];
      hold = {this->candidates(at.inputs[request.slot], out).front, request.slot, request.output};
      move_flit(out, at.inputs[request.slot], hold);
      if (!keeps_switch_) hold.entry = none<EntryId>;
    }
  }
  void move_flit(Output& out, Input& buffer, Hold& hold) {
    this->reserve_entry();
    const EntryId id = hold.entry;
    Entry& entry = entries[id];
    OutLane& lane = out_lane(entry.out);
    LaneStage& stage = lane_stages_[index(entry.out)];
    this->give_credit(buffer, 0);
    if (!takes_whole && --lane.room == 0) remove(out.open_lanes, entry.lane);
    if (!out.has_queue)
      this->enter_channel(out, entry.lane, stage.has_begun ? none<PacketId> : entry.packet, 1);
    else if (!stage.has_begun)
      this->write_head(out, id);
    else
      ++entries[this->queue_of(entry.out).back].there;
    stage.has_begun = true;
    --entry.there;
    if (--entry.left > 0) return;
    hold.entry = none<EntryId>;
    lane.owner = none<EntryId>;
    left_.push_back(entry.out);
    this->clear_body(out, buffer.slot);
    this->drop(this->candidates(buffer, out), entry.next, buffer.slot);
    this->free_entry(id, entry);
  }

  static constexpr u32 no_slot = ~u32{0};
  const Allocator allocator_;
  const bool keeps_switch_;
  const Priority priority_;
  std::vector<SwitchCrossing> crossings_;  // by switch
  std::vector<LaneStage> lane_stages_;     // by lane that leaves
  std::vector<CrossingRequest> requests_, late_requests_;
  std::vector<u32> granted_;
  std::vector<LaneId> left_;
};

}  // namespace banyan::flit
