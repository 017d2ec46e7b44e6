// The engine: a cycle of docs/simulator.md for one part of the fabric, specialised at compile time. Only
// nodes that may have something to do are visited, and of a switch only outputs that may have a candidate.
#pragma once
#include <algorithm>
#include <cassert>

#include "flit/choice.hpp"
#include "flit/masks.hpp"
#include "flit/part.hpp"

namespace banyan::flit {

// wide: some switch has more than 64 slots.
template <Mode kind, bool voq, bool queues, bool wide>
class Engine final : public Part {
  static constexpr bool has_rails = kind == Mode::wormhole_rails || kind == Mode::vct_rails;
  static constexpr Mode mode = kind == Mode::wormhole_rails ? Mode::wormhole
                               : kind == Mode::vct_rails    ? Mode::vct
                                                            : kind;  // how packets move

 public:
  Engine(Machine& machine, u16 number)
      : Part(machine, number),
        outputs_(machine.state.outputs.data()),
        lanes_(machine.state.lanes.data()),
        inputs_(machine.state.inputs.data()),
        ready_(machine.state.ready.data()),
        packet_flits_(machine.state.packet_flits),
        shift_(machine.state.layout.shift),
        knows_way_(machine.knows_way),
        lane_mask_((1u << machine.state.layout.shift) - 1),
        nic_lanes_(machine.state.layout.first_lane(machine.state.layout.nics)),
        nics_(machine.state.layout.nics),
        full_words_(machine.state.layout.words),
        full_port_words_(machine.state.layout.port_words) {
    for (u32 v = nics_; v < layout_.nodes; ++v)
      sites_.push_back(
          {outputs_ + layout_.first_exit[v], inputs_ + layout_.first_lane(v), v, layout_.ports(v)});
    if constexpr (has_rails) start_rails();
  }

  void run(u64 first, u64 last) override {
    for (now_ = first; now_ < last; ++now_) {
      deliver();
      if constexpr (!has_rails) visit_nics();
      route();
      if constexpr (has_rails) visit_nics();  // a bus decides between what has been routed and what arrives
      visit_switches();
    }
  }

 private:
  // --- engine_events.hpp: what is due
  [[gnu::noinline]] void deliver();
  [[gnu::always_inline]] inline void credit(u32 lane);
  [[gnu::always_inline]] inline void arrive(const Arrival& arrival);
  [[gnu::always_inline]] inline void release(const Release& release);
  void sent(u32 lane);
  void add_job(u32 lane, u32 packet) {
    RouteJob& job = jobs_.add();
    job.lane = lane;
    job.packet = packet;
  }
  [[gnu::noinline]] void route();
  [[gnu::noinline]] void visit_nics();
  [[gnu::noinline]] void visit_switches();

  // --- engine_nic.hpp: sending and consuming
  [[gnu::always_inline]] inline void wake_nic(u32 nic);
  [[gnu::always_inline]] inline void schedule_wake(u32 nic, u64 from);
  [[gnu::always_inline]] inline void begin_message(u32 nic);
  [[gnu::always_inline]] inline void begin_packet(u32 nic);
  [[gnu::always_inline]] inline void give_exit(u32 nic,
                                               const RouteJob& job);  // the packet at the front was routed
  [[gnu::always_inline]] inline bool send_from_nic(u32 nic);  // whether it may send again in the next cycle
  [[gnu::always_inline]] inline u32 lane_at_nic(const Entry& entry,
                                                Output& out);  // where its head may go now, or no_lane
  [[gnu::always_inline]] inline void consume(const Arrival& arrival);
  void finish_packet(u32 nic, u32 packet);

  // --- instead of that, hosts with several NICs. engine_rail_hosts.hpp: events, posts, what the policy wants
  void start_rails();
  void plan(RailEvent event);
  void plan_post(u32 host, u32 process, u64 from);
  void run_rail_events();
  void run_rail_event(const RailEvent& event);
  template <class F>
  void ask_policy(u32 host, F&& ask);
  void control_arrives(const RailEvent& event);
  void data_event(const RailEvent& event, DataEvent::Kind what);
  void post(u32 host, u32 process, u32 order);
  Allocation next_message(u32 host, u32 process);
  void act(u32 host);
  void hand_over(u32 host, const RailAction& action);
  void has_left(u32 host, u32 process, u32 rail);
  void rail_dies(u32 host);
  void settle(u32 host);

  // --- engine_rail_sending.hpp
  void begin_rail_packets(u32 nic);
  u32 begin_rail_packet(u32 nic, u32 parcel, u32 flits, u32 place);
  u32 rail_entry(u32 nic, u32 packet) const;
  bool can_send(u32 entry, u32 other);
  void send_rail_flit(u32 nic, u32& front);
  void rail_packet_has_left(u32 nic, u32& front);

