// Many simulations of one fabric at once on a device, bit by bit those of Simulation. They differ in what
// their workloads are made from: loads, seeds, targets.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "flit/simulation.hpp"
#include "gpu/device.hpp"

namespace banyan::flit {

// Why no device simulates this, whatever its size, as far as options say it.
std::optional<NotApplicable> device_options_refusal(const SimulationSetup& setup);
bool has_different_rates(const Fabric& fabric);

// Appends what a device knows of each NIC of a workload, and their targets.
void append_nics(const Workload& workload, std::vector<gpu::ReplicaNic>& nics,
                 std::vector<gpu::ReplicaTarget>& targets);

// Appends the NICs of the ranks of uniform traffic: once if all workloads have the same, else those of each
// workload, so many from one to the next, which is returned (0: they are the same).
u32 append_ranks(std::span<const Workload* const> workloads, std::vector<u32>& nic_of_rank);

// Flits that entered each channel, and the hops that they are together.
void add_channels(const Fabric& fabric, const std::function<u32(Channel)>& flits_of, Tally& out);

// What a device counted, as Simulation::take_tally() would say it. flits_of(channel): that entered it.
Tally tally_of(const Fabric& fabric, u64 cycles, const gpu::ReplicaTally& counted,
               std::span<const u32> latencies, const std::function<u32(Channel)>& flits_of);

// What a device is given, and the memory it is in until it is copied.
class ReplicaArrays {
 public:
  static constexpr u32 max_hosts = 8192;

  // Why only processors simulate this, if so, as far as options say it. It needs no device.
  static std::optional<NotApplicable> refusal(const SimulationSetup& setup, u64 max_cycles);
  // Not applicable, with the reason: only processors simulate this. Workloads are of the setup's messages,
  // but for the load; no run will be longer than `max_cycles`.
  static std::variant<ReplicaArrays, NotApplicable> make(const SimulationSetup& setup,
                                                         std::span<const Workload* const> workloads,
                                                         u64 max_cycles);

  const gpu::ReplicaFabric& fabric() const { return fabric_; }
  // For replicas first .. first + count - 1; both point into this object.
  gpu::ReplicaFabric fabric(u32 first) const;
  gpu::ReplicaStart start(u32 first, u32 count) const;
  u64 bytes_of_replica() const;  // of a device's memory
  u64 bytes_of_fabric() const;
  u32 replicas() const { return replicas_; }
  const std::vector<u32>& port_of_channel() const { return port_of_channel_; }

 private:
  ReplicaArrays() = default;
  void add_ports(const Fabric& fabric, const NetworkOptions& network);
  std::optional<NotApplicable> add_ways(const SimulationSetup& setup,
                                        std::span<const Workload* const> workloads);
  std::optional<NotApplicable> add_way(const SimulationSetup& setup, Nic from, Nic to);
  void add_routes(u64 max_cycles);
  void make_image(const NetworkOptions& network, const Fabric& fabric);
  void point();

  gpu::ReplicaFabric fabric_;
  u32 replicas_ = 0;
  std::vector<gpu::ReplicaNode> nodes_;
  std::vector<gpu::ReplicaPort> ports_;
  std::vector<u32> port_of_channel_;
  std::vector<u32> first_hop_, nic_of_rank_;
  std::vector<gpu::ReplicaHop> hops_;
  std::vector<u64> routes_;  // if switches and ways are small
  std::vector<u16> permitted_, lane_sets_;
  std::vector<u8> image_;
  std::vector<gpu::ReplicaNic> nics_;        // by replica and NIC
  std::vector<gpu::ReplicaTarget> targets_;  // of all replicas
};

// Simulations that run at once on a device.
class DeviceRuns {
 public:
  explicit DeviceRuns(u32 count) : now_(count), advanced_(count), presence_(count), packet_cycles_(count) {}
  virtual ~DeviceRuns() = default;
  // Each of them so many cycles, or none: begins, and waits for the end; others may begin in between. Counts
  // as Simulation::take_tally() and created_flits() would afterwards. Both throw gpu::DeviceFailure.
  void begin(std::span<const u64> cycles);
  void finish();
  void advance(std::span<const u64> cycles) {
    begin(cycles);
    finish();
  }
  u64 now(u32 replica) const { return now_[replica]; }
  virtual Tally tally(u32 replica) const = 0;                              // of what it was last advanced by
  virtual std::optional<u64> waits_since(u32 replica, Nic nic) const = 0;  // as in Simulation
  virtual u64 created(u32 replica) const = 0;
  // Why what was counted last is not all, if so: the device has too little memory for what happens here.
  virtual std::optional<NotApplicable> refusal() const { return std::nullopt; }

 protected:
  u64 advanced(u32 replica) const { return advanced_[replica]; }
  u64 packet_cycles(u32 replica) const { return packet_cycles_[replica]; }  // as in Tally
  static std::optional<u64> since(u32 word);                                // as a device writes it

 private:
  virtual void begin_runs(std::span<const gpu::ReplicaRun> runs) = 0;
  virtual void finish_runs() = 0;
  virtual Presence change(u32 replica) const = 0;  // in those runs

  std::vector<u64> now_, advanced_;
  std::vector<Presence> presence_;
  std::vector<u64> packet_cycles_;
};

class DeviceReplicas : public DeviceRuns {
 public:
  // Replicas first .. first + count - 1 of `arrays`, which must outlive this object. Throws
  // gpu::DeviceFailure.
  DeviceReplicas(const gpu::Device& device, const SimulationSetup& setup, const ReplicaArrays& arrays,
                 u32 first, u32 count);

  Tally tally(u32 replica) const override;
  std::optional<u64> waits_since(u32 replica, Nic nic) const override;
  u64 created(u32 replica) const override { return tallies_[replica].created; }

 private:
  void begin_runs(std::span<const gpu::ReplicaRun> runs) override { replicas_.begin(runs); }
  void finish_runs() override;
  Presence change(u32 replica) const override;

  const ReplicaArrays& arrays_;
  const Fabric& topology_;
  gpu::Replicas replicas_;
  std::vector<gpu::ReplicaTally> tallies_;
  std::vector<u32> channel_flits_, latencies_, waits_since_;
};

}  // namespace banyan::flit
