// The engine: a cycle of docs/simulator.md for one part of the fabric, specialised at compile time. Only
// nodes that may have something to do are visited, and of a switch only outputs that may have a candidate.
#pragma once
#include <algorithm>
#include <cassert>

#include "flit/choice.hpp"
#include "flit/masks.hpp"
#include "flit/part.hpp"

namespace banyan {

// wide: some switch has more than 64 slots.
template <Mode mode, bool voq, bool queues, bool wide>
class Engine final : public Part {
 public:
  Engine(Machine& machine, u16 number)
      : Part(machine, number),
        packet_flits_(machine.state.packet_flits),
        shift_(machine.state.layout.shift),
        lane_mask_((1u << machine.state.layout.shift) - 1),
        full_words_(machine.state.layout.words),
        full_port_words_(machine.state.layout.port_words) {}

  void run(u64 first, u64 last) override {
    for (now_ = first; now_ < last; ++now_) {
      deliver();
      route();
      visit_nodes();
    }
  }

 private:
  // --- engine_events.hpp: what is due
  void deliver();
  void credit(u32 lane);
  void arrive(const Arrival& arrival);
  void release(const Release& release);
  void sent(u32 lane);
  void route();
  void visit_nodes();

  // --- engine_nic.hpp: sending and consuming
  void wake_nic(u32 nic);
  void schedule_wake(u32 nic, u64 from);
  void begin_message(u32 nic);
  void begin_packet(u32 nic);
  void send_from_nic(u32 nic);
  u32 lane_at_nic(const Entry& entry, u32 exit);  // where its head may go now, or no_lane
  void consume(const Arrival& arrival);
  void finish_packet(u32 nic, u32 packet);

  // --- engine_switch.hpp: candidates of outputs
  void join(u32 lane, u32 entry);               // a routed packet is behind those before it
  u32 candidate(u32 node, u32 slot, u32 exit);  // entry
  void drop(u32 node, u32 slot, u32 exit);      // the candidate goes, the next one shows
  void update_ready(u32 exit);
  void visit_switch(u32 node);
  template <class F>
  void each_ready(u32 node, u32 start, F&& f);

  // --- engine_wormhole.hpp
  void visit_wormhole(u32 node, u32 exit);
  bool take_flit(u32 node, u32 exit);
  bool take_head(u32 slot, u32 exit, u32 entry);
  void move_flit(u32 node, u32 slot, u32 exit, u32 entry, bool is_head);

  // --- engine_vct.hpp: flits and packets as units
  void visit_vct(u32 node, u32 exit);
  bool take_packet(u32 node, u32 exit);
  bool begin_crossing(u32 node, u32 slot, u32 exit);
  u16 lanes_with_room(u32 exit, const Entry& entry) const;
  void cross_flit(u32 input);
  void cross_packet(u32 lane, u32 exit, u32 entry);
  void finish_crossings();
  u32 writers(const Output& out) const;

  // --- engine_queue.hpp: output queues
  u32 write_head(u32 exit, u32 entry);  // its entry in the queue
  void send_queues(u32 node);
  u32 sendable_lane(u32 exit) const;  // by the third pointer, or no_lane
  void send_from_queue(u32 exit);
  void send_packet_from_queue(u32 exit);
  void leave_queue(u32 exit, u32 lane);
  void credit_queue(u32 lane);

  // --- what leaves a node
  void enter_channel(u32 exit, u32 lane, u32 packet, u32 flits) {
    Output& out = state_.outputs[exit];
    const Exit& channel = layout_.exits[exit];
    out.flits += flits;
    out.queued -= flits;
    if (channel.step != 65536) out.free_at = std::max(out.free_at, now_ << 16) + channel.step;
    const Arrival arrival{channel.far + lane, packet};
    const u64 due = now_ + channel.flight;
    if (channel.far_part == number_)
      wheel_.at(due).arrivals.push_back(arrival);
    else
      mail[writing][channel.far_part].arrivals.push_back({due, arrival});
  }
  // Room for a flit, or a packet, in the buffer of a lane; known to be so `after` cycles from now.
  void give_credit(u32 lane, u32 after) {
    const Exit& channel = layout_.exits[lane >> shift_];
    const u32 to = channel.far + (lane & lane_mask_);
    const u64 due = now_ + channel.latency + after;
    if (mode == Mode::packets && after > 0 && machine_.is_adaptive) {
      if (channel.far_part == number_)
        wheel_.at(due - after).trickles.push_back(to);
      else
        mail[writing][channel.far_part].trickles.push_back({due - after, {to, 0}});
    } else if (channel.far_part == number_) {
      wheel_.at(due).credits.push_back(to);
    } else {
      mail[writing][channel.far_part].credits.push_back({due, {to, 0}});
    }
  }
  // In its own 1/65536: free before the next cycle begins.
  bool is_free(const Output& out) const { return out.free_at < (now_ + 1) << 16; }

