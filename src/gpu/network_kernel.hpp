// One network in time, by all blocks of a device: gpu/network_data.hpp says how they go on without meeting. A
// thread has a port of the block's switch, with the input and the output there, or a NIC. docs/simulator.md
// defines what happens; gpu/port_kernel.hpp does the same for many small networks.
//
// A switch visits its outputs one after another, and each takes the first of its candidates whose input no
// earlier output took. All inputs so prefer outputs in one order. Inputs ask all at once: each asks the
// output that it prefers, an output keeps the first of those that ask it, and who is not kept asks its next
// output. That comes to the same end (deferred acceptance; all inputs agree, so the stable matching is the
// only one).
//
// Team is a block whose threads meet (gpu/host_block.hpp, gpu/cuda/device_block.cuh):
//   team.each(f) calls f(thread) for all threads; a value of each is a Team::PerThread<T>. team.meet(): what
//   they wrote to the block's memory is seen by all of them afterwards. team.any(x) does so too.
//   Team::awaited(is_needed, word, round, found) is the word, once it is of that round of the ring; `found`
//   is what an earlier look found; all threads of a warp must ask.
#pragma once
#include "base/histogram_slots.hpp"
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
class NetworkBlock {
 public:
  template <class T>
  using PerThread = typename Team::template PerThread<T>;
  using Threads = NetworkThreads<Team>;

