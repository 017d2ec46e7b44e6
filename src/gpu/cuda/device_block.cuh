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
  static BANYAN_KERNEL u32 take(u32& word, u32 amount) { return atomicAdd(&word, amount); }
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
  static BANYAN_KERNEL u32 take(u32& word, u32 amount) { return DeviceWarp::take(word, amount); }
  static BANYAN_KERNEL void raise(u64& word, u64 to) { DeviceWarp::raise(word, to); }
};

// A warp of a network (gpu/network_kernel.hpp). Words of other blocks are read and written past the caches
// of the multiprocessor; a word is complete in itself, so nothing else must be ordered.
class DeviceTeam {
 public:
  template <class T>
  using PerThread = DeviceWarp::PerLane<T>;

  template <class F>
  BANYAN_KERNEL void each(F&& f) const {
    f(threadIdx.x % lanes);
  }
  BANYAN_KERNEL void meet() const { __syncwarp(); }
  BANYAN_KERNEL u32 ballot(const PerThread<bool>& x) const { return __ballot_sync(all, x.value); }
  BANYAN_KERNEL bool any(const PerThread<bool>& x) const { return __any_sync(all, x.value); }

  BANYAN_KERNEL u32 take(u32& word) const {
    u32 out = 0;
    if (threadIdx.x % lanes == 0) out = atomicAdd(&word, 1);
    return __shfl_sync(all, out, 0);
  }
  BANYAN_KERNEL void tell(u32& word, u32 value) const {
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x % lanes == 0) *static_cast<volatile u32*>(&word) = value;
  }
  static BANYAN_KERNEL void await(const u32& word, u32 value) {
    while (!__all_sync(all, *static_cast<const volatile u32*>(&word) == value)) {
    }
    __threadfence_block();
  }

  static BANYAN_KERNEL u64 look(const u64* word) {
    u64 out;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(out) : "l"(word));
    return out;
  }
  static BANYAN_KERNEL void say(u64* to, u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word));
  }
  // Of memory that is not used again soon: the cache may forget it first.
  static BANYAN_KERNEL u64 read_once(const u64* from) { return __ldcs(from); }
  static BANYAN_KERNEL void write_once(u64* to, u64 word) { __stcs(to, word); }
  static BANYAN_KERNEL u64 awaited(bool is_needed, const u64* word, u32 round, u64 found) {
    bool is_there = !is_needed || (found & 1) == round;
    while (!__all_sync(all, is_there)) {
      if (!is_there) found = look(word);
      is_there = !is_needed || (found & 1) == round;
    }
    return is_needed ? found : 0;
  }
  template <class T>
  static BANYAN_KERNEL T constant(const T* at) {
    if constexpr (sizeof(T) == 16) {
      const uint4 found = __ldg(reinterpret_cast<const uint4*>(at));
      T out;
      memcpy(&out, &found, sizeof out);
      return out;
    } else if constexpr (sizeof(T) == 8) {
      const uint2 found = __ldg(reinterpret_cast<const uint2*>(at));
      T out;
      memcpy(&out, &found, sizeof out);
      return out;
    } else {
      return __ldg(at);
    }
  }
  static BANYAN_KERNEL void add(u32& word, u32 amount) { DeviceWarp::add(word, amount); }
  static BANYAN_KERNEL void add(u64& word, u64 amount) { DeviceWarp::add(word, amount); }
  static BANYAN_KERNEL void raise(u64& word, u64 to) { DeviceWarp::raise(word, to); }
  static BANYAN_KERNEL void lower(u32& word, u32 to) { DeviceWarp::lower(word, to); }

 private:
  static constexpr u32 all = 0xFFFFFFFF;
};

}  // namespace banyan::gpu
