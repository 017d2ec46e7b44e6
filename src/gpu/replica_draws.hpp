// The random process of a replica's NICs, as flit/open_workload.hpp has it.
#pragma once
#include "base/shuffle.hpp"
#include "gpu/replica_data.hpp"

namespace banyan::gpu {

class ReplicaDraws {
 public:
  BANYAN_KERNEL ReplicaDraws(const ReplicaFabric& fabric, const ReplicaTarget* targets, u32 replica)
      : fabric_(fabric),
        targets_(targets),
        nic_of_rank_(fabric.nic_of_rank + u64{replica} * fabric.rank_stride) {}

  // The next message of a NIC: its cycle and target.
  BANYAN_KERNEL void draw(ReplicaNic& nic) const {
    if (fabric_.arrivals != ReplicaFabric::back_to_back) {
      draw_time(nic);
      nic.pending = pending(nic);
    }
    draw_target(nic);
    ++nic.drawn;
  }
  BANYAN_KERNEL void draw_time(ReplicaNic& nic) const {
    const double drawn = minus_log(1 - unit(nic), *fabric_.logarithms) * nic.scale;
    nic.time += by_cycles() ? 1 + static_cast<double>(static_cast<i64>(drawn)) : drawn;
  }
  BANYAN_KERNEL void draw_target(ReplicaNic& nic) const {
    if (nic.ranks > 0) {
      const u32 other = static_cast<u32>((number(nic) >> 32) * (nic.ranks - 1) >> 32);
      nic.pending_to = nic_of_rank_[other + (other >= nic.rank)];
    } else if (nic.last_target - nic.first_target == 1) {
      nic.pending_to = targets_[nic.first_target].nic;
    } else {
      nic.pending_to = targets_[target_at(nic, unit(nic))].nic;
    }
  }
  // A uniform random number below 1.
  static BANYAN_KERNEL double unit(ReplicaNic& nic) {
    return static_cast<double>(static_cast<i64>(number(nic) >> 11)) * 0x1.0p-53;
  }

  // The cycle of the message that was drawn last.
  BANYAN_KERNEL u64 pending(const ReplicaNic& nic) const {
    if (fabric_.arrivals == ReplicaFabric::back_to_back) return nic.pending;
    return static_cast<u64>(static_cast<i64>(nic.time)) - (by_cycles() ? 1 : 0);
  }

  // As Workload::created() counts, before this cycle.
  BANYAN_KERNEL u64 created_until(const ReplicaNic& nic, u32 now) const {
    if (nic.rate <= 0 || fabric_.arrivals == ReplicaFabric::back_to_back) return 0;
    const u64 flits = u64{fabric_.packet_flits} * ReplicaTally::created_unit;
    if (nic.pending >= now) return (nic.drawn - 1) * flits;
    const double late = static_cast<double>(now - nic.pending) * nic.rate *
                        static_cast<double>(fabric_.packet_flits) *
                        static_cast<double>(ReplicaTally::created_unit);
    return nic.drawn * flits + static_cast<u64>(late);
  }

  BANYAN_KERNEL bool by_cycles() const { return fabric_.arrivals == ReplicaFabric::bernoulli; }

 private:
  static BANYAN_KERNEL u64 number(ReplicaNic& nic) { return SplitMix::mixed(nic.random += SplitMix::step); }
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

  const ReplicaFabric& fabric_;
  const ReplicaTarget* const targets_;
  const u32* const nic_of_rank_;
};

}  // namespace banyan::gpu
