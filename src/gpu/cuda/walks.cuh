// Flows that are followed hop by hop, on a device: a block takes a sample, or a round under a hash, after the
// other.
#pragma once
#include "gpu/cuda/launch.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceWalks {
 public:
  explicit DeviceWalks(const WalkData& data);
  void run(WalkDraws draws, WalkLoads* out);
  void run(WalkRounds rounds, WalkLoads* out);

 private:
  // Blocks of a launch of a kernel with this layout: as many as the device holds at once, up to `all`.
  template <class Kernel>
  u32 prepared(Kernel kernel, const WalkLayout& layout, u64 all);

  WalkData data_;
  DeviceCopies copies_;
  u32 max_bytes_;  // of a block
  DeviceArray<u32> far_loads_;
  Stream stream_;
};

}  // namespace banyan::gpu
