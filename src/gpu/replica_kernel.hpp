// Replicas of a fabric in time, by a block of threads: a thread has a switch or a NIC of a replica in each
// cycle. What a node does in a cycle depends on its own state, and what it writes to others is due in a later
// cycle, so one meeting of the threads for each cycle is enough. docs/simulator.md defines what happens;
// flit/cut_through.hpp and flit/plain_nics.hpp do the same event by event.
#pragma once
#include "base/histogram_slots.hpp"
#include "base/shuffle.hpp"
#include "gpu/replica_data.hpp"

namespace banyan::gpu {

// The first bit of a mask at or behind `from`, around the end. The mask is not empty.
BANYAN_KERNEL u32 first_bit_of(u64 mask) {
#ifdef __CUDA_ARCH__
  return static_cast<u32>(__ffsll(static_cast<long long>(mask))) - 1;
#else
  return static_cast<u32>(__builtin_ctzll(mask));
#endif
}
BANYAN_KERNEL u32 lane_from(u32 mask, u32 from) {
  const u32 later = mask >> from << from;
  return first_bit_of(later != 0 ? later : mask);
}

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
        targets_(memory.target),
        nic_of_rank_(fabric.nic_of_rank + u64{replica} * fabric.rank_stride),
        latency_(memory.latency + u64{replica} * fabric.latencies),
        now_(now) {}

  BANYAN_KERNEL void visit_switch(u32 number) const {
    const ReplicaNode node = fabric_.node[fabric_.nics + number];
    u64 idle = 0;  // slots of input ports that no packet holds; of switches of up to 64 slots
    for (u32 p = 0; p < node.ports; ++p) {
      const u32 port = node.first_port + p;
      take_credit(port);
      if (const u32 lane = arrived(port); lane != 0) join(node, p, lane - 1);
      if (is_narrow() && at<u32>(layout_.in_until, port) <= now_)
        idle |= ((u64{2} << ((1u << fabric_.shift) - 1)) - 1) << (p << fabric_.shift);
    }
    u32 output = now_ % node.ports;
    for (u32 i = 0; i < node.ports; ++i) {
      visit_output(node, output, idle);
      output = output + 1 == node.ports ? 0 : output + 1;
    }
  }

  BANYAN_KERNEL void visit_nic(u32 number) const {
    const ReplicaNode node = fabric_.node[number];
    for (u32 port = node.first_port; port < node.first_port + node.ports; ++port) {
      take_credit(port);
      if (const u32 lane = arrived(port); lane != 0) consume(number, port, lane - 1);
    }
    if (at<u32>(layout_.finish, number) == now_) finish_packet(number);
    u32& wake = at<u32>(layout_.wake, number);
    if (wake == waits_for_room || wake <= now_) send(number, node.first_port, wake);
  }

  // Wakes NICs that have never run.
  BANYAN_KERNEL void begin_nic(u32 number) const {
    const ReplicaNic& nic = nics_[number];
    at<u32>(layout_.wake, number) = nic.rate > 0 ? as_cycle(nic.pending) : never;
  }

  // What was counted until now, exclusively; counting starts again.
  BANYAN_KERNEL void tally_port(u32 port, u32& channel_flits) const {
    u32& flits = at<u32>(layout_.flits, port);
    const u32 rest = to_come(at<u32>(layout_.out_until, port));
    channel_flits = flits - rest;
    flits = rest;
  }
  BANYAN_KERNEL void tally_nic(u32 number, ReplicaTally& out) const {
    ReplicaNic& nic = nics_[number];
    const ReplicaNode node = fabric_.node[number];
    u64 flits = 0;
    for (u32 port = node.first_port; port < node.first_port + node.ports; ++port) {
      u32& consumed = at<u32>(layout_.consumed, port);
      const u32 rest = to_come(at<u32>(layout_.consuming, port));
      flits += consumed - rest;
      consumed = rest;
    }
    Block::add(out.flits, flits);
    Block::add(out.packets, nic.packets);
    Block::add(out.latencies, nic.latencies);
    Block::add(out.network_cycles, nic.network_cycles);
    Block::add(out.created, created_until_now(nic));
    Block::raise(out.last_message, nic.last_message);
    Block::raise(out.max_latency, nic.max_latency);
    nic.packets = nic.last_message = nic.max_latency = 0;
    nic.latencies = nic.network_cycles = 0;
  }

