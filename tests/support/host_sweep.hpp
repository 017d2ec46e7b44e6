// Loads after changes of tables as a device counts them, in loops: two blocks, of which one runs its warps
// backwards.
#pragma once
#include <memory>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/sweep_kernel.hpp"
#include "support/host_copies.hpp"

namespace banyan::tests {

template <u32 warps>
struct HostSweepCalls {
  static const char* make(const gpu::SweepData* data, void** out) {
    *out = new Made(*data);
    return nullptr;
  }
  static const char* run(void* made, const gpu::SweepVictims* victims, u32* out) {
    for (const u64 block : {0, 1}) {
      const auto memory = std::make_unique<gpu::SweepMemory[]>(warps);
      for (u32 w = 0; w < warps; ++w) memory[w].moves = memory[w].counter = 0xA5A5;  // nothing is cleared
      gpu::sweep_samples(gpu::HostBlock<warps>(block == 1), static_cast<Made*>(made)->data, *victims,
                         memory.get(), block, 2, out);
    }
    return nullptr;
  }
  static const char* fail(void*, const gpu::SweepVictims*, u32*) { return "it was told to"; }
  static void free(void* made) { const std::unique_ptr<Made> owner(static_cast<Made*>(made)); }

 private:
  struct Made {
    gpu::SweepData data;
    HostCopies copies;

    explicit Made(const gpu::SweepData& from) : data(from), copies(data) {}
  };
};

}  // namespace banyan::tests