  // --- engine_rail_receiving.hpp
  void rail_arrives(const Arrival& arrival);
  void show_packet(u32 nic, RailLane& lane, u32 packet);
  void take_rail_flit(u32 nic, u32 lane);
  void finish_rail_packet(u32 nic, u32 packet);
  void finish_stripe(const Parcel& parcel);

  // --- engine_rail_bus.hpp: a cycle of a NIC
  u32 inward_lane(u32 nic, bool& is_busy);
  void step_rail_nic(u32 nic);
  bool waits_for_rate(u32 entry) const;

  // --- engine_switch.hpp: candidates of outputs
  struct Site {  // a switch
    Output* outputs;
    Input* inputs;
    u32 node, ports;
  };
  [[gnu::always_inline]] inline void join(const RouteJob& job);  // a routed packet is behind those before it
  [[gnu::always_inline]] inline Queue& candidates(Input& input, const Output& out);  // its front may cross
  [[gnu::always_inline]] inline void drop(Queue& queue, u32 next,
                                          u32 slot);  // the front goes, the next shows
  [[gnu::always_inline]] inline void update_ready(Output& out);
  [[gnu::always_inline]] inline bool may_have_candidate(const Output& out) const;
  [[gnu::always_inline]] inline void set_ready(const Output& out);
  [[gnu::always_inline]] inline void visit_switch(const Site& at);
  template <class F>
  [[gnu::always_inline]] inline void each_ready(const Site& at, F&& f);

  // --- engine_wormhole.hpp
  [[gnu::always_inline]] inline void visit_wormhole(const Site& at, Output& out);
  [[gnu::always_inline]] inline bool take_flit(const Site& at, Output& out);
  [[gnu::always_inline]] inline bool take_lane(Output& out, Entry& entry);
  template <bool is_head>
  [[gnu::always_inline]] inline void move_flit(Output& out, OutLane& lane, const Input& input, u32 slot,
                                               Queue& queue, Entry& entry);
  [[gnu::always_inline]] inline void own_lane(Output& out, OutLane& lane, u32 slot, u32 entry);

  // --- engine_vct.hpp: flits and packets as units
  [[gnu::always_inline]] inline void visit_vct(const Site& at, Output& out);
  [[gnu::always_inline]] inline bool take_packet(const Site& at, Output& out);
  [[gnu::always_inline]] inline bool begin_crossing(const Site& at, Output& out, Input& input);
  [[gnu::always_inline]] inline u16 lanes_with_room(const Output& out, const Entry& entry) const;
  [[gnu::always_inline]] inline void cross_flit(u32 input);
  [[gnu::always_inline]] inline void cross_packet(const Input& input, Output& out, u32 entry);
  void finish_crossings();
  [[gnu::always_inline]] inline u32 writers(const Output& out) const;

  // --- engine_queue.hpp: output queues
  u32 write_head(u32 exit, u32 entry);  // its entry in the queue
  void send_queues(u32 node);
  u32 sendable_lane(u32 exit) const;  // by the third pointer, or no_lane
  void send_from_queue(u32 exit);
  void send_packet_from_queue(u32 exit);
  void leave_queue(u32 exit, u32 lane);
  void credit_queue(u32 lane);

  // --- what leaves a node
  [[gnu::always_inline]] void enter_channel(Output& out, u32 lane, u32 packet, u32 flits) {
    out.flits += flits;
    out.queued -= flits;
    if (out.is_plain) [[likely]]
      wheels_.arrivals.push(now_ + out.flight, {out.far + lane, packet});
    else
      enter_slowly(out, {out.far + lane, packet});
  }
  [[gnu::noinline]] void enter_slowly(Output& out, const Arrival& arrival) {
    const u64 due = now_ + out.flight;
    if (mode != Mode::packets && out.is_slow) out.free_at = std::max(out.free_at, now_ << 16) + out.step;
    if (out.leaves_part)
      mail[writing][out.far_part].arrivals.push({due, arrival});
    else
      wheels_.arrivals.push(due, arrival);
  }
  // Room for a flit, or a packet, in the buffer of a lane; known to be so `after` cycles from now.
  [[gnu::always_inline]] void give_credit(const Input& input, u32 after) {
    const u64 due = now_ + input.latency + after;
    const bool stays = input.near_part == number_;
    if (mode == Mode::packets && after > 0 && machine_.is_adaptive) {
      if (stays)
        wheels_.trickles.push(due - after, input.near);
      else
        mail[writing][input.near_part].trickles.push({due - after, {input.near, 0}});
    } else if (stays) [[likely]] {
      wheels_.credits.push(due, input.near);
    } else {
      mail[writing][input.near_part].credits.push({due, {input.near, 0}});
    }
  }
  // In its own 1/65536: free before the next cycle begins.
  bool is_free(const Output& out) const {
    return mode == Mode::packets || out.is_plain || !out.is_slow || out.free_at < (now_ + 1) << 16;
  }

