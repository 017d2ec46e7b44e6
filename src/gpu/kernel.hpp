// Kernels are plain function templates over a Block: warps of 32 lanes that share memory. CUDA's compiler
// makes them device code (gpu/cuda/device_block.cuh is the Block); every other compiler makes them ordinary
// functions, which gpu/host_block.hpp runs in loops. Both compute the same bits.
//
//   block.each_warp(f) calls f(warp, number) for all warps of the block, in any order; what they wrote to
//   memory is seen by all of them afterwards. Inside, a value of each lane is a Warp::PerLane<T>, indexed by
//   the lane. warp.each(f) calls f(lane) for all lanes; what lanes wrote is seen by the warp afterwards.
//   warp.compute(f) is the same without that promise. Lanes exchange values by ballot(), from(), shuffled()
//   and max() only, outside of both. All else that a kernel computes outside of each_warp() must be
//   the same in all warps.
//
// Kernels whose threads only meet take a block with block.threads() and block.each_thread(f), which calls
// f(thread) for all threads, in any order; what they wrote to memory is seen by all of them afterwards.
#pragma once
#include "base/types.hpp"

#ifdef __CUDACC__
#define BANYAN_KERNEL __device__ __forceinline__
#define BANYAN_BOTH __host__ __device__ __forceinline__  // for whoever makes data for a kernel, too
#define BANYAN_UNROLL _Pragma("unroll")
#else
#define BANYAN_KERNEL inline
#define BANYAN_BOTH inline
#define BANYAN_UNROLL
#endif

namespace banyan::gpu {

using namespace base;

constexpr u32 lanes = 32;  // of a warp

// Rounded up to 16 bytes, so that memory can be cleared and read in wide words.
constexpr u32 aligned(u32 bytes) { return (bytes + 15) / 16 * 16; }

// Words of memory that others write in smaller pieces.
#ifdef __CUDACC__
using AnyU32 = u32;
using AnyU64 = u64;
#else
using AnyU32 [[gnu::may_alias]] = u32;
using AnyU64 [[gnu::may_alias]] = u64;
#endif

// The maximum of each byte of a word.
BANYAN_KERNEL u32 max_bytes(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
  return __vmaxu4(a, b);
#else
  u32 out = 0;
  for (u32 shift = 0; shift < 32; shift += 8) {
    const u32 x = a >> shift & 255, y = b >> shift & 255;
    out |= (x > y ? x : y) << shift;
  }
  return out;
#endif
}

BANYAN_KERNEL u32 max_byte(u32 word) {
  word = max_bytes(word, word >> 16);
  return max_bytes(word, word >> 8) & 255;
}

// All bits of those bytes that are equal in both words.
BANYAN_KERNEL u32 equal_bytes(u32 a, u32 b) {
#ifdef __CUDA_ARCH__
  return __vcmpeq4(a, b);
#else
  u32 out = 0;
  for (u32 shift = 0; shift < 32; shift += 8)
    if ((a >> shift & 255) == (b >> shift & 255)) out |= 255u << shift;
  return out;
#endif
}

BANYAN_KERNEL u32 min_byte(u32 word) {
  const u32 a = word & 255, b = word >> 8 & 255, c = word >> 16 & 255, d = word >> 24;
  const u32 low = a < b ? a : b, high = c < d ? c : d;
  return low < high ? low : high;
}

BANYAN_KERNEL u32 bits_of(u32 mask) {
#ifdef __CUDA_ARCH__
  return static_cast<u32>(__popc(mask));
#else
  return static_cast<u32>(__builtin_popcount(mask));
#endif
}

// The first bit of a mask that is not empty; at or behind `from`, around the end.
BANYAN_KERNEL u32 first_bit_of(u32 mask) {
#ifdef __CUDA_ARCH__
  return static_cast<u32>(__ffs(static_cast<int>(mask))) - 1;
#else
  return static_cast<u32>(__builtin_ctz(mask));
#endif
}
BANYAN_KERNEL u32 first_bit_of(u64 mask) {
#ifdef __CUDA_ARCH__
  return static_cast<u32>(__ffsll(static_cast<long long>(mask))) - 1;
#else
  return static_cast<u32>(__builtin_ctzll(mask));
#endif
}
BANYAN_KERNEL u32 lane_from(u32 mask, u32 from) {
  const u32 later = mask >> from << from;
  return first_bit_of(later != 0 ? later : mask);
}

}  // namespace banyan::gpu
