// The NIC model of hosts with one NIC: messages are cut into packets, one at a time stands at the front; what
// arrives is consumed. A NIC model owns what NICs know, and the engine calls it for what happens at a NIC;
// the channels of the part are passed in, so that all of it is compiled into the engine's loops.
#pragma once
#include "flit/channels.hpp"
#include "flit/choice.hpp"
#include "flit/masks.hpp"
#include "flit/path_memory.hpp"

namespace banyan::flit {

template <Mode mode>
class PlainNics {
  using Part = Channels<unit_of(mode)>;

 public:
  // Whether NICs act after packets have been routed in a cycle, or before. A packet that is routed at its NIC
  // leaves at once in either case: take_exit().
  static constexpr bool act_after_routing = false;

  explicit PlainNics(Part& part)
      : nics_(part.layout.nics), arriving_(part.layout.nic_lanes()), memories_(part.state.options) {
    for (const Nic nic : IdRange<Nic>(part.layout.nics)) {
      const Node v{index(nic)};
      if (part.layout.part(v) != part.number) continue;
      nics_[index(nic)] = {};
      part.clock.wheels.wakes.push(0, v);
    }
  }

  // The next packet comes to the front, if there is one and nothing is in its way.
  [[gnu::always_inline]] void wake(Part& part, Nic id) {
    State& nic = nics_[index(id)];
    const u64 now = part.clock.now;
    if (nic.entry != none<EntryId>) return;
    if (mode == Mode::packets && nic.busy_until > now) return;
    if (nic.to_cut == 0) {
      part.machine.workload.idle(seat_of(id), now);
      if (part.machine.workload.when(seat_of(id)) > now) return schedule_wake(part, id, now + 1);
      begin_message(part, id);
    }
    begin_packet(part, id);
  }
  // Whether it has something to send if a lane gets room.
  bool waits_for_room(Nic id) const { return nics_[index(id)].entry != none<EntryId>; }
  // The packet at the front was routed.
  [[gnu::always_inline]] void take_exit(Part& part, Nic id, const RouteJob& job) {
    Entry& entry = part.entries[nics_[index(id)].entry];
    entry.exit = job.exit;
    entry.lanes = job.lanes;
    if (act(part, id)) part.wake(Node{index(id)});
  }
  // Sends; whether it may do so again in the next cycle.
  [[gnu::always_inline]] bool act(Part& part, Nic id) {
    State& nic = nics_[index(id)];
    if (nic.entry == none<EntryId>) return false;
    Entry& entry = part.entries[nic.entry];
    Output& out = part.output(entry.exit);
    if (!part.is_free(out)) return true;
    PacketId packet = none<PacketId>;
    if (entry.lane == none<Lane>) {
      if (!take_lane(part, entry, out)) return false;
      packet = entry.packet;
      part.enter_network(packet);
    }
    OutLane& lane = part.out_lane(part.lane_of(out, entry.lane));
    u32 flits = 1;
    if constexpr (mode == Mode::wormhole) {
      if (lane.room == 0) return false;
      if (--lane.room == 0) remove(out.open_lanes, entry.lane);
    } else {
      if (packet != none<PacketId>) lane.room -= entry.left;
      if (lane.room < part.packet_flits) remove(out.open_lanes, entry.lane);
      if constexpr (mode == Mode::packets) flits = part.packet_flits, out.until = part.clock.now + flits;
    }
    part.enter_channel(out, entry.lane, packet, flits);
    entry.left -= flits;
    if (entry.left > 0) return true;
    part.free_entry(nic.entry);
    nic.entry = none<EntryId>;
    nic.busy_until = part.clock.now + flits;
    schedule_wake(part, id, nic.busy_until);
    return false;
  }

