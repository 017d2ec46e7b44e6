// One network in time, by all warps of a device: what a block knows of its switches and NICs, and the words
// by which they tell others and are told. gpu/network_kernel.hpp says how warps go on.
#pragma once
#include "gpu/network_data.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// What a thread counted, whichever NICs it had.
struct NetworkCounts {
  u64 packets = 0, flits = 0, latencies = 0, network_cycles = 0, times = 0;  // as in ReplicaTally
  u32 max_latency = 0, last_message = 0;
};

// A switch or a group of NICs.
struct NetworkUnit {
  u32 first = 0, count = 0;  // ends
  u32 row = 0, subtree = 0;  // of a switch
  u32 local = 0;             // the first of its ports or NICs in the block's memory
  bool is_switch = false;
};

// What a warp keeps from cycle to cycle.
template <class Team, u32 parts>
struct NetworkThreads {
  template <class T>
  using PerThread = typename Team::template PerThread<T>;

  u32 visit = 0;                // its number, of all visits of the block's warps
  u32 cycle = 0, position = 0;  // of that visit; of the unit, among those of the block
  NetworkUnit unit{};           // there
  PerThread<NetworkEnd> end[parts];
  PerThread<u64> next[parts];  // a look at the words that this unit needs
  PerThread<NetworkCounts> counts;
};

// A warp's part of a block. A thread has ports t, t + 32, ... of a switch: `parts` of them. `keeps`: the
// block has the buffers of its switches.
template <class Team, u32 parts, bool keeps>
class NetworkState {
 public:
  template <class T>
  using PerThread = typename Team::template PerThread<T>;
  using Threads = NetworkThreads<Team, parts>;

  BANYAN_KERNEL NetworkState(const NetworkData& data, const NetworkLayout& layout,
                             const NetworkMemory& memory, const ReplicaRun& run, u8* fast, u32 block,
                             u32 warp)
      : data_(data),
        layout_(layout),
        memory_(memory),
        first_(run.first),
        end_(run.first + run.cycles),
        fast_(fast),
        block_(block),
        warp_(warp),
        switches_((data.fabric.switches - block + layout.blocks - 1) / layout.blocks),
        draws_(data.fabric, memory.target, 0) {}

 protected:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles

