#include "flow/load_study.hpp"

#include <algorithm>

namespace banyan::flow {
namespace {

constexpr u64 first_samples = 1000;
constexpr double wanted_half_width = 0.01;

void sample_on_device(const DeviceSampler& device, u64 seed, u64 first, std::span<RoundLoads> out,
                      Progress& progress) {
  constexpr u64 slice = u64{1} << 23;  // samples between two looks at Ctrl-C
  for (u64 done = 0; done < out.size(); done += slice) {
    if (interrupted()) throw Interrupted();
    const u64 count = std::min<u64>(slice, out.size() - done);
    device.run(seed, first + done, out.subspan(done, count));
    progress.advance(count);
  }
}

void sample(const LoadSampler& sampler, const LoadStudyOptions& options, u64 samples,
            std::vector<RoundLoads>& rounds) {
  const u64 done = rounds.size(), all = samples * sampler.listed().traffic().rounds;
  rounds.resize(all);
  if (all - done == 1 && !options.device)
    return sampler.run(options.seed, done, std::span(rounds).last(1), options.threads);
  Progress progress("sampling loads", all - done, options.screen);
  if (options.device)
    return sample_on_device(*options.device, options.seed, done, std::span(rounds).subspan(done), progress);
  const auto range = [&](u64 first, u64 last) {
    sampler.run(options.seed, done + first, std::span(rounds).subspan(done + first, last - first));
  };
  parallel_ranges(all - done, options.threads, range, &progress);
}

// The mean over its rounds, for each sample.
Estimate estimate_max(std::span<const RoundLoads> rounds, u64 of_a_sample) {
  std::vector<double> means;
  for (std::size_t i = 0; i < rounds.size(); i += of_a_sample) {
    double sum = 0;
    for (const RoundLoads& round : rounds.subspan(i, of_a_sample)) sum += round.max_load;
    means.push_back(sum / static_cast<double>(of_a_sample));
  }
  return estimate(means);
}

void sum_up(std::span<const RoundLoads> rounds, LoadStudy& out) {
  out.least = rounds[0].max_load;
  out.worst = -1;
  out.min_rate = 1;
  u64 sending = 0, bounded = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const RoundLoads& round = rounds[i];
    out.least = std::min(out.least, round.max_load);
    if (round.max_load > out.worst) {
      out.worst = round.max_load;
      out.worst_sample = i / out.rounds;
      out.worst_round = i % out.rounds;
    }
    out.flows += round.flows;
    out.undelivered += round.undelivered;
    if (round.max_load == 0) continue;
    ++sending;
    out.mean_rate += round.mean_rate;
    out.min_rate = std::min(out.min_rate, round.min_rate);
    if (round.bound == 0) continue;
    ++bounded;
    const double ratio = round.max_load / round.bound;
    out.bound_mean += round.bound;
    out.ratio_mean += ratio;
    out.ratio_worst = std::max(out.ratio_worst, ratio);
  }
  out.has_bound = bounded > 0 && bounded == sending;
  for (double* mean : {&out.bound_mean, &out.ratio_mean})
    if (bounded > 0) *mean /= static_cast<double>(bounded);
  if (sending > 0) out.mean_rate /= static_cast<double>(sending);
}

}  // namespace

LoadStudy study_loads(const LoadSampler& sampler, const LoadStudyOptions& options) {
  const Traffic& traffic = sampler.listed().traffic();
  LoadStudy out;
  out.rounds = traffic.rounds;
  std::vector<RoundLoads> rounds;
  u64 samples = !traffic.is_random ? 1 : options.samples > 0 ? options.samples : first_samples;
  for (;; samples *= 2) {
    sample(sampler, options, samples, rounds);
    out.max_load = estimate_max(rounds, traffic.rounds);
    if (!traffic.is_random) out.max_load.half_width_99 = 0;
    if (!traffic.is_random || options.samples > 0 || out.max_load.is_within(wanted_half_width)) break;
    if (samples * 2 > options.max_samples) break;
  }
  sum_up(rounds, out);
  return out;
}

}  // namespace banyan::flow
