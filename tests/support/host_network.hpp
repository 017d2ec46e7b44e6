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
  // As many blocks, at most; 0: one for each switch and group of NICs. Warps of a block; whether blocks keep
  // the buffers.
  inline static u32 max_blocks = 0, warps = 2;
  inline static bool keeps_buffers = true;

  static const char* make(const gpu::NetworkData* data, const gpu::NetworkStart* start, void** out) {
    *out = new Made(*data, *start);
    return nullptr;
  }
  static const char* run(void* made, const gpu::ReplicaRun* run, const gpu::ReplicaResults* out) {
    Made& network = *static_cast<Made*>(made);
    if (keeps_buffers)
      network.run_parts<true>(*run, *out);
    else
      network.run_parts<false>(*run, *out);
    return nullptr;
  }
  static const char* fail(void*, const gpu::ReplicaRun*, const gpu::ReplicaResults*) {
    return "it was told to";
  }
  static void free(void* made) { const std::unique_ptr<Made> owner(static_cast<Made*>(made)); }

 private:
  struct Made {
    gpu::NetworkData data;
    u32 max_ports;
    gpu::NetworkLayout layout;
    std::vector<gpu::NetworkEnd> ends;
    std::vector<gpu::NetworkSwitch> switches;
    std::vector<u32> routes, nic_of_rank;
    std::vector<gpu::ReplicaNic> nics;
    std::vector<gpu::ReplicaTarget> targets;
    std::vector<u64> words, buffers;
    std::vector<u8> state;

    Made(const gpu::NetworkData& from, const gpu::NetworkStart& start)
        : data(from),
          max_ports(start.max_ports),
          ends(from.end, from.end + from.ends),
          switches(from.at, from.at + from.fabric.switches),
          routes(from.route, from.route + start.routes),
          nic_of_rank(from.fabric.nic_of_rank, from.fabric.nic_of_rank + start.ranks),
          nics(start.nic, start.nic + from.fabric.nics),
          targets(start.target, start.target + start.targets),
          words(std::size_t{from.ends} << from.ring_bits, ~u64{0}),
          buffers(std::size_t{from.ends} * from.fabric.lanes * from.fabric.capacity, 0xA5A5) {
      const u32 units = gpu::NetworkLayout::units(data, 1),
                blocks = max_blocks ? std::min(max_blocks, units) : units;
      const u32 ports = gpu::NetworkLayout::deal(switches.data(), data.fabric.switches, blocks);
      layout = gpu::NetworkLayout(data, warps, blocks, ports, max_ports, keeps_buffers);
      state.assign(std::size_t{blocks} * layout.bytes, 0xA5);
      data.end = ends.data();
      data.at = switches.data();
      data.route = routes.data();
      data.fabric.nic_of_rank = nic_of_rank.data();
    }

    template <bool keeps>
    void run_parts(const gpu::ReplicaRun& run, const gpu::ReplicaResults& out) {
      if (max_ports <= gpu::lanes)
        this->run<1, keeps>(run, out);
      else if (max_ports <= 2 * gpu::lanes)
        this->run<2, keeps>(run, out);
      else if (max_ports <= 3 * gpu::lanes)
        this->run<3, keeps>(run, out);
      else
        this->run<8, keeps>(run, out);
    }
    template <u32 parts, bool keeps>
    void run(const gpu::ReplicaRun& run, const gpu::ReplicaResults& out) {
      using Warp = gpu::NetworkWarp<gpu::HostTeam, parts, keeps>;
      *out.tally = {};
      std::fill_n(out.latency, data.fabric.latencies, 0);
      const gpu::NetworkMemory memory{words.data(), buffers.data(), state.data(),
                                      nics.data(),  targets.data(), out};
      std::vector<Warp> all;
      std::vector<typename Warp::Threads> threads(std::size_t{layout.blocks} * layout.warps);
      for (u32 b = 0; b < layout.blocks; ++b)
        for (u32 w = 0; w < layout.warps; ++w) {
          all.emplace_back(data, layout, memory, run, memory_of(b), b, w);
          all.back().begin(gpu::HostTeam(w % 2 == 1), threads[all.size() - 1]);
        }
      for (u32 now = run.first; now < run.first + run.cycles; ++now)
        for (u32 i = 0; i < all.size(); ++i) {
          const std::size_t w = now % 2 == 0 ? i : all.size() - 1 - i;
          all[w].advance(gpu::HostTeam(w % 2 == 1), threads[w], now + 1);
        }
      for (u32 w = 0; w < all.size(); ++w) all[w].end(gpu::HostTeam(), threads[w]);
    }
    u8* memory_of(u32 block) { return state.data() + std::size_t{block} * layout.bytes; }
  };
};

}  // namespace banyan::tests
