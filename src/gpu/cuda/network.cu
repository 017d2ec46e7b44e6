#include "gpu/cuda/network.cuh"

#include <algorithm>

#include "gpu/cuda/device_block.cuh"
#include "gpu/network_kernel.hpp"

namespace banyan::gpu {
namespace {

template <bool has_one, u32 max_threads, u32 min_blocks>
__global__ void __launch_bounds__(max_threads, min_blocks)
    simulate_network(const __grid_constant__ NetworkData data, const __grid_constant__ NetworkLayout layout,
                     const __grid_constant__ NetworkMemory memory, const ReplicaRun run, bool is_fast) {
  extern __shared__ u64 fast[];
  u8* const own = is_fast ? reinterpret_cast<u8*>(fast) : memory.state + u64{blockIdx.x} * layout.bytes;
  const NetworkBlock<DeviceTeam, has_one> block(data, layout, memory, run, own, blockIdx.x);
  NetworkThreads<DeviceTeam> threads;
  threads.counts[0] = {};
  block.begin(DeviceTeam(), threads);
  for (u32 now = run.first; now < run.first + run.cycles; ++now) block.cycle(DeviceTeam(), threads, now);
  block.end(DeviceTeam(), threads);
}

template <bool has_one>
auto network_kernel(u32 threads) {
  return threads <= 64   ? simulate_network<has_one, 64, 14>
         : threads <= 96 ? simulate_network<has_one, 96, 10>
                         : simulate_network<has_one, 256, 3>;
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
      switches_(std::span(data.at, data.fabric.switches)),
      routes_(std::span(data.route, start.routes)),
      nic_of_rank_(std::span(data.fabric.nic_of_rank, start.ranks)),
      logarithms_(std::span(data.fabric.logarithms, 1)),
      nics_(std::span(start.nic, data.fabric.nics)),
      targets_(std::span(start.target, start.targets)),
      words_(u64{data.ends} << data.ring_bits),
      waiting_(u64{data.ends} * data.fabric.lanes * data.places),
      tally_(1),
      channel_flits_(data.ends),
      latency_(data.fabric.latencies),
      waits_since_(data.fabric.nics) {
  data_.end = ends_.data();
  data_.at = switches_.data();
  data_.route = routes_.data();
  data_.fabric.nic_of_rank = nic_of_rank_.data();
  data_.fabric.logarithms = logarithms_.data();
  choose_blocks(start.max_ports);
  state_ = DeviceArray<u8>(u64{layout_.blocks} * layout_.bytes);
  if (!layout_.has_fronts) fronts_ = DeviceArray<u64>(u64{data.ends} * NetworkData::max_lanes);
  memory_ = {words_.data(),
             waiting_.data(),
             fronts_.data(),
             state_.data(),
             nics_.data(),
             targets_.data(),
             {tally_.data(), channel_flits_.data(), latency_.data(), waits_since_.data()}};
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
  must(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(layout.threads), bytes),
      "asking the device");
  if (static_cast<u32>(blocks) * multiprocessors() < layout.blocks) return false;
  kernel_ = kernel;
  layout_ = layout;
  is_fast_ = is_fast;
  return true;
}

// As many blocks as there can be; the state, and with it the fronts of buffers, near them if they fit.
void DeviceNetwork::choose_blocks(u32 max_ports) {
  constexpr u32 max_resident = 32;
  const u32 threads = std::max(2 * lanes, (max_ports + lanes - 1) / lanes * lanes), own = multiprocessors();
  for (const auto [is_fast, keeps] : {std::pair(true, true), std::pair(true, false), std::pair(false, false)})
    for (u32 resident = max_resident; resident > 0; --resident) {
      const NetworkLayout layout(data_, threads, resident * own, keeps);
      if (fits(layout.has_one ? network_kernel<true>(threads) : network_kernel<false>(threads), layout,
               is_fast))
        return;
    }
  throw DeviceError("no block of a network fits into a multiprocessor");
}

void DeviceNetwork::run(const ReplicaRun& run, const ReplicaResults& out) {
  must(cudaMemset(tally_.data(), 0, sizeof(ReplicaTally)), "clearing device memory");
  must(cudaMemset(latency_.data(), 0, u64{data_.fabric.latencies} * sizeof(u32)), "clearing device memory");
  ReplicaRun copy = run;
  void* arguments[] = {&data_, &layout_, &memory_, &copy, &is_fast_};
  must(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel_), dim3(layout_.blocks),
                                   dim3(layout_.threads), arguments, is_fast_ ? layout_.bytes : 0, nullptr),
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