  // --- units, by their number in the block
  BANYAN_KERNEL u32 own_units() const {
    const u32 from = layout_.blocks - 1 - block_;
    return switches_ + (layout_.all_groups > from
                            ? (layout_.all_groups - from + layout_.blocks - 1) / layout_.blocks
                            : 0);
  }
  BANYAN_KERNEL NetworkUnit unit_at(u32 number) const {
    if (number < switches_) {
      const NetworkSwitch at = Team::constant(data_.at + block_ + number * layout_.blocks);
      return {at.first_end, at.ports, at.row, at.subtree, at.local, true};
    }
    const u32 group = number - switches_;
    const u32 first = (layout_.blocks - 1 - block_ + group * layout_.blocks) * lanes;
    const u32 left = data_.fabric.nics - first;
    return {first, left < lanes ? left : lanes, 0, 0, group * lanes, false};
  }

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(fast_ + array)[i];
  }
  // Of the warp's present switch.
  template <class T>
  BANYAN_KERNEL T* own(u32 array) const {
    return reinterpret_cast<T*>(fast_ + warp_ * layout_.of_warp + array);
  }
  BANYAN_KERNEL u32& nic_word(u32 nic, u32 word) const {
    return at<u32>(layout_.nic, word * layout_.groups * lanes + nic);
  }
  BANYAN_KERNEL NetworkNic load(u32 nic) const {
    const auto word = [&](u32 i) { return nic_word(nic, i); };
    return {word(0),
            word(1),
            word(2),
            word(3),
            word(4),
            word(5),
            word(6),
            word(7),
            at<u64>(layout_.random, nic),
            at<double>(layout_.time, nic)};
  }
  BANYAN_KERNEL void store(u32 nic, const NetworkNic& state) const {
    const u32 words[] = {state.created, state.wake,  state.to,     state.room,
                         state.lane,    state.until, state.credit, state.drawn};
    BANYAN_UNROLL
    for (u32 i = 0; i < NetworkNic::words; ++i) nic_word(nic, i) = words[i];
    at<u64>(layout_.random, nic) = state.random;
    at<double>(layout_.time, nic) = state.time;
  }

  // --- small things
  BANYAN_KERNEL u32 flits() const { return data_.fabric.packet_flits; }
  static BANYAN_KERNEL u32 byte(u32 word, u32 lane) { return word >> 8 * lane & 255u; }
  // Of a packet that keeps a channel busy, the flits that come behind the cycles before `now`.
  static BANYAN_KERNEL u32 to_come(u32 until, u32 now) { return until > now ? until - now : 0; }
  static BANYAN_KERNEL u32 as_cycle(u64 time) {
    return time < waits_for_room ? static_cast<u32>(time) : never;
  }
  // Buffers that are not in the block's memory are not read again soon.
  BANYAN_KERNEL u64 packet_at(const NetworkUnit& unit, u32 input, u32 lane, u32 place) const {
    u64* const found = place_of(unit, input, lane, place);
    return keeps ? *found : Team::read_once(found);
  }
  BANYAN_KERNEL void put_packet(const NetworkUnit& unit, u32 input, u32 lane, u32 place, u64 packet) const {
    u64* const found = place_of(unit, input, lane, place);
    if (keeps)
      *found = packet;
    else
      Team::write_once(found, packet);
  }
  BANYAN_KERNEL u64* place_of(const NetworkUnit& unit, u32 input, u32 lane, u32 place) const {
    u64* const all = keeps ? reinterpret_cast<u64*>(fast_ + layout_.buffers) : memory_.buffer;
    const u32 port = (keeps ? unit.local : unit.first) + input;
    return all + (port * data_.fabric.lanes + lane) * u64{data_.fabric.capacity} + place;
  }
  BANYAN_KERNEL u32 route_to(const NetworkUnit& unit, u32 to) const {
    return Team::constant(data_.route + u64{unit.row} * data_.fabric.nics + to);
  }
  static BANYAN_KERNEL u32 open_lanes(u32 room) {
    return u32{(room & 0xFF) != 0} | u32{(room & 0xFF00) != 0} << 1 | u32{(room & 0xFF0000) != 0} << 2 |
           u32{room >> 24 != 0} << 3;
  }
  BANYAN_KERNEL u32 full_room() const {
    u32 out = 0;
    for (u32 lane = 0; lane < data_.fabric.lanes; ++lane) out |= data_.fabric.capacity << 8 * lane;
    return out;
  }

  // --- words
  BANYAN_KERNEL u64* word_of(u32 end, u32 cycle) const {
    return memory_.word + u64{cycle & ((1u << data_.ring_bits) - 1)} * data_.ends + end;
  }
  BANYAN_KERNEL u32 round_of(u32 cycle) const { return cycle >> data_.ring_bits & 1u; }
  // Looks at the words that a unit will need; is_other: than the one before.
  BANYAN_KERNEL void look_ahead(const Team& team, Threads& threads, const NetworkUnit& unit, u32 cycle,
                                bool is_other) const {
    team.each([&](u32 t) {
      BANYAN_UNROLL
      for (u32 k = 0; is_other && k < parts; ++k) {
        const u32 port = t + k * lanes;
        NetworkEnd end{};
        if (port < unit.count) end = Team::constant(data_.end + unit.first + port);
        threads.end[k][t] = end;
      }
      BANYAN_UNROLL
      for (u32 k = 0; k < parts; ++k) {
        const u32 port = t + k * lanes;
        const NetworkEnd end = threads.end[k][t];
        threads.next[k][t] = ~u64{0};
        if (end.far != no_port && cycle >= end.wait())
          threads.next[k][t] = Team::look(word_of(unit.first + port, cycle - end.wait()));
      }
    });
  }
  // What the node at the other end said. Nothing: 0.
  BANYAN_KERNEL u64 received(const Threads& threads, const NetworkUnit& unit, u32 t, u32 k, u32 now) const {
    const NetworkEnd end = threads.end[k][t];
    const bool is_needed = end.far != no_port && now >= end.wait();
    return Team::awaited(is_needed, word_of(unit.first + t + k * lanes, now - end.wait()),
                         round_of(now - end.wait()), threads.next[k][t]);
  }
  BANYAN_KERNEL void say(u32 far, u64 word, u32 now) const {
    Team::say(word_of(far, now), word | round_of(now));
  }
  // A credit counts when all of it is there; the next one comes later than that.
  static BANYAN_KERNEL void take_credit(u32& room, u32& pending, u32 rest, u32 credit, u32 now) {
    if (credit != 0) pending = (now + rest) << NetworkBuffer::credit_cycle_at | credit;
    if (pending == 0 || pending >> NetworkBuffer::credit_cycle_at > now) return;
    room += 1u << 8 * ((pending & NetworkBuffer::lane_mask) - 1);
    pending = 0;
  }
  // A packet enters a channel, on the first lane with room from the one that is tried first; that is the next
  // one afterwards. Returns what to say.
  static BANYAN_KERNEL u64 enter_channel(u32& room, u32& first_lane, u64 packet) {
    const u32 lane = lane_from(open_lanes(room), first_lane);
    room -= 1u << 8 * lane;
    first_lane = lane + 1;
    return NetworkWord::packet(packet) | (lane + 1) << NetworkWord::lane_at;
  }

  const NetworkData& data_;
  const NetworkLayout& layout_;
  const NetworkMemory& memory_;
  const u32 first_, end_;
  u8* const fast_;
  const u32 block_, warp_;
  const u32 switches_;  // of the block
  const ReplicaDraws draws_;
};

}  // namespace banyan::gpu
