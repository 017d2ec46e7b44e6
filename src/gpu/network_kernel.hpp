// One network in time, by all blocks of a device: gpu/network_data.hpp says how they go on without meeting. A
// thread has a port of the block's switch, with the input and the output there, or a NIC. docs/simulator.md
// defines what happens; gpu/port_kernel.hpp does the same for many small networks.
//
// Team is a block whose threads meet (gpu/host_block.hpp, gpu/cuda/device_block.cuh):
//   team.each(f) calls f(thread) for all threads; a value of each is a Team::PerThread<T>. team.meet(): what
//   they wrote to the block's memory is seen by all of them afterwards. team.any(x) does so too.
//   Team::awaited(is_needed, word, round, found) is the word, once it is of that round of the ring; `found`
//   is what an earlier look found; all threads of a warp must ask.
#pragma once
#include "gpu/network_nics.hpp"

namespace banyan::gpu {

// A block: its state (gpu/network_state.hpp), its switches, and its NICs. `has_one`: the layout says that it
// has one switch, or one group of NICs.
template <class Team, bool has_one>
class NetworkBlock : private NetworkNics<Team, has_one> {
 public:
  using Nics = NetworkNics<Team, has_one>;
  using Nics::Nics;
  using typename Nics::Threads;
  using typename Nics::Unit;

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
  using Nics::begin_nic;
  using Nics::begin_port;
  using Nics::copy;
  using Nics::data_;
  using Nics::each_unit;
  using Nics::end_nic;
  using Nics::fast_;
  using Nics::first_;
  using Nics::flits;
  using Nics::has;
  using Nics::load;
  using Nics::memory_;
  using Nics::saved;
  using Nics::store;
  using Nics::to_come;
  using Nics::visit_nics;
  using Nics::visit_switch;
  using Nics::word_of;
};

}  // namespace banyan::gpu
