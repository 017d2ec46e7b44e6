#include "gpu/cuda/walks.cuh"

#include <algorithm>

#include "gpu/cuda/device_block.cuh"
#include "gpu/walk_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 threads = lanes * walk_warps;

template <class Steps>
__global__ void __launch_bounds__(threads)
    count_drawn(const __grid_constant__ WalkData data, const __grid_constant__ WalkLayout layout,
                const WalkDraws draws, u32* far_loads, WalkLoads* out) {
  extern __shared__ u64 memory[];
  walk_draws<Steps>(DeviceBlock<walk_warps>(), data, layout, reinterpret_cast<u8*>(memory),
                    far_loads + std::size_t{blockIdx.x} * layout.load_words, draws, blockIdx.x, gridDim.x,
                    out);
}

__global__ void __launch_bounds__(threads)
    count_rounds(const __grid_constant__ WalkData data, const __grid_constant__ WalkLayout layout,
                 const WalkRounds rounds, u32* far_loads, WalkLoads* out) {
  extern __shared__ u64 memory[];
  walk_rounds<HashSteps>(DeviceBlock<walk_warps>(), data, layout, reinterpret_cast<u8*>(memory),
                         far_loads + std::size_t{blockIdx.x} * layout.load_words, rounds, blockIdx.x,
                         gridDim.x, out);
}

}  // namespace

DeviceWalks::DeviceWalks(const WalkData& data) : data_(data), copies_(data_), max_bytes_(max_block_bytes()) {}

template <class Kernel>
u32 DeviceWalks::prepared(Kernel kernel, const WalkLayout& layout, u64 all) {
  const u32 blocks = blocks_at_once(kernel, threads, layout.bytes, "a sample");
  const u32 out = static_cast<u32>(std::min<u64>(blocks, all));
  if (layout.are_loads_far) far_loads_ = DeviceArray<u32>(u64{out} * layout.load_words);
  return out;
}

void DeviceWalks::run(WalkDraws draws, WalkLoads* out) {
  if (draws.count == 0) return;
  u64* const histogram = draws.histogram;  // here
  const DeviceArray<u64> counted =
      draws.bins > 0 ? DeviceArray<u64>(std::span<const u64>(histogram, draws.bins)) : DeviceArray<u64>();
  draws.histogram = counted.data();
  const WalkLayout layout(data_, walk_warps, true, max_bytes_);
  const auto kernel = data_.port ? count_drawn<TableSteps> : count_drawn<HashSteps>;
  const u32 blocks = prepared(kernel, layout, draws.count);
  const DeviceArray<WalkLoads> found(draws.count);
  kernel<<<blocks, threads, layout.bytes, stream_>>>(data_, layout, draws, far_loads_.data(), found.data());
  collect(stream_, found, draws.count, out);
  if (histogram) collect(stream_, counted, draws.bins, histogram);
}

void DeviceWalks::run(WalkRounds rounds, WalkLoads* out) {
  const u64 all = rounds.hashes * rounds.rounds;
  if (all == 0) return;
  const DeviceCopies copies(rounds);
  const WalkLayout layout(data_, walk_warps, false, max_bytes_);
  const u32 blocks = prepared(count_rounds, layout, all);
  const DeviceArray<WalkLoads> found(all);
  count_rounds<<<blocks, threads, layout.bytes, stream_>>>(data_, layout, rounds, far_loads_.data(),
                                                           found.data());
  collect(stream_, found, all, out);
}

}  // namespace banyan::gpu
