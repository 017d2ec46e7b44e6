// One simulation of a large fabric with all of a device, bit by bit that of Simulation.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "flit/simulation.hpp"
#include "gpu/device.hpp"

namespace banyan::flit {

// What a device is given, and the memory it is in until it is copied. Routes are those of the closed form of
// a tree, a few words for each host, or else a table of all switches and hosts.
class NetworkArrays {
 public:
  // Why only processors simulate this, if so, as far as options say it. It needs no device.
  static std::optional<NotApplicable> refusal(const SimulationSetup& setup, u64 max_cycles);
  // Not applicable, with the reason: only processors simulate this. The workload is of the setup's messages;
  // no run will be longer than `max_cycles`.
  static std::variant<NetworkArrays, NotApplicable> make(const SimulationSetup& setup,
                                                         const Workload& workload, u64 max_cycles);

  // They point into this object.
  const gpu::NetworkData& data() const { return data_; }
  gpu::NetworkStart start() const;

 private:
  NetworkArrays() = default;
  void add_ends(const SimulationSetup& setup);
  std::optional<NotApplicable> add_routes(const SimulationSetup& setup, const Workload& workload);
  void add_tree_routes(const TreeForm& form, const Source& source);
  std::optional<NotApplicable> add_table(const SimulationSetup& setup, const Workload& workload);
  void add_workload(const Workload& workload);
  void point();

  gpu::NetworkData data_;
  u32 max_ports_ = 1;
  bool is_late_ = false;  // some packet or credit, for the words of a device
  std::vector<gpu::NetworkEnd> ends_;
  std::vector<gpu::NetworkSwitch> switches_;
  std::vector<u32> routes_, nic_of_rank_;
  std::vector<gpu::ReplicaNic> nics_;
  std::vector<gpu::ReplicaTarget> targets_;
};

class DeviceNetwork {
 public:
  // Throws gpu::DeviceFailure.
  DeviceNetwork(const gpu::Device& device, const SimulationSetup& setup, const NetworkArrays& arrays);

  // As DeviceReplicas counts. Throws gpu::DeviceFailure.
  void advance(u64 cycles);
  u64 now() const { return now_; }
  Tally tally() const;  // of what it was last advanced by
  std::optional<u64> waits_since(Nic nic) const;
  u64 created() const { return tally_.created; }

 private:
  const Fabric& fabric_;
  gpu::Network network_;
  u64 now_ = 0, advanced_ = 0;
  Presence presence_;
  u64 packet_cycles_ = 0;  // of what it was last advanced by
  gpu::ReplicaTally tally_;
  std::vector<u32> channel_flits_, latencies_, waits_since_;
};

}  // namespace banyan::flit