  // --- masks
  u32 words() const { return wide ? full_words_ : 1; }
  u32 port_words() const { return wide ? full_port_words_ : 1; }
  u64 port_slots(u32 slot) const {  // all slots of its port, within their word
    return ((u64{2} << lane_mask_) - 1) << ((slot & ~lane_mask_) % 64);
  }
  u64* heads(u32 exit) { return &state_.heads[std::size_t{exit} * words()]; }
  u64* bodies(u32 exit) { return &state_.bodies[std::size_t{exit} * words()]; }
  u64* busy(u32 node) { return &state_.busy[std::size_t{node} * words()]; }
  u64* of_ports(std::vector<u64>& masks, u32 node) { return &masks[std::size_t{node} * port_words()]; }
  static bool has(const u64* mask, u32 i) { return mask[wide ? i / 64 : 0] >> (i % 64) & 1; }
  static void set(u64* mask, u32 i) { mask[wide ? i / 64 : 0] |= u64{1} << (i % 64); }
  static void clear(u64* mask, u32 i) { mask[wide ? i / 64 : 0] &= ~(u64{1} << (i % 64)); }
  bool any_port(std::vector<u64>& masks, u32 node) {
    const u64* mask = of_ports(masks, node);
    u64 any = mask[0];
    for (u32 w = 1; w < port_words(); ++w) any |= mask[w];
    return any != 0;
  }
  void set_head(u32 exit, u32 slot) {
    set(heads(exit), slot);
    if constexpr (wide) ++state_.outputs[exit].heads;
  }
  void clear_head(u32 exit, u32 slot) {
    clear(heads(exit), slot);
    if constexpr (wide) --state_.outputs[exit].heads;
  }
  void set_body(u32 exit, u32 slot, bool value) {
    u64* mask = bodies(exit);
    if (has(mask, slot) == value) return;
    mask[wide ? slot / 64 : 0] ^= u64{1} << (slot % 64);
    if constexpr (wide)
      state_.outputs[exit].bodies = static_cast<u16>(state_.outputs[exit].bodies + (value ? 1 : -1));
  }
  bool any_head(u32 exit) { return wide ? state_.outputs[exit].heads > 0 : heads(exit)[0] != 0; }
  bool any_body(u32 exit) { return wide ? state_.outputs[exit].bodies > 0 : bodies(exit)[0] != 0; }

  void wake(u32 node) { active_[node / 64] |= u64{1} << (node % 64); }
  u32 slot_of(u32 node, u32 lane) const { return lane - layout_.first_lane(node); }
  u32 behind(u32 slot) const { return wide ? (slot + 1 == 64 * words() ? 0 : slot + 1) : (slot + 1) % 64; }
  bool is_nic(u32 node) const { return node < layout_.nics; }

  u64 now_ = 0;
  const u32 packet_flits_, shift_, lane_mask_, full_words_, full_port_words_;
  std::vector<u64> used_ = std::vector<u64>(full_words_);  // slots of input ports used in this cycle
  u16 left_lanes_ = 0;              // wormhole: of the output that is visited, those that a tail has left
  std::vector<Crossing> finished_;  // in this cycle, in the switch that is visited
  std::vector<u32> freed_;          // lanes of its queues that have sent a flit
};

}  // namespace banyan

#include "flit/engine_events.hpp"
#include "flit/engine_nic.hpp"
#include "flit/engine_queue.hpp"
#include "flit/engine_switch.hpp"
#include "flit/engine_vct.hpp"
#include "flit/engine_wormhole.hpp"

namespace banyan {

// The engine for the options of a machine.
template <Mode mode>
std::unique_ptr<Part> make_part(Machine& machine, u16 number) {
  const NetworkOptions& options = machine.state.options;
  const bool has_voq = options.queueing == Queueing::voq;
  const bool has_queues = !machine.state.queues.empty();
  const bool is_wide = machine.state.layout.words > 1;
  const auto make = [&]<bool voq, bool queues>() -> std::unique_ptr<Part> {
    if (is_wide) return std::make_unique<Engine<mode, voq, queues, true>>(machine, number);
    return std::make_unique<Engine<mode, voq, queues, false>>(machine, number);
  };
  if (has_voq)
    return has_queues ? make.template operator()<true, true>() : make.template operator()<true, false>();
  return has_queues ? make.template operator()<false, true>() : make.template operator()<false, false>();
}

}  // namespace banyan
