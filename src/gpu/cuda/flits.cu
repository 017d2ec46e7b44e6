#include "gpu/cuda/port_kernels.cuh"

namespace banyan::gpu {

PortKernel flit_kernel(const ReplicaFabric& fabric, bool keeps) {
  return port_kernel<FlitPorts, PortShape<u32, 2, 3>, PortShape<u64, 2, 4>, PortShape<u32>, PortShape<u64>>(
      fabric, keeps);
}

}  // namespace banyan::gpu