 private:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(state_ + array)[i];
  }
  BANYAN_KERNEL bool is_narrow() const { return fabric_.words == 1; }
  BANYAN_KERNEL u32 buffer_of(u32 port, u32 lane) const { return (port << fabric_.shift) + lane; }
  BANYAN_KERNEL ReplicaPacket& place(u32 buffer, u32 i) const {
    return packets_[u64{buffer} * fabric_.capacity + i];
  }
  BANYAN_KERNEL ReplicaPacket& front(u32 buffer) const { return place(buffer, at<u8>(layout_.head, buffer)); }
  BANYAN_KERNEL u64* candidates(u32 port) const { return &at<u64>(layout_.candidates, port * fabric_.words); }
  // Flits that were counted when their packet began, but come later.
  BANYAN_KERNEL u32 to_come(u32 until) const { return until > now_ ? until - now_ : 0; }
  static BANYAN_KERNEL u32 as_cycle(u64 time) {
    return time < waits_for_room ? static_cast<u32>(time) : never;
  }

  // --- what is due
  BANYAN_KERNEL u32 due(u32 array, u32 port, u32 ring) const {
    u8& word = at<u8>(array, port * ring + (now_ & (ring - 1)));
    const u32 out = word;
    if (out != 0) word = 0;
    return out;
  }
  BANYAN_KERNEL u32 arrived(u32 port) const { return due(layout_.arrivals, port, fabric_.flights); }
  BANYAN_KERNEL void take_credit(u32 port) const {
    const u32 lane = due(layout_.credits, port, fabric_.credit_flights);
    if (lane == 0) return;
    ++at<u8>(layout_.room, buffer_of(port, lane - 1));
    at<u16>(layout_.open, port) |= static_cast<u16>(1u << (lane - 1));
  }
  // Room for a packet in the buffer of a lane: the near end knows it when all its flits have left.
  BANYAN_KERNEL void give_credit(u32 port, u32 lane) const {
    const ReplicaPort& channel = fabric_.port[port];
    const u32 when = now_ + channel.latency + fabric_.packet_flits - 1;
    at<u8>(layout_.credits, channel.far * fabric_.credit_flights + (when & (fabric_.credit_flights - 1))) =
        static_cast<u8>(lane + 1);
  }
  BANYAN_KERNEL void enter_channel(u32 port, u32 lane, ReplicaPacket packet) const {
    const ReplicaPort& channel = fabric_.port[port];
    const u32 near = buffer_of(port, lane), far = buffer_of(channel.far, lane);
    if (--at<u8>(layout_.room, near) == 0) at<u16>(layout_.open, port) &= static_cast<u16>(~(1u << lane));
    u8& tail = at<u8>(layout_.tail, near);
    if (channel.far >= fabric_.nic_ports) packet.hop = fabric_.hop[++packet.way];
    place(far, tail) = packet;
    tail = tail + 1u == fabric_.capacity ? 0 : static_cast<u8>(tail + 1);
    const u32 when = now_ + channel.flight;
    at<u8>(layout_.arrivals, channel.far * fabric_.flights + (when & (fabric_.flights - 1))) =
        static_cast<u8>(lane + 1);
    at<u32>(layout_.out_until, port) = now_ + fabric_.packet_flits;
    at<u32>(layout_.flits, port) += fabric_.packet_flits;
  }
  // The front of a buffer has left it.
  BANYAN_KERNEL u32 pop(u32 buffer) const {
    u8& head = at<u8>(layout_.head, buffer);
    head = head + 1u == fabric_.capacity ? 0 : static_cast<u8>(head + 1);
    return --at<u8>(layout_.count, buffer);
  }
  BANYAN_KERNEL u32 next_lane(u32 port, u32 fit) const {
    u32& pointers = at<u32>(layout_.pointers, port);  // slot | lane << 16
    const u32 lane = lane_from(fit, pointers >> 16);
    pointers = (pointers & 0xFFFF) | (lane + 1) << 16;
    return lane;
  }

  // --- switches
  // The front of a buffer is a candidate for its output.
  BANYAN_KERNEL void show(const ReplicaNode& node, u32 p, u32 lane) const {
    const u32 buffer = buffer_of(node.first_port + p, lane), slot = (p << fabric_.shift) + lane;
    candidates(node.first_port + front(buffer).hop.port())[slot / 64] |= u64{1} << slot % 64;
  }
  BANYAN_KERNEL void join(const ReplicaNode& node, u32 p, u32 lane) const {
    if (at<u8>(layout_.count, buffer_of(node.first_port + p, lane))++ == 0) show(node, p, lane);
  }
  BANYAN_KERNEL void visit_output(const ReplicaNode& node, u32 output, u64& idle) const {
    const u32 port = node.first_port + output;
    if (at<u16>(layout_.open, port) == 0 || at<u32>(layout_.out_until, port) > now_) return;
    const u32 pointer = at<u32>(layout_.pointers, port) & 0xFFFF, start = pointer / 64;
    const u64 from = ~u64{0} << pointer % 64;
    const u64* mask = candidates(port);
    if (is_narrow()) {
      const u64 ready = mask[0] & idle;
      if (ready == 0 || take_first(node, output, 0, ready & from, idle)) return;
      take_first(node, output, 0, ready & ~from, idle);
      return;
    }
    if (take_first(node, output, start, mask[start] & from, idle)) return;
    for (u32 w = start + 1; w < fabric_.words; ++w)
      if (take_first(node, output, w, mask[w], idle)) return;
    for (u32 w = 0; w < start; ++w)
      if (take_first(node, output, w, mask[w], idle)) return;
    take_first(node, output, start, mask[start] & ~from, idle);
  }
  // The first of these slots whose packet can cross to the output, if there is one.
  BANYAN_KERNEL bool take_first(const ReplicaNode& node, u32 output, u32 word, u64 slots, u64& idle) const {
    for (; slots != 0; slots &= slots - 1)
      if (cross(node, output, word * 64 + first_bit_of(slots), idle)) return true;
    return false;
  }
  BANYAN_KERNEL bool cross(const ReplicaNode& node, u32 output, u32 slot, u64& idle) const {
    const u32 p = slot >> fabric_.shift, lane = slot & ((1u << fabric_.shift) - 1);
    const u32 in = node.first_port + p, out = node.first_port + output, buffer = buffer_of(in, lane);
    u32& in_until = at<u32>(layout_.in_until, in);
    if (in_until > now_) return false;
    const ReplicaPacket packet = front(buffer);
    const u32 fit = packet.hop.lanes() & at<u16>(layout_.open, out);
    if (fit == 0) return false;
    candidates(out)[slot / 64] &= ~(u64{1} << slot % 64);
    u32& pointers = at<u32>(layout_.pointers, out);
    pointers = (pointers & ~u32{0xFFFF}) | (slot + 1 == 64 * fabric_.words ? 0 : slot + 1);
    enter_channel(out, next_lane(out, fit), packet);
    in_until = now_ + fabric_.packet_flits;
    idle &= ~(((u64{2} << ((1u << fabric_.shift) - 1)) - 1) << (p << fabric_.shift) % 64);
    give_credit(in, lane);
    if (pop(buffer) > 0) show(node, p, lane);
    return true;
  }

  // --- NICs
  BANYAN_KERNEL void consume(u32 number, u32 port, u32 lane) const {
    ReplicaNic& nic = nics_[number];
    const u32 buffer = buffer_of(port, lane);
    const ReplicaPacket packet = front(buffer);
    ++at<u8>(layout_.count, buffer);
    pop(buffer);
    nic.consumed_created = packet.created;
    nic.consumed_entered = packet.entered;
    at<u32>(layout_.finish, number) = now_ + fabric_.packet_flits - 1;
    at<u32>(layout_.consuming, port) = now_ + fabric_.packet_flits;
    at<u32>(layout_.consumed, port) += fabric_.packet_flits;
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
    nic.last_message = now_;
  }
  // The next message comes to the front, unless one waits there; it leaves if a lane has room.
  BANYAN_KERNEL void send(u32 number, u32 first_port, u32& wake) const {
    ReplicaNic& nic = nics_[number];
    if (wake != waits_for_room) {
      nic.created = fabric_.arrivals == ReplicaFabric::back_to_back ? now_ : static_cast<u32>(nic.pending);
      nic.way = fabric_.first_hop[number * fabric_.nics + nic.pending_to];
      draw(nic);
      wake = waits_for_room;
    }
    const ReplicaHop hop = fabric_.hop[nic.way];
    const u32 port = first_port + hop.port(), fit = hop.lanes() & at<u16>(layout_.open, port);
    if (fit == 0) return;
    enter_channel(port, next_lane(port, fit), {nic.created, now_, nic.way, hop});
    const u32 free = now_ + fabric_.packet_flits, next = as_cycle(nic.pending);
    wake = next > free ? next : free;
  }

  // --- messages
  BANYAN_KERNEL void draw(ReplicaNic& nic) const {
    const auto random = [&] { return SplitMix::mixed(nic.random += SplitMix::step); };
    const auto unit = [&] { return static_cast<double>(static_cast<i64>(random() >> 11)) * 0x1.0p-53; };
    if (fabric_.arrivals != ReplicaFabric::back_to_back) {
      const double drawn = minus_log(1 - unit(), *fabric_.logarithms) * nic.scale;
      const bool by_cycles = fabric_.arrivals == ReplicaFabric::bernoulli;
      nic.time += by_cycles ? 1 + static_cast<double>(static_cast<i64>(drawn)) : drawn;
      nic.pending = static_cast<u64>(static_cast<i64>(nic.time)) - (by_cycles ? 1 : 0);
    }
    if (fabric_.ranks > 0) {
      const u32 other = static_cast<u32>((random() >> 32) * (fabric_.ranks - 1) >> 32);
      nic.pending_to = nic_of_rank_[other + (other >= nic.rank)];
    } else if (nic.last_target - nic.first_target == 1) {
      nic.pending_to = targets_[nic.first_target].nic;
    } else {
      nic.pending_to = targets_[target_at(nic, unit())].nic;
    }
    ++nic.drawn;
  }
  // The first target whose share ends above `x`, or the last.
  BANYAN_KERNEL u32 target_at(const ReplicaNic& nic, double x) const {
    u32 low = nic.first_target, high = nic.last_target - 1;
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      if (x < targets_[middle].until)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  // As Workload::created() counts.
  BANYAN_KERNEL u64 created_until_now(const ReplicaNic& nic) const {
    if (nic.rate <= 0 || fabric_.arrivals == ReplicaFabric::back_to_back) return 0;
    const u64 flits = u64{fabric_.packet_flits} * ReplicaTally::created_unit;
    if (nic.pending >= now_) return (nic.drawn - 1) * flits;
    const double late = static_cast<double>(now_ - nic.pending) * nic.rate *
                        static_cast<double>(fabric_.packet_flits) *
                        static_cast<double>(ReplicaTally::created_unit);
    return nic.drawn * flits + static_cast<u64>(late);
  }

  const ReplicaFabric& fabric_;
  const ReplicaLayout& layout_;
  u8* const state_;
  ReplicaNic* const nics_;
  ReplicaPacket* const packets_;
  const ReplicaTarget* const targets_;
  const u32* const nic_of_rank_;
  u32* const latency_;
  const u32 now_;
};

