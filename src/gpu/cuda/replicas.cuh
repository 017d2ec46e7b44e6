// Replicas of a simulation on a device: a block has one or a few of them. They run beside those of others.
#pragma once
#include "gpu/cuda/memory.cuh"
#include "gpu/cuda/ports.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceReplicas {
 public:
  DeviceReplicas(const ReplicaFabric& fabric, const ReplicaStart& start);
  void begin(const ReplicaRun* runs);
  void finish(const ReplicaResults& out);

 private:
  void choose_blocks();
  void run_by_switches();
  void copy_latencies(const ReplicaTally* tally, u32* latency);

  ReplicaFabric fabric_;
  ReplicaLayout layout_;
  ReplicaMemory memory_;
  u32 count_;
  DeviceArray<ReplicaNode> nodes_;
  DeviceArray<ReplicaPort> ports_;
  DeviceArray<u32> first_hop_, nic_of_rank_;
  DeviceArray<ReplicaHop> hops_;
  DeviceArray<LogarithmTable> logarithms_;
  DeviceArray<u8> image_;
  PortPlan plan_;
  DeviceArray<u8> state_;
  DeviceArray<ReplicaNic> nics_;
  DeviceArray<ReplicaTarget> targets_;
  DeviceArray<ReplicaPacket> packets_;
  DeviceArray<WidePacket> packed_;  // or narrow ones
  DeviceArray<u64> routes_;
  DeviceArray<ReplicaRun> runs_;
  DeviceArray<ReplicaTally> tally_;
  DeviceArray<u32> channel_flits_, latency_, waits_since_;
  u32 of_block_ = 1, threads_ = 0,
      fast_bytes_ = 0;  // replicas of a block; its memory, 0: states stay where they are
  Stream stream_;
};

}  // namespace banyan::gpu
