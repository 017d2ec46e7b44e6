// Replicas of a fabric in time, by a block of threads. What a node does in a cycle depends on its own state,
// and what it writes to others is due in a later cycle, so threads meet only twice for each cycle. First a
// thread has a switch, which matches its inputs with its outputs, or a NIC. Then a thread has an output: if a
// packet crosses to it, it moves that packet to the next buffer, so that many packets are on their way
// through memory at once. docs/simulator.md defines what happens; flit/cut_through.hpp and
// flit/plain_nics.hpp do the same event by event.
#pragma once
#include "base/histogram_slots.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// A replica in a cycle. `Block` adds in memory that threads share.
template <class Block>
class ReplicaCycle {
 public:
  BANYAN_KERNEL ReplicaCycle(const ReplicaFabric& fabric, const ReplicaLayout& layout,
                             const ReplicaMemory& memory, u8* state, u32 replica, u32 now)
      : fabric_(fabric),
        layout_(layout),
        state_(state),
        nics_(memory.nic + u64{replica} * fabric.nics),
        packets_(memory.packet + (u64{replica} * fabric.ports << fabric.shift) * fabric.capacity),
        draws_(fabric, memory.target, replica),
        channel_flits_(memory.results.channel_flits + u64{replica} * fabric.ports),
        latency_(memory.results.latency + u64{replica} * fabric.latencies),
        now_(now) {}

  // Takes what is due and decides which packets cross: they move in move_packet().
  BANYAN_KERNEL void visit_switch(u32 number) const {
    const ReplicaNode node = fabric_.node[fabric_.nics + number];
    u64 ready = at<u64>(layout_.ready, number);
    each_due<u8, AnyU32>(layout_.credits, now_ & (fabric_.credit_flights - 1), node,
                         [&](u32 p, u32 lane) { take_credit(node.first_port + p, lane - 1); });
    each_due<u8, AnyU32>(layout_.fresh, 0, node, [&](u32 p, u32 lane) { show(node, p, lane - 1, ready); });
    each_due<u16, AnyU64>(layout_.arrivals, now_ & (fabric_.flights - 1), node,
                          [&](u32 p, u32 word) { join(node, p, word, ready); });
    const u64 from = ~u64{0} << now_ % node.ports;
    u64 idle = ~u64{0};  // slots of input ports that may be free; of switches of up to 64 slots
    for (u64 left = ready; left != 0;) {
      const u32 output = first_bit_of((left & from) != 0 ? left & from : left);
      left &= ~(u64{1} << output);
      visit_output(node, output, ready, idle);
    }
    at<u64>(layout_.ready, number) = ready;
  }

  // An output: if a packet was granted it, it goes to the next buffer.
  BANYAN_KERNEL void move_packet(u32 port) const {
    u16& granted = at<u16>(layout_.granted, port);
    if (granted == 0) return;
    const Grant grant{granted};
    granted = 0;
    const u32 slot = grant.slot(), lane = slot & ((1u << fabric_.shift) - 1);
    const u32 in = fabric_.port[port].first_port + (slot >> fabric_.shift), buffer = buffer_of(in, lane);
    const ReplicaPacket& packet = pop(buffer);
    if (grant.leaves_more()) {
      at<u16>(layout_.front, buffer) = place(buffer, at<u8>(layout_.head, buffer)).hop.word;
      at<u8>(layout_.fresh, in) = static_cast<u8>(lane + 1);
    }
    enter_channel(port, grant.lane(), packet);
    give_credit(in, lane);
  }

  BANYAN_KERNEL void visit_nic(u32 number) const {
    const ReplicaNode node = fabric_.node[number];
    each_due_at_nic(node.first_port, number);
    if (at<u32>(layout_.finish, number) == now_) finish_packet(number);
    u32& wake = at<u32>(layout_.wake, number);
    if (wake == waits_for_room || wake <= now_) send(number, node.first_port, wake);
  }

  // Wakes NICs that have never run.
  BANYAN_KERNEL void begin_nic(u32 number) const {
    const ReplicaNic& nic = nics_[number];
    at<u32>(layout_.wake, number) = nic.rate > 0 ? as_cycle(nic.pending) : never;
  }

  // Flits that entered a port's channel are counted while they do, a packet's at once: before the first cycle
  // of a run those that were counted too early are added, behind the last one they are taken away.
  BANYAN_KERNEL u32 flits_to_come(u32 port) const { return to_come(at<u32>(layout_.out_until, port)); }

