#include "gpu/cuda/sweep.cuh"

#include "gpu/cuda/device_block.cuh"
#include "gpu/sweep_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 threads = lanes * sweep_warps;

__global__ void __launch_bounds__(threads)
    count_sweep(const __grid_constant__ SweepData data, const __grid_constant__ SweepVictims victims,
                u32* out) {
  __shared__ SweepMemory memory[sweep_warps];
  sweep_samples(DeviceBlock<sweep_warps>(), data, victims, memory, blockIdx.x, gridDim.x, out);
}

}  // namespace

DeviceSweep::DeviceSweep(const SweepData& data)
    : data_(data), copies_(data_), blocks_(blocks_at_once(count_sweep, threads, 0, "a victim")) {}

void DeviceSweep::run(SweepVictims victims, u32* out) {
  const u64 all = u64{victims.count} * data_.samples;
  if (all == 0) return;
  const DeviceCopies copies(victims);
  const DeviceArray<u32> found(all);
  count_sweep<<<blocks_, threads, 0, stream_>>>(data_, victims, found.data());
  collect(stream_, found, all, out);
}

}  // namespace banyan::gpu
