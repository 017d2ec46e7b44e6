#include "gpu/cuda/network.cuh"

#include <algorithm>

#include "gpu/cuda/device_block.cuh"
#include "gpu/network_kernel.hpp"

namespace banyan::gpu {
namespace {

template <u32 parts, bool keeps, u32 max_warps>
__global__ void __launch_bounds__(max_warps* lanes, 1)
    simulate_network(const __grid_constant__ NetworkData data, const __grid_constant__ NetworkLayout layout,
                     const __grid_constant__ NetworkMemory memory, const ReplicaRun run, bool is_fast) {
  extern __shared__ u64 fast[];
  u8* const saved = memory.state + u64{blockIdx.x} * layout.bytes;
  u8* const own = is_fast ? reinterpret_cast<u8*>(fast) : saved;
  const auto copy = [&](u8* to, const u8* from) {
    for (u32 i = threadIdx.x; is_fast && i < layout.bytes / sizeof(uint4); i += blockDim.x)
      reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    __syncthreads();
  };
  const NetworkWarp<DeviceTeam, parts, keeps> warp(data, layout, memory, run, own, blockIdx.x,
                                                   __shfl_sync(0xFFFFFFFF, threadIdx.x / lanes, 0));
  NetworkThreads<DeviceTeam, parts> threads;
  threads.counts[0] = {};
  copy(own, saved);
  warp.begin(DeviceTeam(), threads);
  __syncthreads();
  warp.advance(DeviceTeam(), threads, run.first + run.cycles);
  __syncthreads();
  warp.end(DeviceTeam(), threads);
  __syncthreads();
  copy(saved, own);
}

// The maximum of warps of a block: fewer have more registers.
constexpr u32 max_warps_of(u32 ports) { return ports <= 2 * lanes ? 16 : 28; }

template <bool keeps>
auto network_kernel(u32 ports) {
  return ports <= lanes       ? simulate_network<1, keeps, 16>
         : ports <= 2 * lanes ? simulate_network<2, keeps, 16>
         : ports <= 3 * lanes ? simulate_network<3, keeps, 28>
                              : simulate_network<8, keeps, 28>;
}

u32 multiprocessors() {
  int device = 0, out = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&out, cudaDevAttrMultiProcessorCount, device), "asking the device");
  return static_cast<u32>(out);
}

}  // namespace

DeviceNetwork::DeviceNetwork(const NetworkData& data, const NetworkStart& start)
    : data_(data),
      ends_(std::span(data.end, data.ends)),
      routes_(std::span(data.route, start.routes)),
      nic_of_rank_(std::span(data.fabric.nic_of_rank, start.ranks)),
      logarithms_(std::span(data.fabric.logarithms, 1)),
      nics_(std::span(start.nic, data.fabric.nics)),
      targets_(std::span(start.target, start.targets)),
      words_(u64{data.ends} << data.ring_bits),
      tally_(1),
      channel_flits_(data.ends),
      latency_(data.fabric.latencies),
      waits_since_(data.fabric.nics) {
  data_.end = ends_.data();
  data_.route = routes_.data();
  data_.fabric.nic_of_rank = nic_of_rank_.data();
  data_.fabric.logarithms = logarithms_.data();
  choose_blocks({data.at, data.at + data.fabric.switches}, start.max_ports);
  state_ = DeviceArray<u8>(u64{layout_.blocks} * layout_.bytes);
  if (!layout_.keeps_buffers)
    buffers_ = DeviceArray<u64>(u64{data.ends} * data.fabric.lanes * data.fabric.capacity);
  memory_ = {words_.data(),   buffers_.data(),
             state_.data(),   nics_.data(),
             targets_.data(), {tally_.data(), channel_flits_.data(), latency_.data(), waits_since_.data()}};
  must(cudaMemset(words_.data(), 0xFF, (u64{data.ends} << data.ring_bits) * sizeof(u64)),
       "clearing device memory");
}

// Whether all blocks are there at once.
bool DeviceNetwork::fits(Kernel kernel, const NetworkLayout& layout, bool is_fast) {
  int blocks = 0;
  const u32 bytes = is_fast ? layout.bytes : 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
      cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(layout.warps * lanes),
                                                     bytes),
       "asking the device");
  if (static_cast<u32>(blocks) * multiprocessors() < layout.blocks) return false;
  kernel_ = kernel;
  layout_ = layout;
  is_fast_ = is_fast;
  return true;
}

// A block for each multiprocessor; the state, and with it the buffers, near them if they fit.
void DeviceNetwork::choose_blocks(std::vector<NetworkSwitch> switches, u32 max_ports) {
  const u32 units = NetworkLayout::units(data_, 1), blocks = std::min(multiprocessors(), units);
  const u32 ports = NetworkLayout::deal(switches.data(), data_.fabric.switches, blocks);
  switches_ = DeviceArray<NetworkSwitch>(std::span<const NetworkSwitch>(switches));
  data_.at = switches_.data();
  const u32 warps = std::min(max_warps_of(max_ports), NetworkLayout::units(data_, blocks));
  for (const auto [is_fast, keeps] : {std::pair(true, true), std::pair(true, false), std::pair(false, false)})
    if (fits(keeps ? network_kernel<true>(max_ports) : network_kernel<false>(max_ports),
             NetworkLayout(data_, warps, blocks, ports, max_ports, keeps), is_fast))
      return;
  throw DeviceError("a network needs " + std::to_string(warps * lanes) + " threads of each multiprocessor");
}

void DeviceNetwork::run(const ReplicaRun& run, const ReplicaResults& out) {
  must(cudaMemset(tally_.data(), 0, sizeof(ReplicaTally)), "clearing device memory");
  must(cudaMemset(latency_.data(), 0, u64{data_.fabric.latencies} * sizeof(u32)), "clearing device memory");
  ReplicaRun copy = run;
  void* arguments[] = {&data_, &layout_, &memory_, &copy, &is_fast_};
  must(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel_), dim3(layout_.blocks),
                                   dim3(layout_.warps * lanes), arguments, is_fast_ ? layout_.bytes : 0,
                                   nullptr),
       "starting a kernel");
  const auto copy_back = [](auto* to, const auto& from, u64 size) {
    must(cudaMemcpy(to, from.data(), size * sizeof *to, cudaMemcpyDeviceToHost), "computing on the device");
  };
  copy_back(out.tally, tally_, 1);
  copy_back(out.channel_flits, channel_flits_, data_.ends);
  copy_back(out.waits_since, waits_since_, data_.fabric.nics);
  copy_back(out.latency, latency_, data_.fabric.latencies);
}

}  // namespace banyan::gpu