  // What was counted until now, exclusively; counting starts again.
  BANYAN_KERNEL void tally_nic(u32 number, ReplicaTally& out, u32& waits_since) const {
    ReplicaNic& nic = nics_[number];
    waits_since = at<u32>(layout_.wake, number) == waits_for_room ? nic.created : no_message;
    const u32 rest = to_come(nic.consuming), flits = nic.consumed - rest;
    nic.consumed = rest;
    Block::add(out.flits, flits);
    Block::add(out.packets, nic.packets);
    Block::add(out.latencies, nic.latencies);
    Block::add(out.network_cycles, nic.network_cycles);
    Block::add(out.entered, nic.entered);
    Block::add(out.times, nic.times);
    Block::add(out.created, draws_.created_until(nic, now_));
    Block::raise(out.last_message, nic.last_message);
    Block::raise(out.max_latency, nic.max_latency);
    nic.packets = nic.last_message = nic.max_latency = 0;
    nic.latencies = nic.network_cycles = nic.entered = nic.times = 0;
  }

 private:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(state_ + array)[i];
  }
  // What crosses to an output.
  struct Grant {
    u16 word;

    static BANYAN_KERNEL Grant of(u32 slot, u32 lane, bool leaves_more) {
      return {static_cast<u16>((slot + 1) | lane << 11 | (leaves_more ? 1u << 15 : 0))};
    }
    BANYAN_KERNEL u32 slot() const { return (word & 0x7FFu) - 1; }  // of the input
    BANYAN_KERNEL u32 lane() const { return word >> 11 & 15; }      // of the channel
    BANYAN_KERNEL bool leaves_more() const { return word >> 15 != 0; }
  };

  BANYAN_KERNEL u32 buffer_of(u32 port, u32 lane) const { return (port << fabric_.shift) + lane; }
  BANYAN_KERNEL ReplicaPacket& place(u32 buffer, u32 i) const {
    return packets_[u64{buffer} * fabric_.capacity + i];
  }
  BANYAN_KERNEL u64* candidates(u32 port) const { return &at<u64>(layout_.candidates, port * fabric_.words); }
  // Flits that were counted when their packet began, but come later.
  BANYAN_KERNEL u32 to_come(u32 until) const { return until > now_ ? until - now_ : 0; }
  static BANYAN_KERNEL u32 as_cycle(u64 time) {
    return time < waits_for_room ? static_cast<u32>(time) : never;
  }

  // --- what is due
  // f(port of the switch, what) for all its ports where something is due in this row of an array; it is taken
  // out. Four ports are looked at at once.
  template <class T, class Word, class F>
  BANYAN_KERNEL void each_due(u32 array, u32 row, const ReplicaNode& node, F&& f) const {
    constexpr u32 bits = 8 * sizeof(T);
    constexpr u64 mask = (u64{1} << bits) - 1;
    for (u32 p = 0; p < node.ports; p += 4) {
      Word& word = at<Word>(array, (row * fabric_.ports + node.first_port + p) / 4);
      u64 left = word;
      if (left == 0) continue;
      word = 0;
      while (left != 0) {
        const u32 k = first_bit_of(left) / bits;
        f(p + k, static_cast<u32>(left >> (k * bits) & mask));
        left &= ~(mask << (k * bits));
      }
    }
  }
  BANYAN_KERNEL void each_due_at_nic(u32 port, u32 number) const {
    u8& credit = at<u8>(layout_.credits, (now_ & (fabric_.credit_flights - 1)) * fabric_.ports + port);
    if (credit != 0) {
      take_credit(port, credit - 1u);
      credit = 0;
    }
    u16& arrival = at<u16>(layout_.arrivals, (now_ & (fabric_.flights - 1)) * fabric_.ports + port);
    if (arrival != 0) {
      consume(number, port, (arrival & 31u) - 1);
      arrival = 0;
    }
  }
  BANYAN_KERNEL void take_credit(u32 port, u32 lane) const {
    ++at<u8>(layout_.room, buffer_of(port, lane));
    at<u16>(layout_.open, port) |= static_cast<u16>(1u << lane);
  }
  // Room for a packet in the buffer of a lane: the near end knows it when all its flits have left.
  BANYAN_KERNEL void give_credit(u32 port, u32 lane) const {
    const ReplicaPort& channel = fabric_.port[port];
    const u32 when = now_ + channel.latency + fabric_.packet_flits - 1;
    at<u8>(layout_.credits, (when & (fabric_.credit_flights - 1)) * fabric_.ports + channel.far) =
        static_cast<u8>(lane + 1);
  }
  // A lane of a channel that is free gets a packet. It is entered by enter_channel().
  BANYAN_KERNEL u32 take_lane(u32 port, u32 fit) const {
    u32& pointers = at<u32>(layout_.pointers, port);  // slot | lane << 16
    const u32 lane = lane_from(fit, pointers >> 16);
    pointers = (pointers & 0xFFFF) | (lane + 1) << 16;
    if (--at<u8>(layout_.room, buffer_of(port, lane)) == 0)
      at<u16>(layout_.open, port) &= static_cast<u16>(~(1u << lane));
    at<u32>(layout_.out_until, port) = now_ + fabric_.packet_flits;
    return lane;
  }
  BANYAN_KERNEL void enter_channel(u32 port, u32 lane, ReplicaPacket packet) const {
    const ReplicaPort channel = fabric_.port[port];
    u8& tail = at<u8>(layout_.tail, buffer_of(port, lane));
    packet.hop = {};
    if (channel.far >= fabric_.nic_ports) packet.hop = fabric_.hop[++packet.way];
    place(buffer_of(channel.far, lane), tail) = packet;
    tail = tail + 1u == fabric_.capacity ? 0 : static_cast<u8>(tail + 1);
    const u32 when = now_ + channel.flight;
    at<u16>(layout_.arrivals, (when & (fabric_.flights - 1)) * fabric_.ports + channel.far) =
        static_cast<u16>((lane + 1) | u32{packet.hop.word} << 5);
    Block::add(channel_flits_[port], fabric_.packet_flits);
  }
  // The front of a buffer leaves it.
  BANYAN_KERNEL const ReplicaPacket& pop(u32 buffer) const {
    u8& head = at<u8>(layout_.head, buffer);
    const ReplicaPacket& out = place(buffer, head);
    head = head + 1u == fabric_.capacity ? 0 : static_cast<u8>(head + 1);
    return out;
  }

  // --- switches
  // The front of a buffer is a candidate for its output.
  BANYAN_KERNEL void show(const ReplicaNode& node, u32 p, u32 lane, u64& ready) const {
    const u32 slot = (p << fabric_.shift) + lane;
    const u32 output = ReplicaHop{at<u16>(layout_.front, buffer_of(node.first_port + p, lane))}.port();
    candidates(node.first_port + output)[slot / 64] |= u64{1} << slot % 64;
    ready |= u64{1} << output;
  }
  BANYAN_KERNEL void join(const ReplicaNode& node, u32 p, u32 word, u64& ready) const {
    const u32 lane = (word & 31) - 1, buffer = buffer_of(node.first_port + p, lane);
    if (at<u8>(layout_.count, buffer)++ != 0) return;
    at<u16>(layout_.front, buffer) = static_cast<u16>(word >> 5);
    show(node, p, lane, ready);
  }
  // The first candidate from the output's pointer on, around the end, that can cross to it.
  BANYAN_KERNEL void visit_output(const ReplicaNode& node, u32 output, u64& ready, u64& idle) const {
    const u32 port = node.first_port + output;
    if (at<u16>(layout_.open, port) == 0 || at<u32>(layout_.out_until, port) > now_) return;
    const u32 pointer = at<u32>(layout_.pointers, port) & 0xFFFF, words = fabric_.words;
    const u64 from = ~u64{0} << pointer % 64;
    u32 word = pointer / 64;
    for (u32 k = 0; k <= words; ++k) {
      u64 slots = candidates(port)[word];
      if (words == 1) slots &= idle;
      slots &= k == 0 ? from : k == words ? ~from : ~u64{0};
      for (; slots != 0; slots &= slots - 1)
        if (grant(node, output, word * 64 + first_bit_of(slots), ready, idle)) return;
      word = word + 1 == words ? 0 : word + 1;
    }
  }
  BANYAN_KERNEL bool grant(const ReplicaNode& node, u32 output, u32 slot, u64& ready, u64& idle) const {
    const u32 p = slot >> fabric_.shift, lane = slot & ((1u << fabric_.shift) - 1);
    const u32 in = node.first_port + p, out = node.first_port + output, buffer = buffer_of(in, lane);
    u32& in_until = at<u32>(layout_.in_until, in);
    const bool is_busy = in_until > now_;
    const u32 fit =
        fabric_.lane_set[ReplicaHop{at<u16>(layout_.front, buffer)}.set()] & at<u16>(layout_.open, out);
    if (!is_busy && fit == 0) return false;
    idle &= ~(((u64{2} << ((1u << fabric_.shift) - 1)) - 1) << (p << fabric_.shift) % 64);
    if (is_busy) return false;
    in_until = now_ + fabric_.packet_flits;
    forget_candidate(out, output, slot, ready);
    u32& pointers = at<u32>(layout_.pointers, out);
    pointers = (pointers & ~u32{0xFFFF}) | (slot + 1 == 64 * fabric_.words ? 0 : slot + 1);
    const bool leaves_more = --at<u8>(layout_.count, buffer) > 0;
    at<u16>(layout_.granted, out) = Grant::of(slot, take_lane(out, fit), leaves_more).word;
    return true;
  }
  BANYAN_KERNEL void forget_candidate(u32 port, u32 output, u32 slot, u64& ready) const {
    u64* const mask = candidates(port);
    mask[slot / 64] &= ~(u64{1} << slot % 64);
    u64 any = 0;
    for (u32 w = 0; w < fabric_.words; ++w) any |= mask[w];
    if (any == 0) ready &= ~(u64{1} << output);
  }

  // --- NICs
  BANYAN_KERNEL void consume(u32 number, u32 port, u32 lane) const {
    ReplicaNic& nic = nics_[number];
    const ReplicaPacket& packet = pop(buffer_of(port, lane));
    nic.consumed_created = packet.created;
    nic.consumed_entered = packet.entered;
    nic.consuming = now_ + fabric_.packet_flits;
    nic.consumed += fabric_.packet_flits;
    at<u32>(layout_.finish, number) = now_ + fabric_.packet_flits - 1;
    give_credit(port, lane);
  }
  BANYAN_KERNEL void finish_packet(u32 number) const {
    ReplicaNic& nic = nics_[number];
    const u32 latency = now_ - nic.consumed_created;
    Block::add(latency_[histogram_slot(latency)], u32{1});
    ++nic.packets;
    nic.latencies += latency;
    nic.max_latency = latency > nic.max_latency ? latency : nic.max_latency;
    nic.network_cycles += now_ - nic.consumed_entered;
    nic.times += now_;
    nic.last_message = now_;
  }
  // The next message comes to the front, unless one waits there; it leaves if a lane has room.
  BANYAN_KERNEL void send(u32 number, u32 first_port, u32& wake) const {
    ReplicaNic& nic = nics_[number];
    if (wake != waits_for_room) {
      nic.created = fabric_.arrivals == ReplicaFabric::back_to_back ? now_ : static_cast<u32>(nic.pending);
      nic.way = fabric_.first_hop[number * fabric_.nics + nic.pending_to];
      draws_.draw(nic);
      wake = waits_for_room;
    }
    const ReplicaHop hop = fabric_.hop[nic.way];
    const u32 port = first_port + hop.port(), fit = fabric_.lane_set[hop.set()] & at<u16>(layout_.open, port);
    if (fit == 0) return;
    enter_channel(port, take_lane(port, fit), {nic.created, now_, nic.way, hop});
    ++nic.entered;
    nic.times -= now_;
    const u32 free = now_ + fabric_.packet_flits, next = as_cycle(nic.pending);
    wake = next > free ? next : free;
  }

  const ReplicaFabric& fabric_;
  const ReplicaLayout& layout_;
  u8* const state_;
  ReplicaNic* const nics_;
  ReplicaPacket* const packets_;
  const ReplicaDraws draws_;
  u32* const channel_flits_;
  u32* const latency_;
  const u32 now_;
};

