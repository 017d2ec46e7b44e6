#include "gpu/cuda/tags.cuh"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/cuda/device_block.cuh"
#include "gpu/tag_kernel.hpp"

namespace banyan::gpu {
namespace {

constexpr u32 threads = lanes * tag_warps;

template <u32 levels>
__global__ void __launch_bounds__(threads)
    count_samples(const __grid_constant__ TagData data, const __grid_constant__ TagLayout layout, u64 seed,
                  u64 first, u64 count, TagLoads* out) {
  extern __shared__ u64 memory[];
  tag_samples<levels>(DeviceBlock<tag_warps>(), data, layout, reinterpret_cast<u8*>(memory), seed, first,
                      blockIdx.x, count, gridDim.x, out);
}

template <u32... l>
DeviceTags::Kernel kernel_for(u32 levels, std::integer_sequence<u32, l...>) {
  const DeviceTags::Kernel all[] = {count_samples<l + 1>...};
  return all[levels - 1];
}

}  // namespace

DeviceTags::DeviceTags(const TagData& data)
    : data_(data),
      layout_(data, tag_warps),
      record_(std::span(data.record, std::size_t{data.ranks} * data.words)),
      start_(std::span(data.start, (data.ranks + 3) / 4)),
      kernel_(kernel_for(data.levels, std::make_integer_sequence<u32, max_tag_levels>())) {
  data_.record = record_.data();
  data_.start = start_.data();
  for (u32 l = 0; l < data.levels; ++l) {
    ranks_[l] = DeviceArray<u32>(std::span(data.level[l].ranks, data.level[l].subtrees));
    data_.level[l].ranks = ranks_[l].data();
  }
  must(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            static_cast<int>(layout_.bytes)),
       "taking a multiprocessor's memory");
  int multiprocessors = 0, blocks = 0, device = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "asking the device");
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, threads, layout_.bytes),
       "asking the device");
  if (blocks == 0)
    throw DeviceError("a sample needs " + std::to_string(layout_.bytes) +
                      " bytes of a multiprocessor's memory");
  blocks_ = static_cast<u32>(multiprocessors * blocks);
}

void DeviceTags::run(u64 seed, u64 first, u64 count, TagLoads* out) {
  u64 copied = 0;  // by the launch before
  const auto collect = [&](u64 launched) {
    const u64 size = std::min(at_once, count - launched);
    Half& half = halves_[launched / at_once % 2];
    half.stream.wait();
    std::memcpy(out + launched, half.copied.data(), size * sizeof(TagLoads));
    copied = launched + size;
  };
  for (u64 done = 0; done < count; done += at_once) {
    const u64 size = std::min(at_once, count - done);
    Half& half = halves_[done / at_once % 2];
    if (done >= 2 * at_once) collect(done - 2 * at_once);
    kernel_<<<static_cast<u32>(std::min<u64>(blocks_, size)), threads, layout_.bytes, half.stream>>>(
        data_, layout_, seed, first + done, size, half.found.data());
    must(cudaGetLastError(), "starting a kernel");
    must(cudaMemcpyAsync(half.copied.data(), half.found.data(), size * sizeof(TagLoads),
                         cudaMemcpyDeviceToHost, half.stream),
         "copying from the device");
  }
  while (copied < count) collect(copied);
}

}  // namespace banyan::gpu
