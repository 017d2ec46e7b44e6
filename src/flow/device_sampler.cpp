#include "flow/device_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gpu/block_shuffle.hpp"

namespace banyan::flow {

TagArrays::TagArrays(const std::vector<TagLevel>& levels, bool is_bisection) {
  const u32 ranks = static_cast<u32>(levels[0].subtree.size()), depth = static_cast<u32>(levels.size());
  data_.ranks = ranks;
  data_.levels = depth;
  data_.words = gpu::TagData::words_for(depth);
  record_.resize(std::size_t{ranks} * data_.words);
  const auto put = [&](u32 rank, u32 field, u32 value) {
    record_[std::size_t{rank} * data_.words + field / 4] |= u64{value} << (field % 4 * 16);
  };
  start_.resize((ranks + 3) / 4);
  data_.is_bisection = is_bisection;
  for (u32 rank = 0; rank < ranks; ++rank) {
    put(rank, 0, levels[0].subtree[rank]);
    start_[rank / 4] |= u64{is_bisection ? rank : levels[0].subtree[rank]} << (rank % 4 * 16);
  }
  for (u32 l = 0; l < depth; ++l) {
    const TagLevel& level = levels[l];
    const u32 subtrees = *std::max_element(level.subtree.begin(), level.subtree.end()) + 1;
    data_.level[l] = {gpu::inverse_of(l == 0 ? 1 : levels[l - 1].fan), subtrees, level.channels,
                      level.max_down > 1};
    ranks_[l].resize(subtrees);
    for (u32 rank = 0; rank < ranks; ++rank) {
      ++ranks_[l][level.subtree[rank]];
      put(rank, 1 + l, level.offset[rank]);
    }
  }
}

gpu::TagData TagArrays::data() const {
  gpu::TagData out = data_;
  out.record = record_.data();
  out.start = start_.data();
  for (u32 l = 0; l < out.levels; ++l) out.level[l].ranks = ranks_[l].data();
  return out;
}

std::variant<TagArrays, NotApplicable> TagArrays::make(const std::vector<TagLevel>& levels,
                                                       Traffic::Draw draw) {
  constexpr u32 max_index = std::numeric_limits<u16>::max(), max_load = std::numeric_limits<u8>::max();
  if (levels.empty() || levels.size() > gpu::max_tag_levels)
    return NotApplicable{fmt::format("a GPU takes fat-trees of 2 to {} levels of switches, not of {}",
                                     gpu::max_tag_levels + 1, levels.size() + 1)};
  if (levels[0].subtree.empty() || levels[0].subtree.size() > gpu::max_shuffled)
    return NotApplicable{
        fmt::format("a GPU takes 1 to {} ranks, not {}", gpu::max_shuffled, levels[0].subtree.size())};
  for (const TagLevel& level : levels) {
    const u32 subtrees = *std::max_element(level.subtree.begin(), level.subtree.end()) + 1;
    if (subtrees > max_index || level.channels > max_index)
      return NotApplicable{
          fmt::format("a GPU takes at most {} subtrees and as many channels up from each; "
                      "here are {} and {}",
                      max_index, subtrees, level.channels)};
    if (level.max_up > max_load || level.max_down > max_load)
      return NotApplicable{
          fmt::format("a GPU counts loads up to {}; here is a channel of {} flows at the worst", max_load,
                      std::max(level.max_up, level.max_down))};
  }
  return TagArrays(levels, draw == Traffic::Draw::bisection);
}

std::optional<NotApplicable> DeviceSampler::refusal(const LoadSampler& sampler, u64 seed) {
  const TagKernel* tags = sampler.tags();
  if (!tags) return DeviceWalks::refusal(sampler, seed);
  if (tags->has_rates()) return NotApplicable{"a GPU finds no rates: they are for --device cpu"};
  return std::nullopt;
}

std::variant<DeviceSampler, NotApplicable> DeviceSampler::make(const gpu::Device& device,
                                                               const LoadSampler& sampler, u64 seed) {
  if (auto reason = refusal(sampler, seed)) return *reason;
  if (!sampler.tags()) {
    auto walks = DeviceWalks::make(device, sampler, seed);
    if (auto* reason = std::get_if<NotApplicable>(&walks)) return std::move(*reason);
    return DeviceSampler(sampler, std::get<DeviceWalks>(std::move(walks)));
  }
  auto arrays = TagArrays::make(sampler.tags()->levels(), sampler.tags()->draw());
  if (auto* reason = std::get_if<NotApplicable>(&arrays)) return std::move(*reason);
  const gpu::TagData data = std::get<TagArrays>(arrays).data();
  const u32 needed = gpu::TagLayout(data, gpu::tag_warps).bytes, most = device.facts().block_bytes;
  if (needed > most)
    return NotApplicable{fmt::format("a sample needs {} bytes of a multiprocessor's memory; of {} it is {}",
                                     needed, device.name(), most)};
  return DeviceSampler(sampler, gpu::TagSampler(device, data));
}

void DeviceSampler::run(u64 seed, u64 first, std::span<RoundLoads> out) const {
  if (const auto* tags = std::get_if<gpu::TagSampler>(&samples_)) return run_tags(*tags, seed, first, out);
  std::get<DeviceWalks>(samples_).run(seed, first, out);
}

void DeviceSampler::run_tags(const gpu::TagSampler& samples, u64 seed, u64 first,
                             std::span<RoundLoads> out) const {
  const TagKernel& tags = *sampler_->tags();
  const u64 ranks = tags.levels()[0].subtree.size();
  const bool is_bisection = tags.draw() == Traffic::Draw::bisection;
  const double host_bound = 1 / tags.nic_links();
  std::vector<gpu::TagLoads> found(out.size());
  samples.run(seed, first, found);
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (found[s].max_load ==
        0) {  // nothing leaves a leaf: what its own hosts send is not counted on the device
      sampler_->run(seed, first + s, out.subspan(s, 1));
      continue;
    }
    out[s] = {.max_load = static_cast<double>(found[s].max_load),
              .bound = std::max(found[s].bound, host_bound),
              .flows = is_bisection ? ranks / 2 : ranks};
  }
}

}  // namespace banyan::flow