// Replicas of a block, `count` from `first` on, each for the cycles of its run. `fast` is memory of the block
// for the state of all of them; null: they stay where they are.
template <class Block>
class ReplicaBlock {
 public:
  BANYAN_KERNEL ReplicaBlock(const Block& block, const ReplicaFabric& fabric, const ReplicaLayout& layout,
                             const ReplicaMemory& memory, const ReplicaRun* runs, u8* fast, u32 first,
                             u32 count)
      : block_(block),
        fabric_(fabric),
        layout_(layout),
        memory_(memory),
        runs_(runs + first),
        fast_(fast),
        first_(first),
        count_(count) {}

  // Where states come from: `image`, of a replica that has never run.
  BANYAN_KERNEL void load(const u8* image) const {
    block_.each_thread([&](u32 thread) {
      each_running([&](u32 i) {
        if (runs_[i].first == 0)
          copy(thread, image, state(i));
        else if (fast_)
          copy(thread, saved(i), state(i));
      });
    });
  }
  BANYAN_KERNEL void save() const {
    if (!fast_) return;
    block_.each_thread([&](u32 thread) { each_running([&](u32 i) { copy(thread, state(i), saved(i)); }); });
  }

  BANYAN_KERNEL void begin() const {
    block_.each_thread([&](u32 thread) {
      each_running([&](u32 i) {
        if (runs_[i].first == 0) each_of(fabric_.nics, thread, [&](u32 nic) { cycle(i, 0).begin_nic(nic); });
        const Cycle start = cycle(i, runs_[i].first);
        each_of(fabric_.ports, thread, [&](u32 port) { flits(i, port) = start.flits_to_come(port); });
      });
    });
  }
  BANYAN_KERNEL void end() const {
    block_.each_thread([&](u32 thread) {
      each_running([&](u32 i) {
        const Cycle end = cycle(i, runs_[i].first + runs_[i].cycles);
        each_of(fabric_.ports, thread, [&](u32 port) { flits(i, port) -= end.flits_to_come(port); });
        each_of(fabric_.nics, thread, [&](u32 nic) {
          end.tally_nic(nic, memory_.results.tally[first_ + i],
                        memory_.results.waits_since[u64{first_ + i} * fabric_.nics + nic]);
        });
      });
    });
  }

