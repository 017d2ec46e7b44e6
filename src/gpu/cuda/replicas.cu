#include "gpu/cuda/replicas.cuh"

#include <algorithm>

#include "gpu/cuda/device_block.cuh"
#include "gpu/replica_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 few_threads = 256, many_threads = 768;  // of a block

template <u32 max_threads>
__global__ void __launch_bounds__(max_threads, max_threads <= few_threads ? 4 : 1)
    simulate_replicas(const __grid_constant__ ReplicaFabric fabric,
                      const __grid_constant__ ReplicaLayout layout,
                      const __grid_constant__ ReplicaMemory memory, const ReplicaRun* runs, const u8* image,
                      u32 count, u32 of_block, bool is_fast) {
  extern __shared__ u64 fast[];
  const u32 first = blockIdx.x * of_block;
  run_replicas(DeviceThreads(), fabric, layout, memory, runs, image,
               is_fast ? reinterpret_cast<u8*>(fast) : nullptr, first,
               count - first < of_block ? count - first : of_block);
}

u32 in_warps(u32 threads) { return (threads + lanes - 1) / lanes * lanes; }

}  // namespace

PortPlan::PortPlan(const ReplicaFabric& fabric) {
  if (!fabric.route) return;
  int device = 0, most = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking the device");
  layout = PortLayout(fabric, kept_bytes);
  const bool is_worth_it = fabric.moves_flits || fabric.packet_flits == 1;  // else more blocks are better
  const bool keeps =
      is_small(fabric) && is_worth_it && keeping_blocks * layout.bytes <= static_cast<u32>(most);
  if (!keeps) layout = PortLayout(fabric, 0);
  if (layout.bytes > static_cast<u32>(most)) return;
  kernel = fabric.moves_flits ? flit_kernel(fabric, keeps) : packet_kernel(fabric, keeps);
  if (!kernel) return;
  threads = std::min(fabric.ports, is_small(fabric) ? few_threads : many_threads);
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            static_cast<int>(layout.bytes)),
       "taking a multiprocessor's memory");
}

DeviceReplicas::DeviceReplicas(const ReplicaFabric& fabric, const ReplicaStart& start)
    : fabric_(fabric),
      layout_(fabric),
      count_(start.replicas),
      nodes_(std::span(fabric.node, start.nodes)),
      ports_(std::span(fabric.port, fabric.ports)),
      first_hop_(std::span(fabric.first_hop, std::size_t{fabric.nics} * fabric.nics)),
      nic_of_rank_(std::span(fabric.nic_of_rank, start.ranks)),
      hops_(std::span(fabric.hop, start.hops)),
      logarithms_(std::span(fabric.logarithms, 1)),
      image_(std::span(start.image, layout_.bytes)),
      plan_(fabric),
      state_(u64{plan_.is_used() ? plan_.layout.bytes : layout_.bytes} * count_),
      nics_(std::span(start.nic, std::size_t{count_} * fabric.nics)),
      targets_(std::span(start.target, start.targets)),
      packets_(plan_.is_used() ? 0 : ((u64{fabric.ports} * count_) << fabric.shift) * fabric.places),
      packed_(plan_.is_used() ? ((u64{fabric.ports} * count_) << fabric.shift) * fabric.places : 0),
      routes_(std::span(fabric.route, fabric.route ? std::size_t{fabric.nics} * fabric.nics : 0)),
      runs_(count_),
      tally_(count_),
      channel_flits_(u64{fabric.ports} * count_),
      latency_(u64{fabric.latencies} * count_),
      waits_since_(u64{fabric.nics} * count_) {
  fabric_.node = nodes_.data();
  fabric_.port = ports_.data();
  fabric_.first_hop = first_hop_.data();
  fabric_.nic_of_rank = nic_of_rank_.data();
  fabric_.hop = hops_.data();
  fabric_.route = routes_.data();
  fabric_.logarithms = logarithms_.data();
  memory_ = {state_.data(),   nics_.data(),
             packets_.data(), reinterpret_cast<u8*>(packed_.data()),
             targets_.data(), {tally_.data(), channel_flits_.data(), latency_.data(), waits_since_.data()}};
  must(cudaMemset(latency_.data(), 0, u64{fabric.latencies} * count_ * sizeof(u32)),
       "clearing device memory");
  must(cudaStreamSynchronize(nullptr), "clearing device memory");
  if (plan_.is_used()) return;
  if (fabric.moves_flits)
    throw DeviceError("a simulation needs " + std::to_string(PortLayout(fabric, 0).bytes) +
                      " bytes of a multiprocessor's memory");
  choose_blocks();
}

