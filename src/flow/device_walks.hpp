// Flows followed hop by hop on a device, under tables or by hashes: what the samples of a traffic put on
// channels, and what one traffic does under many hashes. Bit by bit what LoadSampler and HashMeter find.
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "flow/load_histogram.hpp"
#include "gpu/device.hpp"

namespace banyan::flow {

// A fabric and its routing as a device takes them, and the memory they are in until they are copied.
class WalkArrays {
 public:
  // Who sends and receives. Channels of NICs are counted where NICs send or receive several flows.
  struct Ends {
    std::vector<Nic> nics;
    bool counts_nics = false;
  };
  // Not applicable, with the reason: only processors do this. The cuts may be null: there is no bound.
  static std::variant<WalkArrays, NotApplicable> make(const Fabric& fabric, const Routing& routing,
                                                      const Ends& ends, const TreeCuts* cuts = nullptr);
  // Why only processors do this, if so, without making anything.
  static std::optional<NotApplicable> refusal(const Fabric& fabric, const Forward& forward,
                                              const Source& source);

  // Points into this object. No channel carries more than `max_load` ways.
  gpu::WalkData data(u64 max_load) const;

 private:
  WalkArrays(const Fabric& fabric, const Ends& ends);
  void add_tables(const Tables& tables, const Source& source, const Ends& ends);
  void add_hashes(const Fabric& fabric, const HashedNextHops& hashed, const Source& source, const Ends& ends);
  u32 added_set(const Fabric& fabric, const PortSets& sets, Node node, const PortSets::Exits& exits);
  void add_cuts(const TreeCuts& cuts, const Ends& ends);
  u32 number(Node node) const;  // nodes that forward come first

  u32 first_, all_;  // nodes that forward, in the fabric's numbers; all nodes
  std::vector<gpu::WalkHop> hop_;
  std::vector<u32> entry_, first_counter_, goal_, nic_, group_, exit_, set_, exits_, sums_, subtree_;
  std::vector<u8> port_;
  std::vector<gpu::WalkSet> sets_;
  std::vector<double> links_;
  gpu::WalkData data_;
};

// Samples of permutations and bisections.
class DeviceWalks {
 public:
  // Not applicable, with the reason. A hash must be that of `seed`. The sampler must outlive this object.
  // Throws gpu::DeviceFailure.
  static std::variant<DeviceWalks, NotApplicable> make(const gpu::Device& device, const LoadSampler& sampler,
                                                       u64 seed);
  static std::optional<NotApplicable> refusal(const LoadSampler& sampler, u64 seed);

  // As LoadSampler::run, from one thread at a time. Throws gpu::DeviceFailure.
  void run(u64 seed, u64 first, std::span<RoundLoads> out) const;
  // How many channels between switches have which load in samples first .. first + count - 1, but for those
  // without a load. Throws gpu::DeviceFailure.
  LoadHistogram histogram(u64 seed, u64 first, u64 count) const;

 private:
  DeviceWalks(const LoadSampler& sampler, gpu::Walks walks, u32 ways, u64 hash_seed)
      : sampler_(&sampler), walks_(std::move(walks)), ways_(ways), hash_seed_(hash_seed) {}

  const LoadSampler* sampler_;
  gpu::Walks walks_;
  u32 ways_;
  u64 hash_seed_;
};

// Rounds of flows that are known, under many hashes.
class DeviceHashes {
 public:
  // Not applicable, with the reason: where flows of a round do not ask for the same, or channels that are
  // measured by their capacity differ in it, among others. Throws gpu::DeviceFailure.
  static std::variant<DeviceHashes, NotApplicable> make(const gpu::Device& device, const Fabric& fabric,
                                                        const Routing& routing,
                                                        std::span<const std::vector<Flow>> rounds,
                                                        Measure measure);
  static std::optional<NotApplicable> refusal(const Fabric& fabric, const Routing& routing,
                                              std::span<const std::vector<Flow>> rounds, Measure measure);

  struct Load {
    double max_load = 0;
    u64 undelivered = 0;
  };
  // By hash and round, for the seeds of hashes. Throws gpu::DeviceFailure.
  std::vector<Load> run(std::span<const u64> seeds, u32 queue_pairs) const;

 private:
  DeviceHashes(const gpu::Device& device, WalkArrays arrays) : device_(&device), arrays_(std::move(arrays)) {}
  std::vector<Load> counted(std::span<const gpu::WalkLoads> found, u32 queue_pairs) const;

  const gpu::Device* device_;
  WalkArrays arrays_;
  std::vector<u64> first_flow_{0};
  std::vector<gpu::WalkFlow> flows_;
  std::vector<double> demand_;  // by round
  double capacity_ = 1;
};

}  // namespace banyan::flow
