// The NIC model of hosts with one NIC: messages are cut into packets, one at a time stands at the front; what
// arrives is consumed. A NIC model owns what NICs know, and the engine calls it for what happens at a NIC;
// the channels of the part are passed in, so that all of it is compiled into the engine's loops.
#pragma once
#include "flit/channels.hpp"
#include "flit/choice.hpp"
#include "flit/flowlets.hpp"
#include "flit/masks.hpp"
#include "flit/open_workload.hpp"
#include "flit/path_memory.hpp"

namespace banyan::flit {

template <Mode mode>
class PlainNics {
  using Part = Channels<unit_of(mode)>;

 public:
  // Whether NICs act after packets have been routed in a cycle, or before any packet comes to the front. A
  // packet that is routed at its NIC leaves at once in either case: begin_to_leave().
  static constexpr bool act_after_routing = false;

  explicit PlainNics(Part& part)
      : nics_(part.layout.nics),
        arriving_(part.layout.nic_lanes()),
        remembers_(part.machine.recycles || part.machine.has_flowlets),
        memories_(part.state.options),
        flowlets_(part.state.options.flowlet_gap) {
    for (const Nic nic : IdRange<Nic>(part.layout.nics)) {
      const Node v{index(nic)};
      if (part.layout.part(v) != part.number) continue;
      nics_[index(nic)] = {};
      nics_[index(nic)].entry = part.new_entry({});
      part.clock.wheels.wakes.push(0, v);
    }
  }

  // The next packet comes to the front, if there is one and nothing is in its way.
  [[gnu::always_inline]] void wake(Part& part, Nic id) {
    State& nic = nics_[index(id)];
    const u64 now = part.clock.now;
    if (nic.has_packet) return;
    if (nic.busy_until > now) return;
    if (nic.to_cut == 0) {
      part.machine.workload.idle(seat_of(id), now);
      if (part.machine.workload.when(seat_of(id)) > now) return schedule_wake(part, id, nic, now + 1);
      begin_message(part, id, nic);
    }
    begin_packet(part, id, nic);
  }
  // Whether it has something to send if a lane gets room.
  bool waits_for_room(Nic id) const { return nics_[index(id)].has_packet; }
  // The packet at the front was routed.
  [[gnu::always_inline]] void take_exit(Part& part, Nic id, const RouteJob& job) {
    State& nic = nics_[index(id)];
    Entry& entry = part.entries[nic.entry];
    entry.exit = job.exit;
    entry.lanes = job.lanes;
    begin_to_leave(part, id, nic, entry);
  }
  // Sends; whether it may do so again in the next cycle.
  [[gnu::always_inline]] bool act(Part& part, Nic id) {
    State& nic = nics_[index(id)];
    if (!nic.has_packet) return false;
    Entry& entry = part.entries[nic.entry];
    if (entry.lane != none<Lane>) return send<false>(part, id, nic, entry);
    part.enter_network(entry.packet);  // again in each cycle until it does
    return send<true>(part, id, nic, entry);
  }

  // What wake() will touch; when that is there, the rest.
  [[gnu::always_inline]] void ask_to_wake(const Part& part, Nic id) const {
    const Channel exit = part.layout.exit(Node{index(id)}, 0);
    __builtin_prefetch(&nics_[index(id)], 1);
    __builtin_prefetch(&part.output(exit), 1);
    __builtin_prefetch(&part.out_lane(part.layout.lane(exit, 0)), 1);
    part.machine.workload.ask_ahead(seat_of(id));
  }
  [[gnu::always_inline]] void ask_for_packet(const Part& part, Nic id) const {
    __builtin_prefetch(&part.entries[nics_[index(id)].entry], 1);
  }
  // What act() will touch.
  [[gnu::always_inline]] void ask_ahead(const Part& part, Nic id) const {
    const State& nic = nics_[index(id)];
    if (!nic.has_packet) return;
    __builtin_prefetch(&part.entries[nic.entry], 1);
    __builtin_prefetch(&part.output(part.layout.exit(Node{index(id)}, 0)), 1);
  }

