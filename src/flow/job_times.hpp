// How long jobs take that share a fabric: each is a program (traffic/programs/program.hpp) that begins at a
// time of its own, on hosts that are free then. Cables may be lost and regained on the way. Level fluid.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "flow/program_time.hpp"

namespace banyan::flow {

struct TimedJob {
  const Program* program = nullptr;
  double start = 0;           // it does not begin before
  ProgramLog* log = nullptr;  // gets what happened, where there is one
};

// What changes in the network at a time.
struct NetworkEvent {
  double time = 0;
  std::vector<Channel> lost{}, regained{};
  // From now on routes are these; null, or what it returns is null: as before. Messages under way go on by
  // their new ways, on their rails; where a rail has none, on the next that has. A message whose pair has no
  // way keeps its old one.
  std::function<const Routing*()> routing{};
};

struct JobTime {
  double start = 0, end = 0;
  Placement placement;
};
struct JobTimes {
  std::vector<JobTime> jobs;
  u64 flow_events = 0;
  u64 rerouted = 0;  // messages whose way changed before they had left, each counted once
};

// Gives the hosts of a job's ranks, or nothing while too few are free. `free` is by host.
using PlaceJob = std::function<std::optional<Placement>(u32 job, const std::vector<bool>& free)>;

// Jobs are in the order of `start`; each begins when it can, but none before those in front of it. Events are
// in the order of time. Where rates are those of flows alone (RateOptions), nothing waits for a stream or a
// NIC either: the end of a job is then that of its critical path, on the network as it changes. Throws
// InputError for a program that never ends, also because a cable is missing.
JobTimes job_times(const Fabric& fabric, const Routing& routing, std::span<const TimedJob> jobs,
                   const PlaceJob& place, std::span<const NetworkEvent> events,
                   const ProgramOptions& options);

}  // namespace banyan::flow
