// One network in time, by all blocks of a device: what a block knows of its switches and NICs, and the words
// by which it tells others and is told. gpu/network_kernel.hpp says how blocks go on.
#pragma once
#include "gpu/network_data.hpp"
#include "gpu/replica_draws.hpp"

namespace banyan::gpu {

// What a thread counted, whichever NICs it had.
struct NetworkCounts {
  u64 packets = 0, flits = 0, latencies = 0, network_cycles = 0;
  u32 max_latency = 0, last_message = 0;
};

// What threads keep from cycle to cycle.
template <class Team>
struct NetworkThreads {
  template <class T>
  using PerThread = typename Team::template PerThread<T>;

  PerThread<u64> next;  // a look at the word that is needed next
  PerThread<NetworkEnd> end;
  PerThread<NetworkNic> state;  // of a block with one unit
  PerThread<NetworkCounts> counts;
};

// A block. `has_one`: the layout says that it has one switch, or one group of NICs.
template <class Team, bool has_one>
class NetworkState {
 public:
  template <class T>
  using PerThread = typename Team::template PerThread<T>;
  using Threads = NetworkThreads<Team>;

  BANYAN_KERNEL NetworkState(const NetworkData& data, const NetworkLayout& layout,
                             const NetworkMemory& memory, const ReplicaRun& run, u8* fast, u32 number)
      : data_(data),
        layout_(layout),
        memory_(memory),
        first_(run.first),
        end_(run.first + run.cycles),
        fast_(fast),
        number_(number),
        fronts_(layout.has_fronts ? reinterpret_cast<u64*>(fast + layout.fronts) : memory.front),
        draws_(data.fabric, memory.target, 0) {}

 protected:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles

  // A switch or a group of NICs.
  struct Unit {
    u32 first, count;  // ends
    u32 row, subtree;  // of a switch
    u32 local;         // the first of its ports or NICs in the block's memory
    bool is_switch;
  };

  // --- the state of the block between two runs; where it does not fit into fast memory, at all times
  BANYAN_KERNEL u8* saved() const { return memory_.state + u64{number_} * layout_.bytes; }
  BANYAN_KERNEL void copy(const Team& team, u8* to, const u8* from) const {
    if (to == from) return;
    team.each([&](u32 t) {
      for (u32 w = t; w < layout_.bytes / 4; w += layout_.threads)
        reinterpret_cast<AnyU32*>(to)[w] = reinterpret_cast<const AnyU32*>(from)[w];
    });
  }

  // --- units
  template <class F>
  BANYAN_KERNEL void each_unit(F&& f) const {
    u32 local = 0;
    for (u32 i = number_; i < data_.fabric.switches; i += layout_.blocks, local += layout_.threads) {
      const NetworkSwitch at = data_.at[i];
      f(Unit{at.first_end, at.ports, at.row, at.subtree, local, true});
    }
    local = layout_.switches * layout_.threads;
    for (u32 i = layout_.blocks - 1 - number_; i < layout_.all_groups;
         i += layout_.blocks, local += layout_.threads) {
      const u32 first = i * layout_.threads, left = data_.fabric.nics - first;
      f(Unit{first, left < layout_.threads ? left : layout_.threads, 0, 0, local, false});
    }
  }
  BANYAN_KERNEL bool has(const Unit& unit, u32 thread) const { return thread < unit.count; }

  template <class T>
  BANYAN_KERNEL T& at(u32 array, u32 i) const {
    return reinterpret_cast<T*>(fast_ + array)[i];
  }
  BANYAN_KERNEL u32& state_word(const Unit& unit, u32 thread, u32 word) const {
    return at<u32>(layout_.state, word * layout_.units() * layout_.threads + unit.local + thread);
  }
  BANYAN_KERNEL NetworkNic load(const Unit& unit, u32 thread) const {
    const auto word = [&](u32 i) { return state_word(unit, thread, i); };
    NetworkNic out{{word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)}};
    if (unit.is_switch) return out;
    const u32 nic = unit.local - layout_.switches * layout_.threads + thread;
    out.random = at<u64>(layout_.random, nic);
    out.time = at<double>(layout_.time, nic);
    return out;
  }
  BANYAN_KERNEL void store(const Unit& unit, u32 thread, const NetworkNic& state) const {
    const NetworkPort& port = state.port;
    const u32 words[] = {port.front,    port.fill, port.head,    port.room,
                         port.pointers, port.busy, port.entered, port.due};
    BANYAN_UNROLL
    for (u32 i = 0; i < NetworkPort::words; ++i) state_word(unit, thread, i) = words[i];
    if (unit.is_switch) return;
    const u32 nic = unit.local - layout_.switches * layout_.threads + thread;
    at<u64>(layout_.random, nic) = state.random;
    at<double>(layout_.time, nic) = state.time;
  }

