// Replicas of the whole model as a device simulates them, in loops: of every two, one has its state near its
// block, and the other runs its threads backwards.
#pragma once
#include <memory>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/model_kernel.hpp"
#include "support/host_copies.hpp"

namespace banyan::tests {

struct HostModelCalls {
  inline static u32 max_packets = ~u32{0};  // that a replica may hold: for what happens when there are more

  static const char* make(const gpu::ModelData* data, const gpu::ModelStart* start, void** out) {
    *out = new Made(*data, *start);
    return nullptr;
  }
  static const char* begin(void* made, const gpu::ReplicaRun* runs) {
    static_cast<Made*>(made)->runs.assign(runs, runs + static_cast<Made*>(made)->count);
    return nullptr;
  }
  static const char* finish(void* made, const gpu::ModelResults* out) {
    static_cast<Made*>(made)->run(*out);
    return nullptr;
  }
  static const char* fail(void*, const gpu::ModelResults*) { return "it was told to"; }
  static void free(void* made) { const std::unique_ptr<Made> owner(static_cast<Made*>(made)); }

 private:
  struct Made {
    gpu::ModelData data;
    gpu::ModelLayout layout;
    u32 count;
    HostCopies copies;
    std::vector<u32> unused;
    std::vector<gpu::ModelNic> nics;
    std::vector<gpu::ReplicaTarget> targets;
    std::vector<gpu::ModelPacket> packets;
    std::vector<gpu::ModelPool> pools;
    std::vector<u64> state;
    std::vector<gpu::ReplicaRun> runs;

    Made(const gpu::ModelData& from, const gpu::ModelStart& start)
        : data(from),
          layout(from),
          count(start.replicas),
          copies(data),
          nics(start.nic, start.nic + std::size_t{from.fabric.nics} * count),
          targets(start.target, start.target + start.targets),
          pools(count, {0xA5A5, 0xA5A5}),
          state(std::size_t{layout.bytes} / 8 * count, 0xA5A5A5A5A5A5A5A5) {
      data.packets = std::min(data.packets, max_packets);
      packets.resize(std::size_t{data.packets} * count);
      unused.assign(packets.size(), 0xA5A5A5A5);
    }

    void run(const gpu::ModelResults& out) {
      std::fill_n(out.tally, count, gpu::ModelTally{});
      std::fill_n(out.latency, std::size_t{count} * 2 * data.fabric.latencies, 0);
      const gpu::ModelMemory memory{reinterpret_cast<u8*>(state.data()),
                                    nics.data(),
                                    packets.data(),
                                    unused.data(),
                                    pools.data(),
                                    targets.data(),
                                    out};
      for (u32 i = 0; i < count; ++i) {
        const bool is_even = i % 2 == 0;
        std::vector<u64> fast(layout.bytes / 8, 0xA5A5A5A5A5A5A5A5);
        gpu::run_model(gpu::HostThreads(is_even ? 64 : 7, !is_even), data, layout, memory, runs[i],
                       is_even ? reinterpret_cast<u8*>(fast.data()) : nullptr, i);
      }
    }
  };
};

}  // namespace banyan::tests