  BANYAN_KERNEL NetworkBlock(const NetworkData& data, const NetworkLayout& layout,
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

  // Before the first cycle of a run.
  BANYAN_KERNEL void begin(const Team& team, Threads& threads) const {
    copy(team, fast_, saved());
    team.meet();
    each_unit([&](const Unit& unit) {
      team.each([&](u32 t) {
        if (!has(unit, t)) return;
        NetworkNic state = load(unit, t);
        if (unit.is_switch)
          begin_port(unit, t, state.port);
        else
          begin_nic(unit, t, state, threads.counts[t]);
        memory_.results.channel_flits[unit.first + t] = to_come(state.port.busy & 0xFFFF);
        state.port.entered = 0;
        store(unit, t, state);
        threads.state[t] = state;
      });
    });
    if constexpr (has_one)
      each_unit([&](const Unit& unit) {
        team.each([&](u32 t) {
          const NetworkEnd end = has(unit, t) ? data_.end[unit.first + t] : NetworkEnd{};
          threads.end[t] = end;
          threads.next[t] =
              has(unit, t) && first_ >= end.wait ? Team::look(word_of(unit.first + t, first_ - end.wait)) : 0;
        });
      });
    team.meet();
  }

  BANYAN_KERNEL void cycle(const Team& team, Threads& threads, u32 now) const {
    each_unit([&](const Unit& unit) {
      if (unit.is_switch)
        visit_switch(team, threads, unit, now);
      else
        visit_nics(team, threads, unit, now);
    });
  }

  // Behind the last cycle of a run.
  BANYAN_KERNEL void end(const Team& team, Threads& threads) const {
    each_unit([&](const Unit& unit) {
      team.each([&](u32 t) {
        if (!has(unit, t)) return;
        NetworkNic state = has_one ? threads.state[t] : load(unit, t);
        memory_.results.channel_flits[unit.first + t] +=
            state.port.entered * flits() - to_come(state.port.busy & 0xFFFF);
        if (!unit.is_switch) end_nic(unit.first + t, state, threads.counts[t]);
        if (has_one) store(unit, t, state);
      });
    });
    team.each([&](u32 t) {
      const NetworkCounts& counts = threads.counts[t];
      ReplicaTally& out = memory_.results.tally[0];
      Team::add(out.packets, counts.packets);
      Team::add(out.flits, counts.flits);
      Team::add(out.latencies, counts.latencies);
      Team::add(out.network_cycles, counts.network_cycles);
      Team::raise(out.max_latency, u64{counts.max_latency});
      Team::raise(out.last_message, u64{counts.last_message});
    });
    team.meet();
    copy(team, saved(), fast_);
  }

 private:
  static constexpr u32 never = ~u32{0}, waits_for_room = never - 1;  // in place of cycles
  static constexpr u32 not_ready = NetworkPort::slot_mask;           // in place of a slot
  static constexpr u32 no_output = 255;

  // A switch or a group of NICs.
  struct Unit {
    u32 first, count;  // ends
    u32 row, subtree;  // of a switch
    u32 local;         // the first of its ports or NICs in the block's memory
    bool is_switch;
  };
  // What an input asks for.
  struct Request {
    u32 tried = 0;  // lanes whose outputs were asked
    u32 key = 0, output = no_output, lane = 0;
    bool asks = false;
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

  // --- switches
  BANYAN_KERNEL void begin_port(const Unit& unit, u32 thread, NetworkPort& port) const {
    if (first_ > 0) return;
    port = NetworkPort{};
    if (data_.end[unit.first + thread].far != no_port) port.room = full_room();
  }
  BANYAN_KERNEL u32 full_room() const {
    u32 out = 0;
    for (u32 lane = 0; lane < data_.fabric.lanes; ++lane) out |= data_.fabric.capacity << 8 * lane;
    return out;
  }

  BANYAN_KERNEL void visit_switch(const Team& team, Threads& threads, const Unit& unit, u32 now) const {
    PerThread<Request> request;
    PerThread<NetworkNic> loaded;
    PerThread<bool> asks;
    const u32 start = now % unit.count;
    u32* const outputs = &at<u32>(layout_.outputs, 0);
    u32* const best = &at<u32>(layout_.best, 0);
    const auto end_of = [&](u32 t) {
      return has_one        ? threads.end[t]
             : has(unit, t) ? Team::constant(data_.end + unit.first + t)
                            : NetworkEnd{};
    };
    const auto port_of = [&](u32 t) -> NetworkPort& {
      return has_one ? threads.state[t].port : loaded[t].port;
    };
    team.each([&](u32 t) {
      const NetworkEnd end = end_of(t);
      const u64 word = received(unit, end, t, threads.next[t], now);
      request[t] = {};
      asks[t] = false;
      if (!has(unit, t)) return;
      if (!has_one) loaded[t] = load(unit, t);
      NetworkPort& port = port_of(t);
      arrive(unit, end, t, word, port);
      const bool is_ready = port.room != 0 && (port.busy & 0xFFFF) == 0;
      outputs[t] = is_ready ? port.pointers & NetworkPort::slot_mask : not_ready;
      best[t] = never;
      asks[t] = request[t].asks = port.front != never && port.busy >> 16 == 0;
    });
    bool goes_on = team.any(asks);
    const bool crosses = goes_on;
    while (goes_on) {
      team.each([&](u32 t) {
        if (request[t].asks) ask(request[t], port_of(t).front, t, start, unit.count, outputs, best);
      });
      team.meet();
      team.each([&](u32 t) {
        Request& own = request[t];
        if (own.output != no_output && best[own.output] != own.key) {
          own.output = no_output;
          own.asks = true;
        }
        asks[t] = own.asks;
      });
      goes_on = team.any(asks);
    }
    team.each([&](u32 t) {
      if (!has(unit, t)) return;
      NetworkPort& port = port_of(t);
      const NetworkEnd end = end_of(t);
      u64 said = request[t].output != no_output ? (request[t].lane + 1) << NetworkWord::credit_at : 0;
      if (crosses && best[t] != never) said |= taken(unit, port, best[t]);
      if (end.far != no_port) say(end, said, now);
    });
    if (crosses) team.meet();
    team.each([&](u32 t) {
      if (!has(unit, t)) return;
      if (request[t].output != no_output) leave(unit, t, request[t].lane, port_of(t));
      if (!has_one) store(unit, t, loaded[t]);
    });
  }

  BANYAN_KERNEL void arrive(const Unit& unit, const NetworkEnd& end, u32 thread, u64 word,
                            NetworkPort& port) const {
    pass_cycle(port);
    take_credit(port, end, NetworkWord::credit(word));
    const u32 arrived = NetworkWord::lane(word);
    if (arrived != 0) {
      const u32 lane = arrived - 1, before = byte(port.fill, lane);
      if (before == 0) {
        front(unit, thread, lane) = word;
      } else {
        u32 place = byte(port.head, lane) + before - 1;
        if (place >= data_.places) place -= data_.places;
        waiting(unit.first + thread, lane, place) = word;
      }
      port.fill += 1u << 8 * lane;
      port.due |= arrived << 4 * end.packet_rest;
    }
    const u32 visible = port.due & 15;
    port.due >>= 4;
    if (visible == 0 || byte(port.front, visible - 1) != NetworkPort::none) return;
    show(unit, port, visible - 1,
         visible == arrived && end.packet_rest == 0 ? word : front(unit, thread, visible - 1));
  }
  // The front of a lane's buffer is visible.
  BANYAN_KERNEL void show(const Unit& unit, NetworkPort& port, u32 lane, u64 packet) const {
    port.front ^= (NetworkPort::none ^ next_port(unit, packet)) << 8 * lane;
  }

  // The output that is visited first of those that an input has not asked, and the lanes whose fronts want
  // it.
  struct Wish {
    u32 output = no_output, lanes = 0;
  };
  static BANYAN_KERNEL Wish next_wish(u32 fronts, u32 tried, u32 start, u32 ports) {
    u32 first = no_output;
    Wish out;
    BANYAN_UNROLL
    for (u32 lane = 0; lane < NetworkData::max_lanes; ++lane) {
      const u32 output = byte(fronts, lane);
      if (output == NetworkPort::none || (tried >> lane & 1) != 0) continue;
      const u32 rank = output >= start ? output - start : output + ports - start;
      if (rank > first) continue;
      out.lanes = (rank < first ? 0 : out.lanes) | 1u << lane;
      out.output = output;
      first = rank;
    }
    return out;
  }
  // An input asks one output after another until one keeps it for now. An output that keeps another with a
  // smaller key will not change its mind.
  static BANYAN_KERNEL void ask(Request& own, u32 fronts, u32 input, u32 start, u32 ports, const u32* outputs,
                                u32* best) {
    own.asks = false;
    for (;;) {
      const Wish wish = next_wish(fronts, own.tried, start, ports);
      if (wish.lanes == 0) return;
      own.tried |= wish.lanes;
      const u32 slot = outputs[wish.output];
      if (slot == not_ready) continue;
      const u32 lane = lane_from(wish.lanes, slot / 4 == input ? slot % 4 : 0), mine = 4 * input + lane;
      const u32 key = mine >= slot ? mine - slot : mine + 4 * ports - slot;
      if (best[wish.output] <= key) continue;
      Team::lower(best[wish.output], key);
      own.key = key;
      own.output = wish.output;
      own.lane = lane;
      return;
    }
  }

  // The packet that an output takes enters its channel.
  BANYAN_KERNEL u64 taken(const Unit& unit, NetworkPort& port, u32 key) const {
    u32 slot = (port.pointers & NetworkPort::slot_mask) + key;
    if (slot >= 4 * unit.count) slot -= 4 * unit.count;
    const u32 next = slot + 1 == 4 * unit.count ? 0 : slot + 1;
    port.pointers = (port.pointers & ~NetworkPort::slot_mask) | next;
    return enter_channel(port, front(unit, slot / 4, slot % 4));
  }
  // The front of an input's lane has left.
  BANYAN_KERNEL void leave(const Unit& unit, u32 thread, u32 lane, NetworkPort& port) const {
    port.fill -= 1u << 8 * lane;
    port.front |= NetworkPort::none << 8 * lane;
    port.busy = (port.busy & 0xFFFF) | flits() << 16;
    const u32 left = byte(port.fill, lane);
    if (left == 0) return;
    const u32 place = byte(port.head, lane), next = place + 1 == data_.places ? 0 : place + 1;
    const u64 packet = waiting(unit.first + thread, lane, place);
    front(unit, thread, lane) = packet;
    port.head ^= (place ^ next) << 8 * lane;
    u32 invisible = 0;
    for (u32 due = port.due; due != 0; due >>= 4) invisible += (due & 15) == lane + 1;
    if (left > invisible) show(unit, port, lane, packet);
  }

  // --- NICs
  BANYAN_KERNEL void begin_nic(const Unit& unit, u32 thread, NetworkNic& nic, NetworkCounts& counts) const {
    const ReplicaNic& known = memory_.nic[unit.first + thread];
    if (first_ == 0) {
      nic = {};
      nic.random = known.random;
      nic.time = known.time;
      nic.to() = known.pending_to;
      nic.created() = as_cycle(known.pending);
      nic.wake() = known.rate > 0 ? as_cycle(known.pending) : never;
      nic.drawn() = 1;
      nic.port.room = data_.end[unit.first + thread].far != no_port ? full_room() : 0;
    }
    // What it began to consume in the run before may end in this one.
    if (known.consumed == 0) return;
    counts.flits += known.consumed;
    ++counts.packets;
    if (known.consuming <= end_)
      count(counts, known.consumed_created, known.consumed_entered, known.consuming - 1);
  }

  BANYAN_KERNEL void visit_nics(const Team& team, Threads& threads, const Unit& unit, u32 now) const {
    team.each([&](u32 t) {
      const NetworkEnd end = has_one        ? threads.end[t]
                             : has(unit, t) ? Team::constant(data_.end + unit.first + t)
                                            : NetworkEnd{};
      const u64 word = received(unit, end, t, threads.next[t], now);
      if (!has(unit, t) || end.far == no_port) return;
      NetworkNic loaded;
      if (!has_one) loaded = load(unit, t);
      NetworkNic& nic = has_one ? threads.state[t] : loaded;
      pass_cycle(nic.port);
      take_credit(nic.port, end, NetworkWord::credit(word));
      u64 said = 0;
      const u32 arrived = NetworkWord::lane(word);
      if (arrived != 0) {
        said = arrived << NetworkWord::credit_at;
        consume(unit.first + t, word, threads.counts[t], now);
      }
      const bool is_time = nic.wake() == waits_for_room || nic.wake() <= now;
      if (is_time && nic.wake() != waits_for_room && data_.fabric.arrivals == ReplicaFabric::back_to_back)
        nic.created() = now;
      const bool sends = is_time && nic.port.room != 0;
      if (is_time) nic.wake() = waits_for_room;
      if (sends) said |= enter_channel(nic.port, NetworkWord::of(data_, nic.to(), nic.created(), now));
      say(end, said, now);
      if (sends) draw_next(unit.first + t, nic, now + flits());
      if (!has_one) store(unit, t, loaded);
    });
  }
  BANYAN_KERNEL void consume(u32 number, u64 packet, NetworkCounts& counts, u32 now) const {
    ++counts.packets;
    counts.flits += flits();
    const u32 created = NetworkWord::created(data_, packet), entered = NetworkWord::entered(data_, packet);
    const u32 done = now + flits() - 1;
    if (done < end_) return count(counts, created, entered, done);
    ReplicaNic& nic = memory_.nic[number];
    nic.consumed_created = created;
    nic.consumed_entered = entered;
    nic.consuming = done + 1;
  }
  BANYAN_KERNEL void count(NetworkCounts& counts, u32 created, u32 entered, u32 done) const {
    const u32 latency = done - created;
    Team::add(memory_.results.latency[histogram_slot(latency)], u32{1});
    counts.latencies += latency;
    counts.network_cycles += done - entered;
    if (latency > counts.max_latency) counts.max_latency = latency;
    if (done > counts.last_message) counts.last_message = done;
  }
  // The next message, which waits at least until `free`.
  BANYAN_KERNEL void draw_next(u32 number, NetworkNic& nic, u32 free) const {
    ReplicaNic drawn = memory_.nic[number];
    drawn.random = nic.random;
    drawn.time = nic.time;
    draws_.draw(drawn);
    nic.random = drawn.random;
    nic.time = drawn.time;
    nic.to() = drawn.pending_to;
    ++nic.drawn();
    const u32 next = as_cycle(drawn.pending);
    nic.created() = next;
    nic.wake() = next > free ? next : free;
  }
  BANYAN_KERNEL void end_nic(u32 number, NetworkNic& nic, NetworkCounts& counts) const {
    ReplicaNic& known = memory_.nic[number];
    const u32 rest = known.consuming > end_ ? known.consuming - end_ : 0;
    counts.packets -= rest > 0;
    counts.flits -= rest;
    known.consumed = rest;
    const bool is_at_front = nic.wake() == waits_for_room;
    memory_.results.waits_since[number] = is_at_front ? nic.created() : no_message;
    ReplicaNic next = known;
    next.random = nic.random;
    next.time = nic.time;
    next.drawn = nic.drawn();
    next.pending = draws_.pending(next);
    if (is_at_front) draws_.draw(next);  // what is behind it, to be counted
    Team::add(memory_.results.tally[0].created, draws_.created_until(next, end_));
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
