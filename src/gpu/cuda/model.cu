#include "gpu/cuda/model.cuh"

#include <algorithm>
#include <utility>

#include "base/histogram_slots.hpp"
#include "gpu/cuda/device_block.cuh"
#include "gpu/model_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 max_threads = 512;

__global__ void __launch_bounds__(max_threads)
    simulate_model(const __grid_constant__ ModelData data, const __grid_constant__ ModelLayout layout,
                   const __grid_constant__ ModelMemory memory, const ReplicaRun* runs, bool is_fast) {
  extern __shared__ u64 fast[];
  run_model(DeviceThreads(), data, layout, memory, runs[blockIdx.x],
            is_fast ? reinterpret_cast<u8*>(fast) : nullptr, blockIdx.x);
}

u32 up_to_warps(u32 threads) { return (threads + lanes - 1) / lanes * lanes; }

}  // namespace

DeviceModel::DeviceModel(const ModelData& data, const ModelStart& start)
    : data_(data),
      layout_(data),
      count_(start.replicas),
      copies_(data_),
      state_(u64{layout_.bytes} * count_),
      nics_(std::span(start.nic, std::size_t{count_} * data.fabric.nics)),
      targets_(std::span(start.target, start.targets)),
      packets_(u64{data.packets} * count_),
      unused_(u64{data.packets} * count_),
      pools_(count_),
      runs_(count_),
      tally_(count_),
      channel_flits_(u64{data.ports} * count_),
      latency_(u64{2} * data.fabric.latencies * count_),
      waits_since_(u64{data.fabric.nics} * count_) {
  memory_ = {state_.data(),
             nics_.data(),
             packets_.data(),
             unused_.data(),
             pools_.data(),
             targets_.data(),
             {tally_.data(), channel_flits_.data(), latency_.data(), waits_since_.data()}};
  must(cudaMemset(latency_.data(), 0, u64{2} * data.fabric.latencies * count_ * sizeof(u32)),
       "clearing device memory");
  must(cudaStreamSynchronize(nullptr), "clearing device memory");
  threads_ = std::min(max_threads, up_to_warps(data.fabric.switches) + up_to_warps(data.fabric.nics));
  choose_memory();
}

// The state of a replica is near its block if two of them find place there.
void DeviceModel::choose_memory() {
  int device = 0, bytes = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking the device");
  if (2 * layout_.bytes > static_cast<u32>(bytes)) return;
  fast_bytes_ = layout_.bytes;
  must(cudaFuncSetAttribute(simulate_model, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
       "taking a multiprocessor's memory");
}

void DeviceModel::begin(const ReplicaRun* runs) {
  must(cudaMemcpyAsync(runs_.data(), runs, count_ * sizeof(ReplicaRun), cudaMemcpyHostToDevice, stream_),
       "copying to the device");
  must(cudaMemsetAsync(tally_.data(), 0, count_ * sizeof(ModelTally), stream_), "clearing device memory");
  simulate_model<<<count_, threads_, fast_bytes_, stream_>>>(data_, layout_, memory_, runs_.data(),
                                                             fast_bytes_ > 0);
  must(cudaGetLastError(), "starting a kernel");
}

void DeviceModel::finish(const ModelResults& out) {
  const auto copy = [this](auto* to, const auto& from, u64 size) {
    must(cudaMemcpyAsync(to, from.data(), size * sizeof *to, cudaMemcpyDeviceToHost, stream_),
         "computing on the device");
  };
  copy(out.tally, tally_, count_);
  copy(out.channel_flits, channel_flits_, u64{data_.ports} * count_);
  copy(out.waits_since, waits_since_, u64{data_.fabric.nics} * count_);
  stream_.wait();
  copy_latencies(out.tally, out.latency);
}

// Only slots up to the largest latency are in use.
void DeviceModel::copy_latencies(const ModelTally* tally, u32* latency) {
  u64 largest = 0;
  for (u32 i = 0; i < count_; ++i) largest = std::max(largest, tally[i].max_latency);
  const u64 slots = data_.fabric.latencies, pitch = slots * sizeof(u32);
  const u64 width = (histogram_slot(largest) + 1) * sizeof(u32);
  std::fill_n(latency, 2 * slots * count_, 0);
  must(cudaMemcpy2DAsync(latency, pitch, latency_.data(), pitch, width, 2 * count_, cudaMemcpyDeviceToHost,
                         stream_),
       "copying from the device");
  must(cudaMemset2DAsync(latency_.data(), pitch, 0, width, 2 * count_, stream_), "clearing device memory");
  stream_.wait();
}

}  // namespace banyan::gpu
