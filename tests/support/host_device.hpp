// A device that is this machine's processors: the kernels of src/gpu, run in loops. It may fail on purpose.
#pragma once
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/tag_kernel.hpp"

namespace banyan::tests {

template <u32 warps>
class HostDevice {
 public:
  static const gpu::DeviceCalls& calls() {
    static const gpu::DeviceCalls out{find, make_tags, run_tags, free_made};
    return out;
  }
  static const gpu::DeviceCalls& failing_calls() {
    static const gpu::DeviceCalls out{find, make_tags, fail_tags, free_made};
    return out;
  }

 private:
  struct Made {
    gpu::TagData data;  // whose arrays are owned
  };

  static const char* find(gpu::DeviceFacts* out) {
    std::snprintf(out->name, sizeof out->name, "loops");
    out->block_bytes = 1 << 20;
    return nullptr;
  }
  static const char* make_tags(const gpu::TagData* data, void** out) {
    *out = new Made{copied(*data)};
    return nullptr;
  }
  static const char* fail_tags(void*, u64, u64, u64, gpu::TagLoads*) { return "it was told to"; }
  static void free_made(void* made) {
    const std::unique_ptr<Made> owner(static_cast<Made*>(made));
    delete[] owner->data.record;
    delete[] owner->data.start;
    for (const gpu::TagLevelData& level : owner->data.level) delete[] level.ranks;
  }

  template <class T>
  static const T* copied(const T* from, std::size_t count) {
    T* const out = new T[count];
    std::copy(from, from + count, out);
    return out;
  }
  static gpu::TagData copied(gpu::TagData data) {
    data.record = copied(data.record, std::size_t{data.ranks} * data.words);
    data.start = copied(data.start, (data.ranks + 3) / 4);
    for (u32 l = 0; l < data.levels; ++l)
      data.level[l].ranks = copied(data.level[l].ranks, data.level[l].subtrees);
    return data;
  }

  static const char* run_tags(void* made, u64 seed, u64 first, u64 count, gpu::TagLoads* out) {
    const gpu::TagData& data = static_cast<Made*>(made)->data;
    const auto by_levels = [&]<u32... l>(std::integer_sequence<u32, l...>) {
      ((data.levels == l + 1 ? run<l + 1>(data, seed, first, count, out) : void()), ...);
    };
    by_levels(std::make_integer_sequence<u32, gpu::max_tag_levels>());
    return nullptr;
  }
  // Two blocks, of which one runs its warps backwards.
  template <u32 levels>
  static void run(const gpu::TagData& data, u64 seed, u64 first, u64 count, gpu::TagLoads* out) {
    const gpu::TagLayout layout(data, warps);
    for (const u64 block : {0, 1}) {
      std::vector<u64> memory(layout.bytes / sizeof(u64),
                              0xA5A5A5A5A5A5A5A5);  // nothing is cleared for a kernel
      gpu::tag_samples<levels>(gpu::HostBlock<warps>(block == 1), data, layout,
                               reinterpret_cast<u8*>(memory.data()), seed, first, block, count, 2, out);
    }
  }
};

}  // namespace banyan::tests
