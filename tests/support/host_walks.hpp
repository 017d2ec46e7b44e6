// Flows followed hop by hop as a device does it, in loops: two blocks, of which one runs its warps backwards.
#pragma once
#include <memory>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/walk_kernel.hpp"
#include "support/host_copies.hpp"

namespace banyan::tests {

// `block_bytes`: of the memory of a block; what does not fit is elsewhere.
template <u32 warps, u32 block_bytes>
struct HostWalkCalls {
  static const char* make(const gpu::WalkData* data, void** out) {
    *out = new Made(*data);
    return nullptr;
  }
  static const char* draw(void* made, const gpu::WalkDraws* draws, gpu::WalkLoads* out) {
    const gpu::WalkData& data = static_cast<Made*>(made)->data;
    const gpu::WalkLayout layout(data, warps, true, block_bytes);
    run(layout, [&](const Block& block, u8* memory, u32* far, u64 first) {
      if (data.port)
        gpu::walk_draws<gpu::TableSteps>(block, data, layout, memory, far, *draws, first, 2, out);
      else
        gpu::walk_draws<gpu::HashSteps>(block, data, layout, memory, far, *draws, first, 2, out);
    });
    return nullptr;
  }
  static const char* round(void* made, const gpu::WalkRounds* rounds, gpu::WalkLoads* out) {
    const gpu::WalkData& data = static_cast<Made*>(made)->data;
    const gpu::WalkLayout layout(data, warps, false, block_bytes);
    run(layout, [&](const Block& block, u8* memory, u32* far, u64 first) {
      gpu::walk_rounds<gpu::HashSteps>(block, data, layout, memory, far, *rounds, first, 2, out);
    });
    return nullptr;
  }
  static const char* fail_draw(void*, const gpu::WalkDraws*, gpu::WalkLoads*) { return "it was told to"; }
  static const char* fail_round(void*, const gpu::WalkRounds*, gpu::WalkLoads*) { return "it was told to"; }
  static void free(void* made) { const std::unique_ptr<Made> owner(static_cast<Made*>(made)); }

 private:
  using Block = gpu::HostBlock<warps>;

  static void run(const gpu::WalkLayout& layout, auto&& kernel) {
    for (const u64 block : {0, 1}) {
      std::vector<u64> memory(layout.bytes / sizeof(u64), 0xA5A5A5A5A5A5A5A5);  // nothing is cleared
      std::vector<u32> far(layout.are_loads_far ? layout.load_words : 0, 0xA5A5A5A5);
      kernel(Block(block == 1), reinterpret_cast<u8*>(memory.data()), far.data(), block);
    }
  }

  struct Made {
    gpu::WalkData data;
    HostCopies copies;

    explicit Made(const gpu::WalkData& from) : data(from), copies(data) {}
  };
};

}  // namespace banyan::tests