  // A flit, or a packet, is consumed.
  [[gnu::always_inline]] void arrive(Part& part, const Arrival& arrival) {
    const bool gives_credit = part.state.options.ejection == Ejection::finite;
    const Input& buffer = part.input(arrival.lane);
    if constexpr (mode == Mode::packets) {
      const u32 flits = part.packet_flits;
      part.tally.flits += flits;
      part.state.consuming[index(part.exit_of(arrival.lane))] = part.clock.now + flits;
      if (gives_credit) part.give_credit(buffer, flits - 1);
      if (flits == 1) return finish_packet(part, arrival);
      part.clock.wheels.consumed.push(part.clock.now + flits - 1, arrival);
    } else {
      ++part.tally.flits;
      if (gives_credit) part.give_credit(buffer, 0);
      PacketId packet = arrival.packet;
      Arriving& of_lane = arriving_[index(arrival.lane)];
      if (packet == none<PacketId>) {
        if (--of_lane.flits > 0) return;
        packet = of_lane.packet;
      } else if (const u32 flits = part.state.packets[packet].flits; flits > 1) {
        of_lane = {packet, flits - 1};
        return;
      }
      finish_packet(part, {arrival.lane, packet});
    }
  }
  // The last flit of a packet was consumed.
  [[gnu::always_inline]] void finish_packet(Part& part, Arrival arrival) {
    const Packet& packet = part.state.packets[arrival.packet];
    const u64 now = part.clock.now;
    part.count_packet(packet);
    if (part.machine.recycles) [[unlikely]]
      acknowledge(part, packet);
    if (packet.message == none<MessageId>) {
      part.tally.message_latency.add(static_cast<u32>(now) - packet.created);
      part.tally.last_message = now;
      return part.free_packet(arrival.packet);
    }
    Message& message = part.state.messages[packet.message];
    const u64 latency = now - message.created;
    message.flits -= packet.flits;
    if (message.flits > 0) {
      part.tally.packet_latency.add(latency);
    } else {
      part.tally.message_latency.add(latency);
      part.tally.last_message = now;
      if (part.machine.workload.reacts()) {
        const Nic id{index(part.node_of(arrival.lane))};
        part.machine.workload.arrived(seat_of(id), message.round, now);
        const State& nic = nics_[index(id)];
        if (!nic.has_packet && nic.to_cut == 0) schedule_wake(part, id, nic, std::max(now, nic.busy_until));
      }
      part.free_message(packet.message);
    }
    part.free_packet(arrival.packet);
  }

  // What else is due in a cycle: nothing. Acknowledgements are looked at when a path is chosen.
  void run_events(Part&) {}
  void take_mail(const Mail& mail) {
    for (const Acknowledgement& one : mail.acknowledgements) memories_.expect(one);
  }
  // A NIC has at most one packet that is routed in a cycle.
  static constexpr bool routes_one = true;
  static constexpr bool has_control_packets = false;  // all its packets hold data

  // For those who inspect.
  EntryId front(Nic id, u32 k = 0) const {
    const State& nic = nics_[index(id)];
    return k == 0 && nic.has_packet ? nic.entry : none<EntryId>;
  }
  EntryId sending(const Entries& entries, Nic id, Channel exit) const {
    const EntryId entry = front(id);
    const bool is_it =
        entry != none<EntryId> && entries[entry].exit == exit && entries[entry].lane != none<Lane>;
    return is_it ? entry : none<EntryId>;
  }
  u32 held(LaneId) const { return 0; }

 private:
  struct alignas(64) State {
    EntryId entry{};          // of the packet at the front; the NIC keeps it
    bool has_packet = false;  // there is one
    MessageId message{};      // of which it is part; none: it is all of it, and nobody else asks
    u32 to_cut = 0;           // flits of that message that are in no packet yet
    u32 place = 0;            // packets of that message so far
    u64 sent = 0;             // packets
    u64 busy_until = 0;       // the cycle in which the next packet may come to the front
    u64 bytes = 0;            // of the message
    Nic to{};
    u32 created = 0;  // the message, modulo 2^32
  };
  struct Arriving {
    PacketId packet;
    u32 flits;  // of it, to come
  };