// A block simulates `count` replicas from `first` on, each for the cycles of its run. `fast` is memory of the
// block for the state of all of them; null: they stay where they are. A replica that has never run begins as
// `image`.
template <class Block>
BANYAN_KERNEL void run_replicas(const Block& block, const ReplicaFabric& fabric, const ReplicaLayout& layout,
                                const ReplicaMemory& memory, const ReplicaRun* runs, const u8* image,
                                u8* fast, u32 first, u32 count) {
  using Cycle = ReplicaCycle<Block>;
  const u32 words = layout.bytes / 4, nodes = fabric.switches * count, nics = fabric.nics * count;
  const auto saved = [&](u32 i) { return memory.state + u64{first + i} * layout.bytes; };
  const auto state = [&](u32 i) { return fast ? fast + i * layout.bytes : saved(i); };
  const auto copy = [&](u32 thread, const u8* from, u8* to) {
    for (u32 w = thread; w < words; w += block.threads())
      reinterpret_cast<u32*>(to)[w] = reinterpret_cast<const u32*>(from)[w];
  };
  const auto cycle = [&](u32 i, u32 now) { return Cycle(fabric, layout, memory, state(i), first + i, now); };
  u32 cycles = 0;
  for (u32 i = 0; i < count; ++i) cycles = runs[first + i].cycles > cycles ? runs[first + i].cycles : cycles;
  block.each_thread([&](u32 thread) {
    for (u32 i = 0; i < count; ++i) {
      const ReplicaRun& run = runs[first + i];
      if (run.cycles == 0) continue;
      if (run.first == 0)
        copy(thread, image, state(i));
      else if (fast)
        copy(thread, saved(i), state(i));
    }
  });
  block.each_thread([&](u32 thread) {
    for (u32 k = thread; k < nics; k += block.threads())
      if (const ReplicaRun& run = runs[first + k / fabric.nics]; run.first == 0 && run.cycles > 0)
        cycle(k / fabric.nics, 0).begin_nic(k % fabric.nics);
  });
  // NICs in warps of their own.
  const u32 first_nic = (nodes + lanes - 1) / lanes * lanes;
  for (u32 t = 0; t < cycles; ++t)
    block.each_thread([&](u32 thread) {
      for (u32 k = thread; k < first_nic + nics; k += block.threads()) {
        const bool is_nic = k >= first_nic;
        if (!is_nic && k >= nodes) continue;
        const u32 i = is_nic ? (k - first_nic) / fabric.nics : k / fabric.switches;
        const ReplicaRun& run = runs[first + i];
        if (t >= run.cycles) continue;
        if (is_nic)
          cycle(i, run.first + t).visit_nic((k - first_nic) % fabric.nics);
        else
          cycle(i, run.first + t).visit_switch(k % fabric.switches);
      }
    });
  block.each_thread([&](u32 thread) {
    for (u32 i = 0; i < count; ++i) {
      const ReplicaRun& run = runs[first + i];
      if (run.cycles == 0) continue;
      const Cycle end = cycle(i, run.first + run.cycles);
      for (u32 port = thread; port < fabric.ports; port += block.threads())
        end.tally_port(port, memory.channel_flits[u64{first + i} * fabric.ports + port]);
      for (u32 nic = thread; nic < fabric.nics; nic += block.threads())
        end.tally_nic(nic, memory.tally[first + i]);
    }
  });
  if (!fast) return;
  block.each_thread([&](u32 thread) {
    for (u32 i = 0; i < count; ++i)
      if (runs[first + i].cycles > 0) copy(thread, state(i), saved(i));
  });
}

}  // namespace banyan::gpu
