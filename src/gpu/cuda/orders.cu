#include "gpu/cuda/orders.cuh"

#include <algorithm>
#include <utility>

#include "gpu/cuda/device_block.cuh"
#include "gpu/cuda/launch.cuh"
#include "gpu/order_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 chains_of_block = 4;

__global__ void __launch_bounds__(lanes* chains_of_block)
    search(const __grid_constant__ OrderData data, const OrderChains chains, u32 first, u32 count,
           u32* memory) {
  const u32 number = blockIdx.x * chains_of_block + threadIdx.x / lanes;
  if (number < count)
    run_order(DeviceWarp(), data, chains, first + number, memory + number * order_words(data));
}

}  // namespace

void search_orders(OrderData data, OrderChains chains, u32* out) {
  const DeviceCopies copies(data);
  const u64 seats = u64{chains.count} * data.ranks;
  const DeviceArray<u32> start(std::span<const u32>(chains.start, seats));
  chains.start = start.data();
  const Stream stream;
  size_t free = 0, all = 0;
  must(cudaMemGetInfo(&free, &all), "asking the device");
  const u64 words = order_words(data), fit = free / 10 * 9 / (words * sizeof(u32));
  const u32 at_once = static_cast<u32>(std::clamp<u64>(fit, 1, chains.count));
  const DeviceArray<u32> memory(at_once * words);
  for (u32 first = 0; first < chains.count; first += at_once) {
    const u32 count = std::min(at_once, chains.count - first);
    search<<<(count + chains_of_block - 1) / chains_of_block, lanes * chains_of_block, 0, stream>>>(
        data, chains, first, count, memory.data());
    must(cudaGetLastError(), "starting a kernel");
    stream.wait();
    must(cudaMemcpy2D(out + u64{first} * data.ranks, data.ranks * sizeof(u32), memory.data() + data.ranks,
                      words * sizeof(u32), data.ranks * sizeof(u32), count, cudaMemcpyDeviceToHost),
         "copying from the device");
  }
}

}  // namespace banyan::gpu