  static Seat seat_of(Nic id) { return Seat{index(id)}; }
  [[gnu::always_inline]] void schedule_wake(Part& part, Nic id, const State& nic, u64 from) {
    const u64 when = nic.to_cut > 0 ? from : std::max(from, part.machine.workload.when(seat_of(id)));
    if (when == Workload::never) return;
    auto& wakes = part.clock.wheels.wakes;
    wakes.push(std::min(when, part.clock.now + wakes.reach()), Node{index(id)});
  }
  [[gnu::always_inline]] void begin_message(Part& part, Nic id, State& nic) {
    const Workload::Post post = part.machine.workload.take_next(seat_of(id), part.clock.now);
    nic.created = static_cast<u32>(post.created);
    nic.message = none<MessageId>;
    if (part.machine.keeps_messages || post.flits > part.packet_flits) {
      nic.message = part.new_message();
      part.state.messages[nic.message] = {post.created, post.flits, post.round};
    }
    nic.to = Nic{index(post.to)};
    nic.to_cut = post.flits;
    nic.bytes = post.bytes;
    nic.place = 0;
  }
  [[gnu::always_inline]] void begin_packet(Part& part, Nic from, State& nic) {
    const Machine& machine = part.machine;
    const u32 flits = std::min(nic.to_cut, part.packet_flits);
    const u32 count = machine.source.count(from, nic.to, nic.bytes);
    if (count == 0) [[unlikely]]
      no_way(machine.setting, from, nic.to);
    u32 way = count == 1 ? 0
                         : chosen_way(part.state.options.path_choice, machine.setting.seed, from, nic.sent,
                                      nic.place, count);
    if (remembers_) way = remembered(part, from, nic, way, count);
    const PacketId id = part.new_packet();
    Packet& packet = part.state.packets[id];
    packet.header = machine.source.way(from, nic.to, nic.bytes, way);
    packet.number = nic.sent;
    packet.flits = flits;
    packet.message = nic.message;
    packet.created = nic.created;
    packet.source = from;
    packet.entered = static_cast<u32>(part.clock.now);  // if it leaves at once
    if (machine.recycles) packet.trail = {count > 1 ? way : Trail::none, 0, 0};
    nic.to_cut -= flits;
    part.flits_taken += flits;
    ++nic.sent;
    ++nic.place;
    const Node node{index(from)};
    nic.has_packet = true;
    Entry& entry = part.entries[nic.entry];
    if (machine.tree == nullptr) {
      const u16 lanes = machine.recycles ? u16{0} : machine.setting.lists.nic_lanes(packet.header);
      const Channel exit = lanes == 0 ? none<Channel> : part.layout.exit(node, 0);
      entry = {.packet = id, .left = flits, .exit = exit, .lanes = lanes, .there = flits};
      if (lanes == 0) return part.start_soon(part.layout.first_lane(node), id);
      return begin_to_leave(part, from, nic, entry);
    }
    const Channel exit = start_packet(*machine.tree, machine.setting, node, packet);  // sets packet.lanes
    entry = {.packet = id, .left = flits, .exit = exit, .lanes = packet.lanes, .there = flits};
    begin_to_leave(part, from, nic, entry);
  }
  [[gnu::noinline]] u32 remembered(Part& part, Nic from, const State& nic, u32 drawn, u32 count) {
    const u64 now = part.clock.now;
    if (part.machine.has_flowlets) return flowlets_.choose(from, nic.to, drawn, count, now);
    return count > 1 ? memories_.choose(from, nic.to, nic.sent, drawn, now) % count : drawn;
  }
  // The packet at the front was routed; it leaves at once if it can.
  [[gnu::always_inline]] void begin_to_leave(Part& part, Nic id, State& nic, Entry& entry) {
    if (send<true>(part, id, nic, entry)) part.wake(Node{index(id)});
  }
  // A flit, or a packet, of the one at the front; whether it may do so again in the next cycle.
  template <bool is_head>
  [[gnu::always_inline]] bool send(Part& part, Nic id, State& nic, Entry& entry) {
    Output& out = part.output(entry.exit);
    if (!part.is_free(out)) return true;
    if constexpr (is_head) {
      if (!take_lane(part, entry, out)) return false;
      part.presence.enter(part.clock.now);
    }
    OutLane& lane = part.out_lane(part.lane_of(out, entry.lane));
    u32 flits = 1;
    if constexpr (mode == Mode::wormhole) {
      if (!is_head && lane.room == 0) return false;
      if (--lane.room == 0) remove(out.open_lanes, entry.lane);
    } else {
      if (is_head) lane.room -= entry.left;
      if (lane.room < part.packet_flits) remove(out.open_lanes, entry.lane);
      if constexpr (mode == Mode::packets) flits = part.packet_flits, out.until = part.clock.now + flits;
    }
    part.enter_channel(out, entry.lane, is_head ? entry.packet : none<PacketId>, flits);
    entry.left -= flits;
    if (entry.left > 0) return true;
    nic.has_packet = false;
    nic.busy_until = part.clock.now + flits;
    schedule_wake(part, id, nic, nic.busy_until);
    return false;
  }
  // The NIC of a packet that was consumed will know of it after the time of the way back.
  [[gnu::noinline]] void acknowledge(Part& part, const Packet& packet) {
    if (packet.trail.path == Trail::none) return;
    const u16 home = part.layout.part(Node{index(packet.source)});
    const Nic to = nic_of(packet.header.to, part.machine.setting.lmc);
    const Acknowledgement one{part.clock.now + packet.trail.cycles,
                              packet.number,
                              packet.source,
                              to,
                              packet.trail.path,
                              packet.trail.is_marked};
    if (home == part.number)
      memories_.expect(one);
    else
      part.clock.mail_to(home).acknowledgements.push(one);
  }
  // A lane for the head of a packet, if there is one with room.
  [[gnu::always_inline]] bool take_lane(Part& part, Entry& entry, Output& out) {
    const u16 fit = mode == Mode::wormhole ? static_cast<u16>(entry.lanes & out.open_lanes)
                                           : part.lanes_with_room(out, entry);
    if (fit == 0) return false;
    entry.lane = next_lane(fit, out.lane_pointer);
    return true;
  }

  PagedVector<State> nics_;
  PagedVector<Arriving> arriving_;  // by lane of a NIC
  const bool remembers_;
  PathMemories memories_;
  Flowlets flowlets_;
};

}  // namespace banyan::flit
