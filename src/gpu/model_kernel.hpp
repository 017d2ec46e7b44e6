// The whole model of docs/simulator.md in time, but for switches in stages: a block of threads has a replica,
// and a thread has a switch or a NIC in each cycle. What a node does depends on its own state, and what it
// tells others is due in a later cycle; so threads meet twice for each cycle, when NICs have consumed and
// when all have moved. gpu/port_kernel.hpp is many times faster where it applies.
#pragma once
#include "gpu/model_nics.hpp"

namespace banyan::gpu {

// A replica for the cycles of its run. `fast` is memory of the block for its state; null: it stays where it
// is.
template <class Block>
class ModelReplica {
 public:
  BANYAN_KERNEL ModelReplica(const Block& block, const ModelData& data, const ModelLayout& layout,
                             const ModelMemory& memory, const ReplicaRun& run, u8* fast, u32 replica)
      : block_(block),
        data_(data),
        layout_(layout),
        memory_(memory),
        run_(run),
        saved_(memory.state + u64{replica} * layout.bytes),
        state_(fast ? fast : saved_),
        replica_(replica) {}

  BANYAN_KERNEL void begin() const {
    each(layout_.bytes / 4, [&](u32 w) {
      if (run_.first == 0)
        reinterpret_cast<AnyU32*>(state_)[w] = 0;
      else if (state_ != saved_)
        reinterpret_cast<AnyU32*>(state_)[w] = reinterpret_cast<const AnyU32*>(saved_)[w];
    });
    const Cycle start = cycle(run_.first);
    each(data_.ports, [&](u32 port) {
      memory_.results.channel_flits[u64{replica_} * data_.ports + port] = 0;
      if (run_.first == 0) start.begin_port(port);
    });
    if (run_.first > 0) return;
    each(data_.packets, [&](u32 packet) { start.begin_packet(packet); });
    each(1, [&](u32) { memory_.pool[replica_] = {}; });
  }
  // NICs are in warps of their own.
  BANYAN_KERNEL void run_cycle(u32 now) const {
    const Cycle here = cycle(now);
    const u32 switches = data_.fabric.switches, first_nic = (switches + lanes - 1) / lanes * lanes;
    each(data_.fabric.nics, [&](u32 nic) { here.consume(nic); });
    each(first_nic + data_.fabric.nics, [&](u32 k) {
      if (k < switches)
        here.visit_switch(k);
      else if (k >= first_nic)
        here.visit_nic(k - first_nic);
    });
  }
  BANYAN_KERNEL void end() const {
    const Cycle end = cycle(run_.first + run_.cycles);
    each(data_.fabric.nics, [&](u32 nic) {
      end.tally_nic(nic, memory_.results.waits_since[u64{replica_} * data_.fabric.nics + nic]);
    });
    if (state_ == saved_) return;
    each(layout_.bytes / 4,
         [&](u32 w) { reinterpret_cast<AnyU32*>(saved_)[w] = reinterpret_cast<const AnyU32*>(state_)[w]; });
  }

 private:
  using Cycle = ModelNics<Block>;

  template <class F>
  BANYAN_KERNEL void each(u32 count, F&& f) const {
    block_.each_thread([&](u32 thread) {
      for (u32 k = thread; k < count; k += block_.threads()) f(k);
    });
  }
  BANYAN_KERNEL Cycle cycle(u32 now) const { return Cycle(data_, layout_, memory_, state_, replica_, now); }

  const Block& block_;
  const ModelData& data_;
  const ModelLayout& layout_;
  const ModelMemory& memory_;
  const ReplicaRun run_;
  u8* const saved_;
  u8* const state_;
  const u32 replica_;
};

// A block simulates a replica.
template <class Block>
BANYAN_KERNEL void run_model(const Block& block, const ModelData& data, const ModelLayout& layout,
                             const ModelMemory& memory, const ReplicaRun& run, u8* fast, u32 replica) {
  if (run.cycles == 0) return;
  const ModelReplica<Block> own(block, data, layout, memory, run, fast, replica);
  own.begin();
  for (u32 now = run.first; now < run.first + run.cycles; ++now) own.run_cycle(now);
  own.end();
}

}  // namespace banyan::gpu
