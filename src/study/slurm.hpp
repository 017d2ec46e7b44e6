// The job script for a Slurm cluster: one study, or an array of studies that have nothing to do with each
// other.
#pragma once
#include <string>
#include <vector>

#include "base/types.hpp"

namespace banyan::study {

struct SlurmStudy {
  std::string file, folder;         // absolute
  u64 points = 0, missing = 0;      // of these, how many are to be done
  double seconds = 0, longest = 0;  // of one core, for all that is missing and for one point; estimates
};

struct SlurmJob {
  std::string program;  // absolute
  u32 ranks = 16;       // of each study, but not more than it has points to do
  u32 threads = 1;      // of each rank
};

std::string slurm_script(const std::vector<SlurmStudy>& studies, const SlurmJob& job);

}  // namespace banyan::study
