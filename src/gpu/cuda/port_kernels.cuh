// Kernels that simulate replicas by ports, for fabrics that they were compiled for, and for others.
#pragma once
#include "gpu/cuda/device_block.cuh"
#include "gpu/cuda/ports.cuh"
#include "gpu/flit_kernel.hpp"

namespace banyan::gpu {

// A block is a replica. So many blocks shall fit into a multiprocessor.
template <template <class, class, u32> class Ports, class Shape, u32 kept, u32 max_threads, u32 blocks>
__global__ void __launch_bounds__(max_threads, blocks)
    simulate_ports(const __grid_constant__ ReplicaFabric fabric, const __grid_constant__ PortLayout layout,
                   const __grid_constant__ ReplicaMemory memory, const ReplicaRun* runs) {
  extern __shared__ uint4 fast[];
  run_ports<Ports, Shape, kept>(DeviceWarps(), fabric, layout, memory, runs[blockIdx.x],
                                reinterpret_cast<u8*>(fast), blockIdx.x);
}

// The first of these shapes that fits.
template <template <class, class, u32> class Ports, class Shape, class... Shapes>
PortKernel port_kernel(const ReplicaFabric& fabric, bool keeps) {
  using In = PortPlan;
  if (!Shape::fits(fabric)) {
    if constexpr (sizeof...(Shapes) > 0) return port_kernel<Ports, Shapes...>(fabric, keeps);
    return nullptr;
  }
  if (!In::is_small(fabric)) return simulate_ports<Ports, Shape, 0, In::many_threads, 1>;
  return keeps ? simulate_ports<Ports, Shape, Shape::kept, In::few_threads, In::keeping_blocks>
               : simulate_ports<Ports, Shape, 0, In::few_threads, In::blocks>;
}

}  // namespace banyan::gpu
