#include "cli/measure_points.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/parallel.hpp"
#include "base/tidy_stop.hpp"
#include "study/ranks.hpp"

namespace banyan::cli {

Exit on_first_rank(unsigned threads, const std::function<Exit(unsigned, OtherRanks*)>& first) {
  const auto ranks = Ranks::start();
  if (!ranks) return first(threads ? threads : default_threads(), nullptr);
  stop_tidily();
  if (!ranks->is_first()) return work_for_first_rank(*ranks, std::max(1u, threads)), Exit::done;
  OtherRanks others(*ranks);
  return first(std::max(1u, threads), &others);
}

// What there is to say of a stop is said at once and in one piece: mpirun kills its ranks a second later.
Exit measure_points(StudyPlan& plan, Store& store, unsigned threads, OtherRanks* others) {
  stop_tidily();
  if (plan.outdated())
    std::cerr << fmt::format(
        "banyan: {} of the {} stored points have other inputs, or are of another version of the program: "
        "they "
        "are measured again\n",
        plan.outdated(), plan.outdated() + plan.finished());
  try {
    plan.run(store, threads, others);
    return Exit::done;
  } catch (const Interrupted&) {
    std::cerr << fmt::format(
        "banyan: interrupted; {} of {} points are finished, the same command goes on from there\n",
        plan.finished(), plan.points().size());
    return Exit::interrupted;
  }
}

}  // namespace banyan::cli
