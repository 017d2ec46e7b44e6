// What study and reproduce share: points measured into a store, here and by the other ranks of mpirun.
#pragma once
#include <functional>

#include "cli/verb.hpp"
#include "study/run.hpp"

namespace banyan::cli {

// Runs `first` with its threads and the other ranks, if there are any; another rank works for the first
// instead. `threads` 0: all cores, or one for each rank.
Exit on_first_rank(unsigned threads, const std::function<Exit(unsigned, OtherRanks*)>& first);

// Names on stderr what of a store is damaged, and what becomes of it.
void say_damaged(const Store& store, const std::string& folder);

// Measures what is missing, and says so when it was interrupted, what a GPU did, and why one that was
// demanded cannot do all of it. If it did nothing, nothing is left behind.
Exit measure_points(StudyPlan& plan, OpenedStore& store, unsigned threads, OtherRanks* others,
                    ask::DeviceChoice device);

}  // namespace banyan::cli
