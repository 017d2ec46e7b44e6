// Loads of samples on a device, bit by bit those of LoadSampler: permutations and bisections where
// tag_levels.hpp applies.
#pragma once
#include "flow/load_sampler.hpp"
#include "gpu/device.hpp"

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
  // this object. Throws gpu::DeviceFailure.
  static std::variant<DeviceSampler, NotApplicable> make(const gpu::Device& device,
                                                         const LoadSampler& sampler);
  // Why only processors do this, if so. It needs no device.
  static std::optional<NotApplicable> refusal(const LoadSampler& sampler);

  // As LoadSampler::run, from one thread at a time. Throws gpu::DeviceFailure.
  void run(u64 seed, u64 first, std::span<RoundLoads> out) const;

 private:
  DeviceSampler(const LoadSampler& sampler, gpu::TagSampler samples)
      : sampler_(&sampler), samples_(std::move(samples)) {}

  const LoadSampler* sampler_;
  gpu::TagSampler samples_;
};

}  // namespace banyan::flow
