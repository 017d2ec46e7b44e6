#include "gpu/cuda/ports.cuh"

#include <algorithm>

#include "gpu/cuda/device_block.cuh"
#include "gpu/cuda/memory.cuh"
#include "gpu/flit_kernel.hpp"

namespace banyan::gpu {
namespace {

#ifndef BANYAN_BLOCKS
#define BANYAN_BLOCKS 4
#endif
#ifndef BANYAN_PLACES
#define BANYAN_PLACES 1
#endif
#ifndef BANYAN_WARPS
#define BANYAN_WARPS 12
#endif
#ifndef BANYAN_BIG
#define BANYAN_BIG 1024
#endif
#ifndef BANYAN_FIT
#define BANYAN_FIT 4
#endif
constexpr u32 small_threads = 32 * BANYAN_WARPS, small_blocks = BANYAN_BLOCKS;

// A block is a replica.
template <template <class, class, u32> class Ports, class Mask, u32 places, u32 max_threads, u32 blocks>
__global__ void __launch_bounds__(max_threads, blocks)
    simulate_ports(const __grid_constant__ ReplicaFabric fabric, const __grid_constant__ PortLayout layout,
                   const __grid_constant__ ReplicaMemory memory, const ReplicaRun* runs) {
  extern __shared__ uint4 kept[];
  run_ports<Ports, Mask, places>(DeviceWarps(), fabric, layout, memory, runs[blockIdx.x],
                                 reinterpret_cast<u8*>(kept), blockIdx.x);
}

template <template <class, class, u32> class Ports, class Mask>
PortKernel kernel_of(u32 places, bool is_small) {
  if (is_small)
    return places > 0 ? simulate_ports<Ports, Mask, BANYAN_PLACES, small_threads, small_blocks>
                      : simulate_ports<Ports, Mask, 0, small_threads, small_blocks>;
  return places > 0 ? simulate_ports<Ports, Mask, BANYAN_PLACES, BANYAN_BIG, 1>
                    : simulate_ports<Ports, Mask, 0, BANYAN_BIG, 1>;
}
template <template <class, class, u32> class Ports>
PortKernel kernel_of(const ReplicaFabric& fabric, u32 places, bool is_small) {
  return fabric.slots <= 32 ? kernel_of<Ports, u32>(places, is_small)
                            : kernel_of<Ports, u64>(places, is_small);
}

}  // namespace

PortPlan::PortPlan(const ReplicaFabric& fabric) {
  if (!fabric.route) return;
  int device = 0, most = 0;
  must(cudaGetDevice(&device), "finding the device");
  must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking the device");
  const bool is_small = fabric.ports <= 512;
  for (const u32 places : {u32{BANYAN_PLACES}, 0u}) {
    layout = PortLayout(fabric, places);
    if ((is_small && places > 0 ? BANYAN_FIT : 1) * layout.bytes > static_cast<u32>(most)) continue;
    threads = std::min(fabric.ports, is_small ? small_threads : u32{BANYAN_BIG});
    kernel = fabric.moves_flits ? kernel_of<FlitPorts>(fabric, places, is_small)
                                : kernel_of<PacketPorts>(fabric, places, is_small);
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(layout.bytes)),
         "taking a multiprocessor's memory");
    return;
  }
}

}  // namespace banyan::gpu
