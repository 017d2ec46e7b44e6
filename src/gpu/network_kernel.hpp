// One network in time, by all warps of a device: gpu/network_data.hpp says how they go on without meeting. A
// warp visits the switches and groups of NICs that it has, one after another; a thread has a port or a few of
// the switch, with the inputs and the outputs there, or a NIC. docs/simulator.md defines what happens;
// gpu/port_kernel.hpp does the same for many small networks.
//
// Team is a warp (gpu/host_block.hpp, gpu/cuda/device_block.cuh):
//   team.each(f) calls f(thread) for all 32 threads; a value of each is a Team::PerThread<T>. team.meet():
//   what they wrote to the block's memory is seen by all of them afterwards. team.any(x), team.ballot(x): of
//   their values.
//   team.take(word) adds 1 to a word of the block, and is what it was. team.tell(word, x): others that read x
//   there, as they do behind Team::await(word, x), see all that these threads wrote before.
//   Team::awaited(is_needed, word, round, found) is the word, once it is of that round of the ring; `found`
//   is what an earlier look found; all threads must ask.
#pragma once
#include "gpu/network_nics.hpp"

namespace banyan::gpu {

// A warp of a block: its state (gpu/network_state.hpp), its switches, and its NICs.
template <class Team, u32 parts, bool keeps>
class NetworkWarp : private NetworkNics<Team, parts, keeps> {
 public:
  using Nics = NetworkNics<Team, parts, keeps>;
  using Nics::Nics;
  using typename Nics::Threads;

  // Before the first cycle of a run; the state of the block between two runs is where it should be.
  BANYAN_KERNEL void begin(const Team& team, Threads& threads) const {
    each_unit([&](const NetworkUnit& unit) {
      team.each([&](u32 t) {
        for (u32 i = t; i < unit.count; i += lanes)
          if (unit.is_switch)
            begin_port(unit, i);
          else
            begin_nic(unit, i, threads.counts[t]);
      });
    });
    for (u32 i = warp_; i < own_units(); i += layout_.warps)
      team.each([&](u32 t) {
        if (t == 0) done(i) = first_;
        if (t == 0) start(i) = first_ % unit_at(i).count;
        if (t == 0 && i == 0) ticket() = layout_.warps;
      });
    team.meet();
    threads.visit = threads.position = warp_;
    threads.cycle = warp_ < own_units() ? first_ : never;
    if (threads.cycle == never) return;
    threads.unit = unit_at(warp_);
    look_ahead(team, threads, threads.unit, first_, true);
  }

  // Visits of all cycles before `until`. All warps have begun.
  BANYAN_KERNEL void advance(const Team& team, Threads& threads, u32 until) const {
    const u32 units = own_units();
    const bool take_turns = units > layout_.warps;
    while (threads.cycle < until) {
      const u32 now = threads.cycle, position = threads.position;
      if (take_turns)
        take_visit(team, threads, units);
      else
        ++threads.cycle;
      const NetworkUnit following = take_turns ? unit_at(threads.position) : threads.unit;
      const auto look = [&] { look_ahead(team, threads, following, threads.cycle, take_turns); };
      if (take_turns) Team::await(done(position), now);
      if (threads.unit.is_switch)
        visit_switch(team, threads, start(position), now, look);
      else
        visit_nics(team, threads, now, look);
      if (take_turns) team.tell(done(position), now + 1);
      threads.unit = following;
    }
  }

  // Behind the last cycle of a run.
  BANYAN_KERNEL void end(const Team& team, Threads& threads) const {
    each_unit([&](const NetworkUnit& unit) {
      team.each([&](u32 t) {
        for (u32 i = t; i < unit.count; i += lanes)
          if (unit.is_switch)
            end_port(unit, i);
          else
            end_nic(unit, i, threads.counts[t]);
      });
    });
    team.each([&](u32 t) {
      const NetworkCounts& counts = threads.counts[t];
      ReplicaTally& out = memory_.results.tally[0];
      Team::add(out.packets, counts.packets);
      Team::add(out.flits, counts.flits);
      Team::add(out.latencies, counts.latencies);
      Team::add(out.network_cycles, counts.network_cycles);
      Team::add(out.times, counts.times);
      Team::raise(out.max_latency, u64{counts.max_latency});
      Team::raise(out.last_message, u64{counts.last_message});
    });
  }

 private:
  BANYAN_KERNEL u32& ticket() const { return this->template at<u32>(layout_.ticket, 0); }
  BANYAN_KERNEL u32& done(u32 position) const { return this->template at<u32>(layout_.done, position); }
  BANYAN_KERNEL u32& start(u32 position) const { return this->template at<u32>(layout_.start, position); }
  // The next visit that no warp has taken: they are numbered by cycle and unit.
  BANYAN_KERNEL void take_visit(const Team& team, Threads& threads, u32 units) const {
    const u32 next = team.take(ticket());
    threads.position += next - threads.visit;
    threads.visit = next;
    while (threads.position >= units) {
      threads.position -= units;
      ++threads.cycle;
    }
  }
  template <class F>
  BANYAN_KERNEL void each_unit(F&& f) const {
    for (u32 i = warp_; i < own_units(); i += layout_.warps) f(unit_at(i));
  }

  using Nics::begin_nic;
  using Nics::begin_port;
  using Nics::end_nic;
  using Nics::end_port;
  using Nics::first_;
  using Nics::layout_;
  using Nics::look_ahead;
  using Nics::memory_;
  using Nics::never;
  using Nics::own_units;
  using Nics::unit_at;
  using Nics::visit_nics;
  using Nics::visit_switch;
  using Nics::warp_;
};

}  // namespace banyan::gpu
