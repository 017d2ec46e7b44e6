#include "gpu/cuda/port_kernels.cuh"

namespace banyan::gpu {

PortKernel flit_kernel(const ReplicaFabric& fabric, bool keeps) {
  return port_kernel<FlitPorts, KnownShape<u32, 2, 3>, KnownShape<u64, 2, 4>, AnyShape<u32>, AnyShape<u64>>(
      fabric, keeps);
}

}  // namespace banyan::gpu
