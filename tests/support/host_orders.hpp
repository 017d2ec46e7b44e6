// Chains of a search for orders as a device runs them, in loops.
#pragma once
#include <algorithm>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/order_kernel.hpp"
#include "support/host_copies.hpp"

namespace banyan::tests {

struct HostOrderCalls {
  static const char* search(const gpu::OrderData* from, const gpu::OrderChains* chains, u32* out) {
    gpu::OrderData data = *from;
    const HostCopies copies(data);
    for (u32 chain = 0; chain < chains->count; ++chain) {
      std::vector<u32> memory(gpu::order_words(data), 0xA5A5A5A5);  // nothing is cleared
      gpu::run_order(gpu::HostWarp(), data, *chains, chain, memory.data());
      std::copy_n(memory.begin() + data.ranks, data.ranks, out + std::size_t{chain} * data.ranks);
    }
    return nullptr;
  }
  static const char* fail(const gpu::OrderData*, const gpu::OrderChains*, u32*) { return "it was told to"; }
};

}  // namespace banyan::tests
