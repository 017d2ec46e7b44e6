// Many simulations of one fabric at once on a device, flit by flit, with what docs/simulator.md defines for
// switches that give lane and output at once: bit by bit those of Simulation. Slower than DeviceReplicas.
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "flit/device_replicas.hpp"
#include "flit/route_graph.hpp"

namespace banyan::flit {

// What a device is given, and the memory it is in until it is copied.
class ModelArrays {
 public:
  static constexpr u32 max_hosts = 8192;

  // Why only processors simulate this, if so, as far as options say it. It needs no device.
  static std::optional<NotApplicable> refusal(const SimulationSetup& setup, u64 max_cycles);
  // Not applicable, with the reason: only processors simulate this. Workloads are of the setup's messages,
  // but for the load; seeds of choices by workload; no run will be longer than `max_cycles`.
  static std::variant<ModelArrays, NotApplicable> make(const SimulationSetup& setup,
                                                       std::span<const Workload* const> workloads,
                                                       std::span<const u64> seeds, u64 max_cycles);

  const gpu::ModelData& data() const { return data_; }
  // For replicas first .. first + count - 1; both point into this object.
  gpu::ModelData data(u32 first) const;
  gpu::ModelStart start(u32 first, u32 count) const;
  u64 bytes_of_replica() const;  // of a device's memory
  u64 bytes_of_fabric() const;
  u32 replicas() const { return replicas_; }

 private:
  ModelArrays() = default;
  void add_ports(const SimulationSetup& setup);
  void add_sizes(const SimulationSetup& setup);
  void add_messages(const Workload& workload);
  void add_nics(const Workload& workload, u64 seed);
  std::optional<NotApplicable> add_ways(const SimulationSetup& setup,
                                        std::span<const Workload* const> workloads);
  void point();

  gpu::ModelData data_;
  u32 replicas_ = 0;
  std::vector<gpu::ReplicaNode> nodes_;
  std::vector<gpu::ModelPort> ports_;
  std::vector<gpu::ModelLength> lengths_;
  std::vector<u32> nic_of_rank_;
  std::optional<RouteGraph> graph_;
  std::vector<gpu::ModelNic> nics_;  // by replica and NIC
  std::vector<gpu::ReplicaTarget> targets_;
};

class DeviceModel : public DeviceRuns {
 public:
  // Replicas first .. first + count - 1 of `arrays`, which must outlive this object. Throws
  // gpu::DeviceFailure.
  DeviceModel(const gpu::Device& device, const SimulationSetup& setup, const ModelArrays& arrays, u32 first,
              u32 count);

  Tally tally(u32 replica) const override;
  std::optional<u64> waits_since(u32 replica, Nic nic) const override;
  u64 created(u32 replica) const override { return tallies_[replica].created; }
  std::optional<NotApplicable> refusal() const override;

 private:
  void begin_runs(std::span<const gpu::ReplicaRun> runs) override { models_.begin(runs); }
  void finish_runs() override;
  Presence change(u32 replica) const override;

  const ModelArrays& arrays_;
  const Fabric& topology_;
  gpu::Models models_;
  std::vector<gpu::ModelTally> tallies_;
  std::vector<u32> channel_flits_, latencies_, waits_since_;
};

}  // namespace banyan::flit
