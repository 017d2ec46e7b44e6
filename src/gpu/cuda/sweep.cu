#include "gpu/cuda/sweep.cuh"

#include <algorithm>
#include <utility>

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
    : data_(data),
      port_(std::span(data.port, std::size_t{data.ranks} * data.nodes)),
      load_(std::span(data.load, std::size_t{data.samples} * data.channels)),
      first_out_(std::span(data.first_out, data.nodes + 1)),
      next_(std::span(data.next, data.channels)),
      entry_(std::span(data.entry, data.ranks)),
      goal_(std::span(data.goal, data.ranks)),
      source_(std::span(data.source, std::size_t{data.samples} * data.ranks)),
      with_load_(std::span(data.with_load, std::size_t{data.samples} * (SweepData::max_load + 1))) {
  data_.port = port_.data();
  data_.load = load_.data();
  data_.first_out = first_out_.data();
  data_.next = next_.data();
  data_.entry = entry_.data();
  data_.goal = goal_.data();
  data_.source = source_.data();
  data_.with_load = with_load_.data();
  int multiprocessors = 0, blocks = 0, device = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "asking the device");
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_sweep, threads, 0), "asking the device");
  blocks_ = static_cast<u32>(multiprocessors * std::max(1, blocks));
}

void DeviceSweep::run(SweepVictims victims, u32* out) {
  const u64 all = u64{victims.count} * data_.samples;
  if (all == 0) return;
  const DeviceArray<u32> first(std::span(victims.first_change, victims.count + 1));
  const DeviceArray<SweepChange> change(std::span(victims.change, victims.changes));
  const DeviceArray<u32> entry(std::span(victims.entry, victims.entries));
  const DeviceArray<u32> found(all);
  victims.first_change = first.data();
  victims.change = change.data();
  victims.entry = entry.data();
  count_sweep<<<blocks_, threads, 0, stream_>>>(data_, victims, found.data());
  must(cudaGetLastError(), "starting a kernel");
  stream_.wait();
  must(cudaMemcpy(out, found.data(), all * sizeof(u32), cudaMemcpyDeviceToHost), "copying from the device");
}

}  // namespace banyan::gpu
