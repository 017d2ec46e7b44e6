// Loads of permutations and bisections on a device: a block takes sample after sample.
#pragma once
#include "gpu/cuda/memory.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceTags {
 public:
  explicit DeviceTags(const TagData& data);
  void run(u64 seed, u64 first, u64 count, TagLoads* out);

  using Kernel = void (*)(TagData, TagLayout, u64 seed, u64 first, u64 count, TagLoads* out);

 private:
  static constexpr u64 at_once = u64{1} << 20;  // samples of a launch

  TagData data_;
  TagLayout layout_;
  DeviceArray<u64> record_, start_;
  DeviceArray<u32> ranks_[max_tag_levels];
  Kernel kernel_;
  u32 blocks_ = 0;  // of a launch: as many as the device holds at once
  struct Half {     // one launch computes while the results of another are copied
    DeviceArray<TagLoads> found{at_once};
    PinnedArray<TagLoads> copied{at_once};
    Stream stream;
  };
  Half halves_[2];
};

}  // namespace banyan::gpu
