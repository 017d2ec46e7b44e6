// The NICs of a block, beside its switches: they create messages, send and consume packets. See
// gpu/network_kernel.hpp.
#pragma once
#include "base/histogram_slots.hpp"
#include "gpu/network_ports.hpp"

namespace banyan::gpu {

template <class Team, u32 parts, bool keeps>
class NetworkNics : public NetworkPorts<Team, parts, keeps> {
 protected:
  using Ports = NetworkPorts<Team, parts, keeps>;
  using Ports::Ports;
  using typename Ports::Threads;

  // Before the first cycle of a run.
  BANYAN_KERNEL void begin_nic(const NetworkUnit& unit, u32 thread, NetworkCounts& counts) const {
    const u32 number = unit.first + thread;
    const ReplicaNic& known = memory_.nic[number];
    NetworkNic nic;
    if (first_ > 0) {
      nic = load(unit.local + thread);
    } else {
      nic.random = known.random;
      nic.time = known.time;
      nic.to = known.pending_to;
      nic.created = as_cycle(known.pending);
      nic.wake = known.rate > 0 ? as_cycle(known.pending) : never;
      nic.drawn = 1;
      nic.room = data_.end[number].far != no_port ? full_room() : 0;
    }
    store(unit.local + thread, nic);
    memory_.results.channel_flits[number] = to_come(nic.until, first_) - nic.drawn * flits();
    Team::add(memory_.results.tally[0].entered, 0 - u64{nic.drawn});
    // What it began to consume in the run before may end in this one.
    if (known.consumed == 0) return;
    counts.flits += known.consumed;
    ++counts.packets;
    if (known.consuming <= end_)
      count(counts, known.consumed_created, known.consumed_entered, known.consuming - 1);
  }

  // A cycle; `look` at what comes next while there is time.
  template <class Look>
  BANYAN_KERNEL void visit_nics(const Team& team, Threads& threads, u32 now, Look&& look) const {
    const NetworkUnit unit = threads.unit;
    typename Ports::template PerThread<bool> sends;
    team.each([&](u32 t) {
      sends[t] = false;
      const u64 word = received(threads, unit, t, 0, now);
      const NetworkEnd end = threads.end[0][t];
      if (end.far == no_port) return;
      const u32 i = unit.local + t;
      u32& wake = nic_word(i, wake_word);
      take_credit(nic_word(i, room_word), nic_word(i, credit_word), end.credit_rest(),
                  NetworkWord::credit(word), now);
      u64 said = 0;
      const u32 arrived = NetworkWord::lane(word);
      if (arrived != 0) {
        said = arrived << NetworkWord::credit_at;
        consume(unit.first + t, word, threads.counts[t], now);
      }
      const bool is_time = wake == waits_for_room || wake <= now;
      if (is_time && wake != waits_for_room && data_.fabric.arrivals == ReplicaFabric::back_to_back)
        nic_word(i, created_word) = now;
      sends[t] = is_time && nic_word(i, room_word) != 0;
      if (is_time) wake = waits_for_room;
      if (sends[t])
        said |= enter_channel(nic_word(i, room_word), nic_word(i, lane_word),
                              NetworkWord::of(data_, nic_word(i, to_word), nic_word(i, created_word), now));
      say(end.far, said, now);
    });
    look();
    team.each([&](u32 t) {
      if (!sends[t]) return;
      threads.counts[t].times -= now;
      NetworkNic nic = load(unit.local + t);
      nic.until = now + flits();
      draw_next(unit.first + t, nic, now + flits());
      store(unit.local + t, nic);
    });
  }
  // Behind the last cycle of a run.
  BANYAN_KERNEL void end_nic(const NetworkUnit& unit, u32 thread, NetworkCounts& counts) const {
    const u32 number = unit.first + thread;
    const NetworkNic nic = load(unit.local + thread);
    memory_.results.channel_flits[number] += nic.drawn * flits() - to_come(nic.until, end_);
    Team::add(memory_.results.tally[0].entered, u64{nic.drawn});
    ReplicaNic& known = memory_.nic[number];
    const u32 rest = known.consuming > end_ ? known.consuming - end_ : 0;
    counts.packets -= rest > 0;
    counts.flits -= rest;
    known.consumed = rest;
    const bool is_at_front = nic.wake == waits_for_room;
    memory_.results.waits_since[number] = is_at_front ? nic.created : no_message;
    ReplicaNic next = known;
    next.random = nic.random;
    next.time = nic.time;
    next.drawn = nic.drawn;
    next.pending = draws_.pending(next);
    if (is_at_front) draws_.draw(next);  // what is behind it, to be counted
    Team::add(memory_.results.tally[0].created, draws_.created_until(next, end_));
  }

 private:
  static constexpr u32 created_word = 0, wake_word = 1, to_word = 2, room_word = 3, lane_word = 4,
                       credit_word = 6;  // of NetworkNic

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
    counts.times += done;
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
    nic.to = drawn.pending_to;
    ++nic.drawn;
    const u32 next = as_cycle(drawn.pending);
    nic.created = next;
    nic.wake = next > free ? next : free;
  }

 protected:
  using Ports::as_cycle;
  using Ports::data_;
  using Ports::draws_;
  using Ports::end_;
  using Ports::enter_channel;
  using Ports::first_;
  using Ports::flits;
  using Ports::full_room;
  using Ports::load;
  using Ports::memory_;
  using Ports::never;
  using Ports::nic_word;
  using Ports::received;
  using Ports::say;
  using Ports::store;
  using Ports::take_credit;
  using Ports::to_come;
  using Ports::waits_for_room;
};

}  // namespace banyan::gpu
