// Loads after changes of tables on a device: a warp takes a victim and a sample after the other.
#pragma once
#include "gpu/cuda/launch.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceSweep {
 public:
  explicit DeviceSweep(const SweepData& data);
  void run(SweepVictims victims, u32* out);

 private:
  SweepData data_;
  DeviceCopies copies_;
  u32 blocks_;  // of a launch: as many as the device holds at once
  Stream stream_;
};

}  // namespace banyan::gpu
