// One network on a device: all its blocks are there at once, and their warps have some of the nodes each.
#pragma once
#include <vector>

#include "gpu/cuda/memory.cuh"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

class DeviceNetwork {
 public:
  DeviceNetwork(const NetworkData& data, const NetworkStart& start);
  void run(const ReplicaRun& run, const ReplicaResults& out);

 private:
  using Kernel = void (*)(NetworkData, NetworkLayout, NetworkMemory, ReplicaRun, bool is_fast);

  void choose_blocks(std::vector<NetworkSwitch> switches, u32 max_ports);
  bool fits(Kernel kernel, const NetworkLayout& layout, bool is_fast);

  NetworkData data_;
  NetworkMemory memory_;
  NetworkLayout layout_;
  Kernel kernel_ = nullptr;
  bool is_fast_ = true;  // the state of a block is in the memory of its multiprocessor
  DeviceArray<NetworkEnd> ends_;
  DeviceArray<NetworkSwitch> switches_;
  DeviceArray<u32> routes_, nic_of_rank_;
  DeviceArray<LogarithmTable> logarithms_;
  DeviceArray<ReplicaNic> nics_;
  DeviceArray<ReplicaTarget> targets_;
  DeviceArray<u64> words_, buffers_;
  DeviceArray<u8> state_;
  DeviceArray<ReplicaTally> tally_;
  DeviceArray<u32> channel_flits_, latency_, waits_since_;
};

}  // namespace banyan::gpu
