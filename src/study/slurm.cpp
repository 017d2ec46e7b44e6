#include "study/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"

namespace banyan::study {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Estimates are right within a factor of three or so, and starting takes its time.
u64 minutes(const SlurmStudy& study, u64 hands) {
  const double seconds = std::max(study.longest, study.seconds / static_cast<double>(hands));
  return static_cast<u64>(std::ceil((3 * seconds + 300) / 60));
}

std::string job_name(const std::vector<SlurmStudy>& studies) {
  std::string name = "banyan";
  if (studies.size() == 1) name += "-" + std::filesystem::path(studies[0].file).stem().string();
  const auto is_odd = [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_' && c != '.'; };
  std::replace_if(name.begin(), name.end(), is_odd, '-');
  return name;
}

}  // namespace

std::string slurm_script(const std::vector<SlurmStudy>& studies, const SlurmJob& job) {
  const bool is_array = studies.size() > 1;
  u64 maximum = 1, longest = 1;
  for (const SlurmStudy& study : studies) maximum = std::max(maximum, study.missing);
  const u64 ranks = std::max<u64>(1, std::min<u64>(job.ranks, (maximum + job.threads - 1) / job.threads));
  for (const SlurmStudy& study : studies) longest = std::max(longest, minutes(study, ranks * job.threads));
  std::string out = "#!/bin/bash\n";
  for (const SlurmStudy& study : studies)
    out += fmt::format("# {}: {} points, {} to do, roughly {:.0f} s of one core.\n", one_line(study.file),
                       study.points, study.missing, std::max(1.0, study.seconds));
  out +=
      "# Submit with sbatch, whose own options win (sbatch --ntasks=256 ...). A job that was stopped goes "
      "on\n"
      "# from there when it is submitted again.\n";
  out += fmt::format("#SBATCH --job-name={}\n#SBATCH --ntasks={}\n#SBATCH --cpus-per-task={}\n",
                     job_name(studies), ranks, job.threads);
  out += fmt::format("#SBATCH --time={}\n#SBATCH --open-mode=append\n", longest);
  out += is_array ? fmt::format("#SBATCH --array=0-{}\n#SBATCH --output=%x-%A_%a.out\n", studies.size() - 1)
                  : "#SBATCH --output=%x-%j.out\n";
  out += "set -eu\nstudies=(\n";
  for (const SlurmStudy& study : studies) out += "  " + quoted_for_shell(study.file) + "\n";
  out += ")\nresults=(\n";
  for (const SlurmStudy& study : studies) out += "  " + quoted_for_shell(study.folder) + "\n";
  out += ")\ni=${SLURM_ARRAY_TASK_ID:-0}\n";
  out += fmt::format(
      "exec mpirun -n \"$SLURM_NTASKS\"{} \\\n  {} study \"${{studies[i]}}\" --out \"${{results[i]}}\"",
      job.threads > 1 ? fmt::format(" --map-by slot:PE={}", job.threads) : "", quoted_for_shell(job.program));
  return out + fmt::format(" --threads {}\n", job.threads);
}

}  // namespace banyan::study