// Several small replicas share a block, so that few lanes of its warps are without a switch.
void DeviceReplicas::choose_blocks() {
  int device = 0, most = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking the device");
  const auto waste = [&](u32 of_block) {
    const u32 used = of_block * fabric_.switches;
    return static_cast<double>(in_warps(used) - used) / in_warps(used);
  };
  for (u32 n = 2; n <= 16 && n * fabric_.switches <= 128 && 4 * n * layout_.bytes <= static_cast<u32>(most);
       ++n)
    if (waste(n) < waste(of_block_)) of_block_ = n;
  threads_ =
      std::min(many_threads, in_warps(of_block_ * fabric_.switches) + in_warps(of_block_ * fabric_.nics));
  if (of_block_ * layout_.bytes <= static_cast<u32>(most)) fast_bytes_ = of_block_ * layout_.bytes;
  for (const auto kernel : {simulate_replicas<few_threads>, simulate_replicas<many_threads>})
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(fast_bytes_)),
         "taking a multiprocessor's memory");
}

void DeviceReplicas::begin(const ReplicaRun* runs) {
  must(cudaMemcpyAsync(runs_.data(), runs, count_ * sizeof(ReplicaRun), cudaMemcpyHostToDevice, stream_),
       "copying to the device");
  must(cudaMemsetAsync(tally_.data(), 0, count_ * sizeof(ReplicaTally), stream_), "clearing device memory");
  if (plan_.is_used())
    plan_.kernel<<<count_, plan_.threads, plan_.layout.bytes, stream_>>>(fabric_, plan_.layout, memory_,
                                                                         runs_.data());
  else
    run_by_switches();
  must(cudaGetLastError(), "starting a kernel");
}

void DeviceReplicas::run_by_switches() {
  const auto kernel =
      threads_ <= few_threads ? simulate_replicas<few_threads> : simulate_replicas<many_threads>;
  kernel<<<(count_ + of_block_ - 1) / of_block_, threads_, fast_bytes_, stream_>>>(
      fabric_, layout_, memory_, runs_.data(), image_.data(), count_, of_block_, fast_bytes_ > 0);
}

void DeviceReplicas::finish(const ReplicaResults& out) {
  const auto copy = [this](auto* to, const auto& from, u64 size) {
    must(cudaMemcpyAsync(to, from.data(), size * sizeof *to, cudaMemcpyDeviceToHost, stream_),
         "computing on the device");
  };
  copy(out.tally, tally_, count_);
  copy(out.channel_flits, channel_flits_, u64{fabric_.ports} * count_);
  copy(out.waits_since, waits_since_, u64{fabric_.nics} * count_);
  stream_.wait();
  copy_latencies(out.tally, out.latency);
}

// Only slots up to the largest latency are in use.
void DeviceReplicas::copy_latencies(const ReplicaTally* tally, u32* latency) {
  u64 largest = 0;
  for (u32 i = 0; i < count_; ++i) largest = std::max(largest, tally[i].max_latency);
  const u64 pitch = u64{fabric_.latencies} * sizeof(u32), width = (histogram_slot(largest) + 1) * sizeof(u32);
  std::fill_n(latency, u64{count_} * fabric_.latencies, 0);
  must(cudaMemcpy2DAsync(latency, pitch, latency_.data(), pitch, width, count_, cudaMemcpyDeviceToHost,
                         stream_),
       "copying from the device");
  must(cudaMemset2DAsync(latency_.data(), pitch, 0, width, count_, stream_), "clearing device memory");
  stream_.wait();
}

}  // namespace banyan::gpu
