// The device of this machine, as libbanyan_gpu.so beside the program finds it.
#pragma once
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

#include "base/error.hpp"
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

// A device that failed in the middle of something, and why: its memory was too small, or it is broken.
struct DeviceFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Device {
 public:
  // The first device. Not applicable, with the reason: this build has no part for devices, or there is none.
  static std::variant<Device, NotApplicable> find();
  static std::variant<Device, NotApplicable> find(const DeviceCalls& calls);

  std::string name() const { return facts_.name; }
  const DeviceFacts& facts() const { return facts_; }
  const DeviceCalls& calls() const { return *calls_; }

 private:
  Device(const DeviceCalls& calls, const DeviceFacts& facts) : calls_(&calls), facts_(facts) {}

  const DeviceCalls* calls_;
  DeviceFacts facts_;
};

// Samples of loads, with the data on the device. One thread at a time may use it.
class TagSampler {
 public:
  TagSampler(const Device& device, const TagData& data);         // throws DeviceFailure
  void run(u64 seed, u64 first, std::span<TagLoads> out) const;  // samples first, first + 1, ...; the same

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

// Replicas of a simulation, with their state on the device. One thread at a time may use it.
class Replicas {
 public:
  Replicas(const Device& device, const ReplicaFabric& fabric,
           const ReplicaStart& start);  // throws DeviceFailure
  // Begins to simulate each replica for its run, and waits for it; others may begin in between. Both throw
  // DeviceFailure.
  void begin(std::span<const ReplicaRun> runs) const;
  void finish(const ReplicaResults& out) const;

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

// Replicas of a simulation in the whole model (gpu/model_data.hpp), with their state on the device. One
// thread at a time may use it.
class Models {
 public:
  Models(const Device& device, const ModelData& data, const ModelStart& start);  // throws DeviceFailure
  void begin(std::span<const ReplicaRun> runs) const;                            // as of Replicas
  void finish(const ModelResults& out) const;

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

// One simulation, with its state on the device. One thread at a time may use it.
class Network {
 public:
  Network(const Device& device, const NetworkData& data, const NetworkStart& start);  // throws DeviceFailure
  void run(const ReplicaRun& run, const ReplicaResults& out) const;                   // the same

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

// Loads after changes of tables, with what was before on the device. One thread at a time may use it.
class SweepLoads {
 public:
  SweepLoads(const Device& device, const SweepData& data);          // throws DeviceFailure
  void run(const SweepVictims& victims, std::span<u32> out) const;  // by victim and sample; the same

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

// Chains of a search for orders, all at once: by chain and rank, the host in the best order. Throws
// DeviceFailure.
void search_orders(const Device& device, const OrderData& data, const OrderChains& chains,
                   std::span<u32> out);

// Flows that are followed hop by hop, with the fabric on the device. One thread at a time may use it.
class Walks {
 public:
  Walks(const Device& device, const WalkData& data);                   // throws DeviceFailure
  void run(const WalkDraws& draws, std::span<WalkLoads> out) const;    // by sample; the same
  void run(const WalkRounds& rounds, std::span<WalkLoads> out) const;  // by hash and round; the same

 private:
  const DeviceCalls* calls_;
  std::unique_ptr<void, void (*)(void*)> made_;
};

}  // namespace banyan::gpu
