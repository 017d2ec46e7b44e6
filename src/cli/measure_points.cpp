#include "cli/measure_points.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/parallel.hpp"
#include "base/tidy_stop.hpp"
#include "cli/counted.hpp"
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

void say_damaged(const Store& store, const std::string& folder) {
  const auto becomes = [](Sealed kind) {
    switch (kind) {
      case Sealed::point:
        return "it is not used, but measured again if the study asks for it";
      case Sealed::time:
        return "estimates do without it";
      case Sealed::picture:
        return "it is drawn again if the report needs it";
      case Sealed::study:
        break;
    }
    return "a run writes it anew";
  };
  for (const StoreDamage& damage : store.damage())
    std::cerr << fmt::format("banyan: {}: {}: {}\n", store_path(folder), sentence(damage),
                             becomes(damage.kind));
}

namespace {

// Of what was left to the program: which choice it made, unless it is the usual one.
void say_where(ask::DeviceChoice choice, const StudyPlan::GpuPart& gpu) {
  if (choice != ask::DeviceChoice::automatic) return;
  if (gpu.device)
    std::cerr << fmt::format("banyan: {} measured {}\n", *gpu.device, counted(gpu.points, "point"));
  if (!gpu.failure.empty())
    std::cerr << fmt::format("banyan: processors measured, since a GPU failed: {}\n", gpu.failure);
}

}  // namespace

// What there is to say of a stop is said at once and in one piece: mpirun kills its ranks a second later.
Exit measure_points(StudyPlan& plan, OpenedStore& store, unsigned threads, OtherRanks* others,
                    ask::DeviceChoice device) {
  stop_tidily();
  if (plan.outdated())
    std::cerr << fmt::format(
        "banyan: {} of the {} stored points have other inputs, or are of another version of the program: "
        "they "
        "are measured again\n",
        plan.outdated(), plan.outdated() + plan.finished());
  const std::size_t finished_before = plan.finished();  // some, if points of the plan are the same
  try {
    const auto reason = plan.run(store.opened(), threads, others, {device});
    say_where(device, plan.on_gpu());
    if (!reason) return Exit::done;
    std::cerr << fmt::format("banyan: not applicable: {}\n", reason->why);
    if (plan.finished() == finished_before) store.take_back();
    return Exit::not_applicable;
  } catch (const Interrupted&) {
    std::cerr << fmt::format(
        "banyan: interrupted; {} of {} points are finished, the same command goes on from there\n",
        plan.finished(), plan.points().size());
    return Exit::interrupted;
  }
}

}  // namespace banyan::cli