  // What act() will touch.
  [[gnu::always_inline]] void ask_ahead(const Part& part, Nic id) const {
    const EntryId entry = nics_[index(id)].entry;
    if (entry == none<EntryId>) return;
    __builtin_prefetch(&part.entries[entry], 1);
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
      Arriving& of_lane = arriving_[index(arrival.lane)];
      if (arrival.packet != none<PacketId>)
        of_lane = {arrival.packet, part.state.packets[arrival.packet].flits};
      ++part.tally.flits;
      if (gives_credit) part.give_credit(buffer, 0);
      if (--of_lane.flits == 0) finish_packet(part, {arrival.lane, of_lane.packet});
    }
  }
  // The last flit of a packet was consumed.
  void finish_packet(Part& part, Arrival arrival) {
    const Packet& packet = part.state.packets[arrival.packet];
    Message& message = part.state.messages[packet.message];
    const u64 now = part.clock.now;
    part.count_packet(packet);
    if (part.machine.recycles) acknowledge(part, packet);
    part.tally.packet_latency.add(now - message.created);
    message.flits -= packet.flits;
    if (message.flits == 0) {
      ++part.tally.messages;
      part.tally.message_latency.add(now - message.created);
      part.tally.last_message = now;
      if (part.machine.workload.reacts()) {
        const Nic id{index(part.node_of(arrival.lane))};
        part.machine.workload.arrived(seat_of(id), message.round, now);
        const State& nic = nics_[index(id)];
        if (nic.entry == none<EntryId> && nic.to_cut == 0)
          schedule_wake(part, id, std::max(now, nic.busy_until));
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
  // A NIC has at most one packet that is routed in a cycle; of two, which one is before the other.
  static constexpr bool routes_one = true;
  static bool goes_first(const Packet&, const Packet&) { return false; }

  // For those who inspect.
  EntryId front(Nic id, u32 k = 0) const { return k == 0 ? nics_[index(id)].entry : none<EntryId>; }
  EntryId sending(const Entries& entries, Nic id, Channel exit) const {
    const EntryId entry = front(id);
    const bool is_it =
        entry != none<EntryId> && entries[entry].exit == exit && entries[entry].lane != none<Lane>;
    return is_it ? entry : none<EntryId>;
  }
  u32 held(LaneId) const { return 0; }

 private:
  struct alignas(64) State {
    EntryId entry = none<EntryId>;  // the packet at the front
    MessageId message{};            // of which it is part
    u32 to_cut = 0;                 // flits of that message that are in no packet yet
    u32 place = 0;                  // packets of that message so far
    u64 sent = 0;                   // packets
    u64 busy_until = 0;             // the cycle in which the next packet may come to the front
    u64 bytes = 0;                  // of the message
    Nic to{};
  };
  struct Arriving {
    PacketId packet;
    u32 flits;  // of it, to come
  };

  static Seat seat_of(Nic id) { return Seat{index(id)}; }
  [[gnu::always_inline]] void schedule_wake(Part& part, Nic id, u64 from) {
    const u64 when =
        nics_[index(id)].to_cut > 0 ? from : std::max(from, part.machine.workload.when(seat_of(id)));
    if (when == Workload::never) return;
    auto& wakes = part.clock.wheels.wakes;
    wakes.push(std::min(when, part.clock.now + wakes.reach()), Node{index(id)});
  }
  [[gnu::always_inline]] void begin_message(Part& part, Nic id) {
    State& nic = nics_[index(id)];
    const Workload::Post post = part.machine.workload.take(seat_of(id), part.clock.now);
    nic.message = part.new_message();
    part.state.messages[nic.message] = {post.created, post.flits, post.round};
    nic.to = Nic{index(post.to)};
    nic.to_cut = post.flits;
    nic.bytes = post.bytes;
    nic.place = 0;
  }
  [[gnu::always_inline]] void begin_packet(Part& part, Nic from) {
    State& nic = nics_[index(from)];
    const Machine& machine = part.machine;
    const u32 flits = std::min(nic.to_cut, part.packet_flits);
    const u32 count = machine.source.count(from, nic.to, nic.bytes);
    if (count == 0) [[unlikely]]
      no_way(machine.setting, from, nic.to);
    u32 way = count == 1 ? 0
                         : chosen_way(part.state.options.path_choice, machine.setting.seed, from, nic.sent,
                                      nic.place, count);
    if (machine.recycles && count > 1)
      way = memories_.choose(from, nic.to, nic.sent, way, part.clock.now) % count;
    const PacketId id = part.new_packet();
    Packet& packet = part.state.packets[id];
    packet.header = machine.source.way(from, nic.to, nic.bytes, way);
    packet.number = nic.sent;
    packet.flits = flits;
    packet.message = nic.message;
    packet.source = from;
    if (machine.recycles) packet.trail = {count > 1 ? way : Trail::none, 0, 0};
    nic.to_cut -= flits;
    part.flits_taken += flits;
    ++nic.sent;
    ++nic.place;
    nic.entry = part.new_entry();
    part.entries[nic.entry] = {id, flits, flits, none<EntryId>, none<Channel>, 0, none<Lane>, 0};
    part.route_soon(part.layout.first_lane(Node{index(from)}), id);
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
  PathMemories memories_;
};

}  // namespace banyan::flit