  BANYAN_KERNEL u32 cycles() const {
    u32 out = 0;
    each_running([&](u32 i) { out = runs_[i].cycles > out ? runs_[i].cycles : out; });
    return out;
  }
  // Cycle `t` of each run. NICs are in warps of their own.
  BANYAN_KERNEL void run_cycle(u32 t) const {
    const u32 nodes = fabric_.switches * count_, first_nic = (nodes + lanes - 1) / lanes * lanes;
    block_.each_thread([&](u32 thread) {
      each_of(first_nic + fabric_.nics * count_, thread, [&](u32 k) {
        const bool is_nic = k >= first_nic;
        if (!is_nic && k >= nodes) return;
        const u32 i = is_nic ? (k - first_nic) / fabric_.nics : k / fabric_.switches;
        if (t >= runs_[i].cycles) return;
        const Cycle now = cycle(i, runs_[i].first + t);
        if (is_nic)
          now.visit_nic((k - first_nic) % fabric_.nics);
        else
          now.visit_switch(k % fabric_.switches);
      });
    });
    block_.each_thread([&](u32 thread) {
      each_running([&](u32 i) {
        if (t >= runs_[i].cycles) return;
        const Cycle now = cycle(i, runs_[i].first + t);
        for (u32 port = fabric_.nic_ports + thread; port < fabric_.ports; port += block_.threads())
          now.move_packet(port);
      });
    });
  }

