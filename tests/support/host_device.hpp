// A device that is this machine's processors: the kernels of src/gpu, run in loops. It may fail on purpose.
#pragma once
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/device_calls.hpp"
#include "gpu/flit_kernel.hpp"
#include "gpu/host_block.hpp"
#include "gpu/replica_kernel.hpp"
#include "gpu/tag_kernel.hpp"
#include "support/host_model.hpp"
#include "support/host_network.hpp"
#include "support/host_orders.hpp"
#include "support/host_sweep.hpp"
#include "support/host_walks.hpp"

namespace banyan::tests {

// Where switches are small, a lane has a port, unless this is told otherwise.
template <u32 warps, bool by_ports = true>
class HostDevice {
 public:
  static const gpu::DeviceCalls& calls() {
    static const gpu::DeviceCalls out{find,
                                      make_tags,
                                      run_tags,
                                      free_made,
                                      make_replicas,
                                      begin_replicas,
                                      finish_replicas,
                                      free_replicas,
                                      HostNetworkCalls::make,
                                      HostNetworkCalls::run,
                                      HostNetworkCalls::free,
                                      HostSweepCalls<warps>::make,
                                      HostSweepCalls<warps>::run,
                                      HostSweepCalls<warps>::free,
                                      HostModelCalls::make,
                                      HostModelCalls::begin,
                                      HostModelCalls::finish,
                                      HostModelCalls::free,
                                      Walks::make,
                                      Walks::draw,
                                      Walks::round,
                                      Walks::free,
                                      HostOrderCalls::search};
    return out;
  }
  static const gpu::DeviceCalls& failing_calls() {
    static const gpu::DeviceCalls out{find,
                                      make_tags,
                                      fail_tags,
                                      free_made,
                                      make_replicas,
                                      begin_replicas,
                                      fail_replicas,
                                      free_replicas,
                                      HostNetworkCalls::make,
                                      HostNetworkCalls::fail,
                                      HostNetworkCalls::free,
                                      HostSweepCalls<warps>::make,
                                      HostSweepCalls<warps>::fail,
                                      HostSweepCalls<warps>::free,
                                      HostModelCalls::make,
                                      HostModelCalls::begin,
                                      HostModelCalls::fail,
                                      HostModelCalls::free,
                                      Walks::make,
                                      Walks::fail_draw,
                                      Walks::fail_round,
                                      Walks::free,
                                      HostOrderCalls::fail};
    return out;
  }

 private:
  // Of eight warps, counters are not in the memory of a block.
  using Walks = HostWalkCalls<warps, warps == 8 ? 0 : 1 << 20>;

  struct Made {
    gpu::TagData data;  // whose arrays are owned
  };

