// A Block (gpu/kernel.hpp) of a device: a lane is a thread.
#pragma once
#include "gpu/kernel.hpp"

namespace banyan::gpu {

class DeviceWarp {
 public:
  template <class T>
  struct PerLane {
    T value;
    BANYAN_KERNEL T& operator[](u32) { return value; }
    BANYAN_KERNEL const T& operator[](u32) const { return value; }
  };

  template <class F>
  BANYAN_KERNEL void each(F&& f) const {
    f(threadIdx.x % lanes);
    __syncwarp();
  }

  template <class F>
  BANYAN_KERNEL void compute(F&& f) const {
    f(threadIdx.x % lanes);
  }

  BANYAN_KERNEL u32 ballot(const PerLane<bool>& x) const { return __ballot_sync(all, x.value); }
  template <class T>
  BANYAN_KERNEL T from(const PerLane<T>& x, u32 lane) const {
    return __shfl_sync(all, x.value, lane);
  }
  template <class T>
  BANYAN_KERNEL PerLane<T> shuffled(const PerLane<T>& x, const PerLane<u32>& from) const {
    return {__shfl_sync(all, x.value, from.value)};
  }
  BANYAN_KERNEL u32 max(const PerLane<u32>& x) const { return __reduce_max_sync(all, x.value); }

  static BANYAN_KERNEL void add(u32& word, u32 amount) { atomicAdd(&word, amount); }
  static BANYAN_KERNEL void add(u64& word, u64 amount) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(amount));
  }
  static BANYAN_KERNEL void raise(u64& word, u64 to) {
    atomicMax(reinterpret_cast<unsigned long long*>(&word), static_cast<unsigned long long>(to));
  }
  static BANYAN_KERNEL u32 mark(u32& word, u32 bits) { return atomicOr(&word, bits); }
  static BANYAN_KERNEL void unmark(u32& word, u32 bits) { atomicAnd(&word, ~bits); }
  static BANYAN_KERNEL void lower(u32& word, u32 to) { atomicMin(&word, to); }
  static BANYAN_KERNEL u32 last_bit(u32 mask) { return 31 - __clz(mask); }
  static BANYAN_KERNEL u32 first_bit(u32 mask) { return __ffs(mask) - 1; }

 private:
  static constexpr u32 all = 0xFFFFFFFF;
};

template <u32 count>
class DeviceBlock {
 public:
  using Warp = DeviceWarp;
  static constexpr u32 warps = count;

  template <class F>
  BANYAN_KERNEL void each_warp(F&& f) const {
    f(Warp(), __shfl_sync(0xFFFFFFFF, threadIdx.x / lanes, 0));  // known to be the same for all lanes
    __syncthreads();
  }
};

// A block of as many warps as it was started with.
class DeviceWarps {
 public:
  using Warp = DeviceWarp;
  const u32 warps;

  BANYAN_KERNEL DeviceWarps() : warps(blockDim.x / lanes) {}
  template <class F>
  BANYAN_KERNEL void each_warp(F&& f) const {
    f(Warp(), __shfl_sync(0xFFFFFFFF, threadIdx.x / lanes, 0));
    __syncthreads();
  }
};

// A block whose threads only meet.
class DeviceThreads {
 public:
  BANYAN_KERNEL u32 threads() const { return blockDim.x; }
  template <class F>
  BANYAN_KERNEL void each_thread(F&& f) const {
    f(threadIdx.x);
    __syncthreads();
  }

  static BANYAN_KERNEL void add(u32& word, u32 amount) { DeviceWarp::add(word, amount); }
  static BANYAN_KERNEL void add(u64& word, u64 amount) { DeviceWarp::add(word, amount); }
  static BANYAN_KERNEL void raise(u64& word, u64 to) { DeviceWarp::raise(word, to); }
};

}  // namespace banyan::gpu
