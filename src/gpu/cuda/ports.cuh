// How a device simulates replicas by ports (gpu/port_kernel.hpp): a block is a replica.
#pragma once
#include "gpu/port_data.hpp"

namespace banyan::gpu {

using PortKernel = void (*)(ReplicaFabric, PortLayout, ReplicaMemory, const ReplicaRun*);

// Null: none fits. `keeps`: a few packets of each buffer are in the memory of the multiprocessor.
PortKernel packet_kernel(const ReplicaFabric& fabric, bool keeps);
PortKernel flit_kernel(const ReplicaFabric& fabric, bool keeps);

struct PortPlan {
  static constexpr u32 few_threads = 384, many_threads = 1024;  // of a block
  static constexpr u32 blocks = 5, keeping_blocks = 4;          // of few threads, on a multiprocessor

  PortLayout layout;
  PortKernel kernel = nullptr;  // none: the state of a replica does not fit
  u32 threads = 0;              // of a block

  explicit PortPlan(const ReplicaFabric& fabric);
  bool is_used() const { return kernel != nullptr; }
  static bool is_small(const ReplicaFabric& fabric) { return fabric.ports <= 2 * few_threads; }
};

}  // namespace banyan::gpu
