// One network as a device simulates it, in loops: blocks take turns cycle by cycle, in either order.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/host_block.hpp"
#include "gpu/network_kernel.hpp"

namespace banyan::tests {

struct HostNetworkCalls {
  // As many blocks, at most; 0: one for each switch and group of NICs. Whether blocks keep the fronts.
  inline static u32 max_blocks = 0;
  inline static bool keeps_fronts = true;

  static const char* make(const gpu::NetworkData* data, const gpu::NetworkStart* start, void** out) {
    *out = new Made(*data, *start);
    return nullptr;
  }
  static const char* run(void* made, const gpu::ReplicaRun* run, const gpu::ReplicaResults* out) {
    Made& network = *static_cast<Made*>(made);
    if (network.layout.has_one)
      network.run<true>(*run, *out);
    else
      network.run<false>(*run, *out);
    return nullptr;
  }
  static const char* fail(void*, const gpu::ReplicaRun*, const gpu::ReplicaResults*) {
    return "it was told to";
  }
  static void free(void* made) { const std::unique_ptr<Made> owner(static_cast<Made*>(made)); }

 private:
  struct Made {
    gpu::NetworkData data;
    gpu::NetworkLayout layout;
    std::vector<gpu::NetworkEnd> ends;
    std::vector<gpu::NetworkSwitch> switches;
    std::vector<u32> routes, nic_of_rank;
    std::vector<gpu::ReplicaNic> nics;
    std::vector<gpu::ReplicaTarget> targets;
    std::vector<u64> words, waiting, fronts;
    std::vector<std::vector<u64>> fast;
    std::vector<u8> state;

    Made(const gpu::NetworkData& from, const gpu::NetworkStart& start)
        : data(from),
          layout(from, (start.max_ports + gpu::lanes - 1) / gpu::lanes * gpu::lanes,
                 max_blocks ? max_blocks : ~u32{0}, keeps_fronts),
          ends(from.end, from.end + from.ends),
          switches(from.at, from.at + from.fabric.switches),
          routes(from.route, from.route + start.routes),
          nic_of_rank(from.fabric.nic_of_rank, from.fabric.nic_of_rank + start.ranks),
          nics(start.nic, start.nic + from.fabric.nics),
          targets(start.target, start.target + start.targets),
          words(std::size_t{from.ends} << from.ring_bits, ~u64{0}),
          waiting(std::size_t{from.ends} * from.fabric.lanes * from.places, 0xA5A5),
          fronts(std::size_t{from.ends} * gpu::NetworkData::max_lanes, 0xA5A5),
          fast(layout.blocks),
          state(std::size_t{layout.blocks} * layout.bytes, 0xA5) {
      data.end = ends.data();
      data.at = switches.data();
      data.route = routes.data();
      data.fabric.nic_of_rank = nic_of_rank.data();
    }

    template <bool has_one>
    void run(const gpu::ReplicaRun& run, const gpu::ReplicaResults& out) {
      using Block = gpu::NetworkBlock<gpu::HostTeam, has_one>;
      *out.tally = {};
      std::fill_n(out.latency, data.fabric.latencies, 0);
      const gpu::NetworkMemory memory{
          words.data(), waiting.data(), fronts.data(), state.data(), nics.data(), targets.data(), out};
      std::vector<Block> blocks;
      std::vector<typename Block::Threads> threads(layout.blocks);
      for (u32 b = 0; b < layout.blocks; ++b) {
        fast[b].assign(layout.bytes / 8, 0xA5A5A5A5A5A5A5A5);
        const bool is_fast = b % 3 != 0;
        blocks.emplace_back(
            data, layout, memory, run,
            is_fast ? reinterpret_cast<u8*>(fast[b].data()) : state.data() + std::size_t{b} * layout.bytes,
            b);
        blocks[b].begin(team(b), threads[b]);
      }
      for (u32 now = run.first; now < run.first + run.cycles; ++now)
        for (u32 i = 0; i < layout.blocks; ++i) {
          const u32 b = now % 2 == 0 ? i : layout.blocks - 1 - i;
          blocks[b].cycle(team(b), threads[b], now);
        }
      for (u32 b = 0; b < layout.blocks; ++b) blocks[b].end(team(b), threads[b]);
    }
    gpu::HostTeam team(u32 block) const { return gpu::HostTeam(layout.threads, block % 2 == 1); }
  };
};

}  // namespace banyan::tests
