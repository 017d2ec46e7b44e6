// Samples the load of a traffic until its mean is known well enough: 1000 samples, then twice as many, until
// the half-width of the 99 % confidence interval is under 1 % of the mean (mahapatra, section 5).
#pragma once
#include "base/parallel.hpp"
#include "base/statistics.hpp"
#include "flow/device_sampler.hpp"

namespace banyan::flow {

struct LoadStudyOptions {
  u64 samples = 0;  // 0: until it is known well enough
  u64 seed = 1;
  unsigned threads = default_threads();
  u64 max_samples = 1'024'000;  // the sampling ends here in any case
  Progress::Screen screen = Progress::standard_error();
  const DeviceSampler* device = nullptr;  // of the same case as the sampler, instead of threads
};

struct LoadStudy {
  Estimate max_load;            // of the mean over the rounds of a sample
  double least = 0, worst = 0;  // maximum loads over all rounds of all samples
  u64 worst_sample = 0, worst_round = 0;
  u64 rounds = 1;
  bool has_bound = false;                                  // whether the next three values are defined
  double bound_mean = 0, ratio_mean = 0, ratio_worst = 0;  // over rounds with at least one message
  double mean_rate = 0, min_rate = 0;                      // 1/contention, if the sampler computes it
  u64 flows = 0, undelivered = 0;  // over all rounds; flows of hosts to themselves count, but load nothing
};

// Traffic that is not random has one sample. Throws gpu::DeviceFailure, of a device only.
LoadStudy study_loads(const LoadSampler& sampler, const LoadStudyOptions& options = {});

}  // namespace banyan::flow