  // --- masks
  u32 words() const { return wide ? full_words_ : 1; }
  u32 port_words() const { return wide ? full_port_words_ : 1; }
  u32 node_of(u32 lane) const { return outputs_[lane >> shift_].node; }
  u32 exit_of(const Output& out) const { return static_cast<u32>(&out - outputs_); }
  u64* heads(Output& out) { return wide ? &state_.heads[std::size_t{exit_of(out)} * words()] : &out.heads; }
  u64* bodies(Output& out) {
    return wide ? &state_.bodies[std::size_t{exit_of(out)} * words()] : &out.bodies;
  }
  u64* idle(u32 node) { return &state_.idle[std::size_t{node} * words()]; }
  u64* of_ports(PagedVector<u64>& masks, u32 node) { return &masks[std::size_t{node} * port_words()]; }
  static bool has(const u64* mask, u32 i) { return mask[wide ? i / 64 : 0] >> (i % 64) & 1; }
  static void set(u64* mask, u32 i) { mask[wide ? i / 64 : 0] |= u64{1} << (i % 64); }
  static void clear(u64* mask, u32 i) { mask[wide ? i / 64 : 0] &= std::rotl(~u64{1}, static_cast<int>(i)); }
  bool any_port(const u64* masks, u32 node) const {
    const u64* mask = masks + std::size_t{node} * port_words();
    u64 any = mask[0];
    for (u32 w = 1; w < port_words(); ++w) any |= mask[w];
    return any != 0;
  }
  void set_head(Output& out, u32 slot) {
    set(heads(out), slot);
    if constexpr (wide) ++out.head_count;
  }
  void clear_head(Output& out, u32 slot) {
    clear(heads(out), slot);
    if constexpr (wide) --out.head_count;
  }
  void set_body(Output& out, u32 slot) {
    if (wide && !has(bodies(out), slot)) ++out.body_count;
    set(bodies(out), slot);
  }
  // The packet that owns a lane may be able to move again; whether it is is seen when the output is visited.
  void wake_body(Output& out, const OutLane& lane) {
    entries_[lane.owner].asleep = 0;
    set_body(out, lane.owner_slot);
  }
  void clear_body(Output& out, u32 slot) {
    if (wide && has(bodies(out), slot)) --out.body_count;
    clear(bodies(out), slot);
  }
  static bool any_head(const Output& out) { return wide ? out.head_count > 0 : out.heads != 0; }
  static bool any_body(const Output& out) { return wide ? out.body_count > 0 : out.bodies != 0; }

  void wake(u32 node) { active_[node / 64] |= u64{1} << (node % 64); }
  void sleep(u32 node) { active_[node / 64] &= ~(u64{1} << (node % 64)); }
  // attempt(slot) for the slots in words get(w), in the output's order, until one returns true.
  template <class Get, class Attempt>
  [[gnu::always_inline]] bool each_candidate(const Output& out, Get&& get, Attempt&& attempt) {
    if constexpr (wide)
      return scan_round(words(), out.pointer, get, attempt);
    else
      return scan_round(get(0), out.from, attempt);
  }
  void go_behind(Output& out, u32 slot) {
    if constexpr (wide)
      out.pointer = slot + 1 == 64 * words() ? 0 : slot + 1;
    else
      out.from = ~u64{1} << slot;
  }
  bool is_nic(u32 node) const { return node < nics_; }
  bool is_control(u32 packet) const { return (state_.packets[packet].message & control_bit) != 0; }

  u64 now_ = 0;
  Output* const outputs_;
  OutLane* const lanes_;
  Input* const inputs_;
  u64* const ready_;
  const u32 packet_flits_, shift_;
  const bool knows_way_;
  const u32 lane_mask_;
  const u32 nic_lanes_, nics_, full_words_, full_port_words_;
  u64 unused_[64] = {};             // wormhole: slots of input ports not used in this cycle
  u16 left_lanes_ = 0;              // wormhole: of the output that is visited, those that a tail has left
  std::vector<Site> sites_;         // by switch
  std::vector<Crossing> finished_;  // in this cycle, in the switch that is visited
  std::vector<u32> freed_;          // lanes of its queues that have sent a flit
};

}  // namespace banyan::flit

#include "flit/engine_events.hpp"
#include "flit/engine_nic.hpp"
#include "flit/engine_queue.hpp"
#include "flit/engine_rail_bus.hpp"
#include "flit/engine_rail_hosts.hpp"
#include "flit/engine_rail_receiving.hpp"
#include "flit/engine_rail_sending.hpp"
#include "flit/engine_switch.hpp"
#include "flit/engine_vct.hpp"
#include "flit/engine_wormhole.hpp"
