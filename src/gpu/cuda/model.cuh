// Replicas of the whole model on a device: a block has one of them. They run beside those of others.
#pragma once
#include <vector>

#include "gpu/cuda/launch.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceModel {
 public:
  DeviceModel(const ModelData& data, const ModelStart& start);
  void begin(const ReplicaRun* runs);
  void finish(const ModelResults& out);

 private:
  void choose_memory();
  void copy_latencies(const ModelTally* tally, u32* latency);

  ModelData data_;
  ModelLayout layout_;
  ModelMemory memory_;
  u32 count_;
  DeviceCopies copies_;
  DeviceArray<u8> state_;
  DeviceArray<ModelNic> nics_;
  DeviceArray<ReplicaTarget> targets_;
  DeviceArray<ModelPacket> packets_;
  DeviceArray<u32> unused_;
  DeviceArray<ModelPool> pools_;
  DeviceArray<ReplicaRun> runs_;
  DeviceArray<ModelTally> tally_;
  DeviceArray<u32> channel_flits_, latency_, waits_since_;
  u32 threads_ = 0, fast_bytes_ = 0;  // of a block; 0: states stay where they are
  Stream stream_;
};

}  // namespace banyan::gpu
