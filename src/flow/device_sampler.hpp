// Loads of samples on a device, bit by bit those of LoadSampler: permutations and bisections, by arithmetic
// where tag_levels.hpp applies, else by following every flow (flow/device_walks.hpp).
#pragma once
#include "flow/device_walks.hpp"

namespace banyan::flow {

// What a device is given, and the memory it is in until it is copied.
class TagArrays {
 public:
  // Not applicable, with the reason, where the numbers of this fabric do not fit.
  static std::variant<TagArrays, NotApplicable> make(const std::vector<TagLevel>& levels, Traffic::Draw draw);

  gpu::TagData data() const;  // points into this object

 private:
  TagArrays(const std::vector<TagLevel>& levels, bool is_bisection);

  std::vector<u64> record_, start_;
  std::array<std::vector<u32>, gpu::max_tag_levels> ranks_;
  gpu::TagData data_;
};

class DeviceSampler {
 public:
  // Not applicable, with the reason: only processors do this. `sampler` is of the same case; it must outlive
  // this object. Where switches hash, their hash must be that of `seed`. Throws gpu::DeviceFailure.
  static std::variant<DeviceSampler, NotApplicable> make(const gpu::Device& device,
                                                         const LoadSampler& sampler, u64 seed = 1);
  // Why only processors do this, if so. It needs no device.
  static std::optional<NotApplicable> refusal(const LoadSampler& sampler, u64 seed = 1);

  // As LoadSampler::run, from one thread at a time. Throws gpu::DeviceFailure.
  void run(u64 seed, u64 first, std::span<RoundLoads> out) const;

 private:
  using Samples = std::variant<gpu::TagSampler, DeviceWalks>;
  DeviceSampler(const LoadSampler& sampler, Samples samples)
      : sampler_(&sampler), samples_(std::move(samples)) {}
  void run_tags(const gpu::TagSampler& samples, u64 seed, u64 first, std::span<RoundLoads> out) const;

  const LoadSampler* sampler_;
  Samples samples_;
};

}  // namespace banyan::flow
