#include "gpu/cuda/port_kernels.cuh"

namespace banyan::gpu {

PortKernel packet_kernel(const ReplicaFabric& fabric, bool keeps) {
  return port_kernel<PacketPorts, PortShape<u32, 2, 3, 1>, PortShape<u32, 2, 3>, PortShape<u64, 2, 4, 1>,
                     PortShape<u64, 2, 4>, PortShape<u32>, PortShape<u64>>(fabric, keeps);
}

}  // namespace banyan::gpu