 private:
  using Cycle = ReplicaCycle<Block>;

  template <class F>
  BANYAN_KERNEL void each_running(F&& f) const {
    for (u32 i = 0; i < count_; ++i)
      if (runs_[i].cycles > 0) f(i);
  }
  template <class F>
  BANYAN_KERNEL void each_of(u32 count, u32 thread, F&& f) const {
    for (u32 k = thread; k < count; k += block_.threads()) f(k);
  }
  BANYAN_KERNEL void copy(u32 thread, const u8* from, u8* to) const {
    each_of(layout_.bytes / 4, thread,
            [&](u32 w) { reinterpret_cast<AnyU32*>(to)[w] = reinterpret_cast<const AnyU32*>(from)[w]; });
  }
  BANYAN_KERNEL u8* saved(u32 i) const { return memory_.state + u64{first_ + i} * layout_.bytes; }
  BANYAN_KERNEL u8* state(u32 i) const { return fast_ ? fast_ + i * layout_.bytes : saved(i); }
  BANYAN_KERNEL u32& flits(u32 i, u32 port) const {
    return memory_.results.channel_flits[u64{first_ + i} * fabric_.ports + port];
  }
  BANYAN_KERNEL Cycle cycle(u32 i, u32 now) const {
    return Cycle(fabric_, layout_, memory_, state(i), first_ + i, now);
  }

  const Block& block_;
  const ReplicaFabric& fabric_;
  const ReplicaLayout& layout_;
  const ReplicaMemory& memory_;
  const ReplicaRun* const runs_;
  u8* const fast_;
  const u32 first_, count_;
};

// A block simulates `count` replicas from `first` on. One that has never run begins as `image`.
template <class Block>
BANYAN_KERNEL void run_replicas(const Block& block, const ReplicaFabric& fabric, const ReplicaLayout& layout,
                                const ReplicaMemory& memory, const ReplicaRun* runs, const u8* image,
                                u8* fast, u32 first, u32 count) {
  const ReplicaBlock<Block> replicas(block, fabric, layout, memory, runs, fast, first, count);
  replicas.load(image);
  replicas.begin();
  const u32 cycles = replicas.cycles();
  for (u32 t = 0; t < cycles; ++t) replicas.run_cycle(t);
  replicas.end();
  replicas.save();
}

}  // namespace banyan::gpu