  static const char* find(gpu::DeviceFacts* out) {
    std::snprintf(out->name, sizeof out->name, "loops");
    out->block_bytes = 1 << 20;
    out->free_bytes = 1 << 18;  // a few small replicas
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

  // --- replicas: a block has three of them, or fewer at the end
  struct MadeReplicas {
    gpu::ReplicaFabric fabric;
    gpu::ReplicaLayout layout;
    u32 count;
    std::vector<u8> image, state;
    std::vector<gpu::ReplicaNic> nics;
    std::vector<gpu::ReplicaTarget> targets;
    std::vector<gpu::ReplicaPacket> packets;
    std::vector<gpu::WidePacket> packed;
    std::vector<u64> routes;
    std::vector<gpu::ReplicaNode> nodes;
    std::vector<gpu::ReplicaPort> ports;
    std::vector<u32> first_hop, nic_of_rank;
    std::vector<gpu::ReplicaHop> hops;
    std::vector<gpu::ReplicaRun> runs;
  };

  static const char* make_replicas(const gpu::ReplicaFabric* fabric, const gpu::ReplicaStart* start,
                                   void** out) {
    const auto list = [](auto* from, u64 size) { return std::vector(from, from + size); };
    auto made = std::make_unique<MadeReplicas>();
    made->fabric = *fabric;
    made->layout = gpu::ReplicaLayout(*fabric);
    made->count = start->replicas;
    made->image = list(start->image, made->layout.bytes);
    made->state.assign(
        std::size_t{std::max(made->layout.bytes, gpu::PortLayout(*fabric, gpu::kept_bytes).bytes)} *
            made->count,
        0xA5);
    made->nics = list(start->nic, u64{start->replicas} * fabric->nics);
    made->targets = list(start->target, start->targets);
    made->packets.resize(((u64{fabric->ports} * made->count) << fabric->shift) * fabric->places);
    made->packed.resize(made->packets.size());
    gpu::ReplicaFabric& copy = made->fabric;
    copy.node = (made->nodes = list(fabric->node, start->nodes)).data();
    copy.port = (made->ports = list(fabric->port, fabric->ports)).data();
    copy.first_hop = (made->first_hop = list(fabric->first_hop, u64{fabric->nics} * fabric->nics)).data();
    copy.hop = (made->hops = list(fabric->hop, start->hops)).data();
    copy.nic_of_rank = (made->nic_of_rank = list(fabric->nic_of_rank, start->ranks)).data();
    if (fabric->route)
      copy.route = (made->routes = list(fabric->route, u64{fabric->nics} * fabric->nics)).data();
    *out = made.release();
    return nullptr;
  }
  static const char* fail_replicas(void*, const gpu::ReplicaResults*) { return "it was told to"; }
  static void free_replicas(void* made) {
    const std::unique_ptr<MadeReplicas> owner(static_cast<MadeReplicas*>(made));
  }
  static const char* begin_replicas(void* made, const gpu::ReplicaRun* runs) {
    MadeReplicas& all = *static_cast<MadeReplicas*>(made);
    all.runs.assign(runs, runs + all.count);
    return nullptr;
  }
  static const char* finish_replicas(void* made, const gpu::ReplicaResults* out) {
    MadeReplicas& all = *static_cast<MadeReplicas*>(made);
    const gpu::ReplicaRun* const runs = all.runs.data();
    std::fill_n(out->tally, all.count, gpu::ReplicaTally{});
    std::fill_n(out->latency, u64{all.count} * all.fabric.latencies, 0);
    const gpu::ReplicaMemory memory{all.state.data(),   all.nics.data(),
                                    all.packets.data(), reinterpret_cast<u8*>(all.packed.data()),
                                    all.targets.data(), *out};
    if ((by_ports || all.fabric.moves_flits) && all.fabric.route)
      return run_by_ports(all, memory, runs), nullptr;
    constexpr u32 of_block = 3;
    for (u32 first = 0; first < all.count; first += of_block) {
      const bool is_even = first / of_block % 2 == 0;
      std::vector<u64> fast(is_even ? std::size_t{all.layout.bytes} * of_block / 8 : 0, 0xA5A5A5A5A5A5A5A5);
      gpu::run_replicas(gpu::HostThreads(is_even ? 32 * warps : 7, !is_even), all.fabric, all.layout, memory,
                        runs, all.image.data(), is_even ? reinterpret_cast<u8*>(fast.data()) : nullptr, first,
                        std::min(of_block, all.count - first));
    }
    return nullptr;
  }
  // Packets are kept in fast memory, or not.
  static void run_by_ports(const MadeReplicas& all, const gpu::ReplicaMemory& memory,
                           const gpu::ReplicaRun* runs) {
    const auto run = [&]<class Shape, u32 kept>(Shape, std::integral_constant<u32, kept>) {
      const gpu::PortLayout layout(all.fabric, kept * sizeof(typename Shape::Packet));
      using Block = gpu::HostBlock<warps>;
      const auto kernel = all.fabric.moves_flits ? gpu::run_ports<gpu::FlitPorts, Shape, kept, Block>
                                                 : gpu::run_ports<gpu::PacketPorts, Shape, kept, Block>;
      for (u32 i = 0; i < all.count; ++i) {
        std::vector<u64> fast(layout.bytes / 8, 0xA5A5A5A5A5A5A5A5);
        kernel(Block(i % 2 == 1), all.fabric, layout, memory, runs[i], reinterpret_cast<u8*>(fast.data()), i);
      }
      return true;
    };
    const auto tried = [&]<class Shape>(Shape shape) {
      if (!Shape::fits(all.fabric)) return false;
      return all.count % 2 == 0 ? run(shape, std::integral_constant<u32, 0>())
                                : run(shape, std::integral_constant<u32, Shape::kept>());
    };
    tried(gpu::KnownShape<u32, 2, 3, 1>()) || tried(gpu::KnownShape<u32, 2, 3>()) ||
        tried(gpu::KnownShape<u64, 2, 4, 1>()) || tried(gpu::KnownShape<u64, 2, 4>()) ||
        tried(gpu::AnyShape<u32>()) || tried(gpu::AnyShape<u64>());
  }
};

}  // namespace banyan::tests
