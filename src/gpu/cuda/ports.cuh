// How a device simulates replicas by ports (gpu/port_kernel.hpp): a block is a replica.
#pragma once
#include "gpu/port_data.hpp"

namespace banyan::gpu {

using PortKernel = void (*)(ReplicaFabric, PortLayout, ReplicaMemory, const ReplicaRun*);

struct PortPlan {
  PortLayout layout;
  PortKernel kernel = nullptr;  // none: the state of a replica does not fit
  u32 threads = 0;              // of a block

  explicit PortPlan(const ReplicaFabric& fabric);
  bool is_used() const { return kernel != nullptr; }
};

}  // namespace banyan::gpu