  // What is known of the cable of a thread.
  BANYAN_KERNEL NetworkEnd end_of(const Threads& threads, const Unit& unit, u32 thread) const {
    return has_one             ? threads.end[thread]
           : has(unit, thread) ? Team::constant(data_.end + unit.first + thread)
                               : NetworkEnd{};
  }

  // --- small things
  BANYAN_KERNEL u32 flits() const { return data_.fabric.packet_flits; }
  static BANYAN_KERNEL u32 byte(u32 word, u32 lane) { return word >> 8 * lane & 255u; }
  // Of a packet that keeps a channel busy, the flits that come behind this cycle.
  static BANYAN_KERNEL u32 to_come(u32 busy) { return busy > 0 ? busy - 1 : 0; }
  static BANYAN_KERNEL u32 as_cycle(u64 time) {
    return time < waits_for_room ? static_cast<u32>(time) : never;
  }
  BANYAN_KERNEL u64& front(const Unit& unit, u32 input, u32 lane) const {
    const u64 first = layout_.has_fronts ? unit.local : unit.first;
    return fronts_[(first + input) * NetworkData::max_lanes + lane];
  }
  BANYAN_KERNEL u64& waiting(u32 end, u32 lane, u32 place) const {
    return memory_.waiting[(u64{end} * data_.fabric.lanes + lane) * data_.places + place];
  }
  BANYAN_KERNEL u32 next_port(const Unit& unit, u64 packet) const {
    const u32 route =
        Team::constant(data_.route + u64{unit.row} * data_.fabric.nics + NetworkWord::to(data_, packet));
    return NetworkRoute::port(route, unit.subtree);
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
  // What the node at the other end said. Nothing: 0.
  BANYAN_KERNEL u64 received(const Unit& unit, const NetworkEnd& end, u32 thread, u64& next, u32 now) const {
    const bool is_needed = has(unit, thread) && end.far != no_port && now >= end.wait;
    const u64 out = Team::awaited(is_needed, word_of(unit.first + thread, now - end.wait),
                                  round_of(now - end.wait), has_one ? next : ~u64{round_of(now - end.wait)});
    if (has_one && has(unit, thread) && end.far != no_port && now + 1 >= end.wait)
      next = Team::look(word_of(unit.first + thread, now + 1 - end.wait));
    return out;
  }
  BANYAN_KERNEL void say(const NetworkEnd& end, u64 word, u32 now) const {
    Team::say(word_of(end.far, now), word | round_of(now));
  }
  // A credit counts when all of it is there; the next one comes later than that.
  BANYAN_KERNEL void take_credit(NetworkPort& port, const NetworkEnd& end, u32 credit) const {
    constexpr u32 low = (1u << NetworkPort::credit_at) - 1;
    if (credit != 0)
      port.pointers =
          (port.pointers & low) | credit << NetworkPort::credit_at | end.credit_rest << NetworkPort::rest_at;
    const u32 lane = port.pointers >> NetworkPort::credit_at & NetworkPort::lane_mask;
    if (lane == 0) return;
    if (port.pointers >> NetworkPort::rest_at == 0) {
      port.room += 1u << 8 * (lane - 1);
      port.pointers &= low;
    } else {
      port.pointers -= 1u << NetworkPort::rest_at;
    }
  }
  static BANYAN_KERNEL void pass_cycle(NetworkPort& port) {
    if ((port.busy & 0xFFFF) != 0) port.busy -= 1;
    if (port.busy >> 16 != 0) port.busy -= 1u << 16;
  }
  // A packet enters the channel; returns what to say.
  BANYAN_KERNEL u64 enter_channel(NetworkPort& port, u64 packet) const {
    const u32 lane =
        lane_from(open_lanes(port.room), port.pointers >> NetworkPort::lane_at & NetworkPort::lane_mask);
    port.room -= 1u << 8 * lane;
    port.pointers = (port.pointers & ~(NetworkPort::lane_mask << NetworkPort::lane_at)) |
                    (lane + 1) << NetworkPort::lane_at;
    port.busy = (port.busy & ~0xFFFFu) | flits();
    ++port.entered;
    return NetworkWord::packet(packet) | (lane + 1) << NetworkWord::lane_at;
  }

  const NetworkData& data_;
  const NetworkLayout& layout_;
  const NetworkMemory& memory_;
  const u32 first_, end_;
  u8* const fast_;
  const u32 number_;
  u64* const fronts_;
  const ReplicaDraws draws_;
};

}  // namespace banyan::gpu
