// How long jobs take that share a fabric, each with a program, a start and hosts of its own; on a fabric that
// may lose and regain cables meanwhile. Level fluid; docs/programs.md has the model.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/fabric_router.hpp"
#include "ask/time.hpp"
#include "fabric/timeline.hpp"
#include "flow/job_times.hpp"
#include "traffic/programs/job_list.hpp"

namespace banyan::ask {

struct JobsOptions {
  u32 repeats = 1;
  Duration reroute_delay{};

  static void fields(auto& self, auto&& f) {
    f("repeats", self.repeats,
      "of a list of jobs: how often each sends its program; between, it computes for its run time");
    f("reroute-delay", self.reroute_delay, "of a timeline: time from a change of cables to new routes");
  }
};

// What happens to cables, and who routes again.
struct Timeline {
  std::vector<CableChange> changes{};
  const FabricRouter* router = nullptr;
};

// One engine for the whole run: where `auto` chose `router` for the whole fabric, the one that it chooses for
// the fabric that lacks most cables.
FabricRouter timeline_router(FabricRouter router, const RoutingOptions& by, const Topology& whole,
                             std::span<const CableChange> changes);

struct JobsAnswer {
  struct Job {
    u64 job = 0;
    u32 ranks = 0;
    double submitted = 0, start = 0, end = 0, seconds = 0, seconds_alone = 0, slowdown = 1;

    static void fields(auto& self, auto&& f) {
      f("job", self.job, "", "its number in the list");
      f("ranks", self.ranks, "", "that it has");
      f("submitted", self.submitted, "seconds", "when it was submitted");
      f("start", self.start, "seconds", "when it began");
      f("end", self.end, "seconds", "when it had ended");
      f("seconds", self.seconds, "seconds", "from start to end");
      f("seconds_alone", self.seconds_alone, "seconds",
        "that it takes on the same hosts if no other job runs and no cable is lost");
      f("slowdown", self.slowdown, "", "seconds over those alone");
    }
  };
  double seconds = 0, mean_slowdown = 1, max_slowdown = 1;
  TimeLevel level = TimeLevel::fluid;
  u32 hosts = 0;
  u64 messages = 0;
  double bytes = 0, link = 0;
  u64 flow_events = 0;
  u64 without_processors = 0, without_time = 0;
  std::optional<u64> rerouted{}, changes{}, changes_later{};
  std::optional<std::string> rails_policy{};
  std::vector<Job> jobs{};

  static void fields(auto& self, auto&& f) {
    f("seconds", self.seconds, "seconds", "until the last job has ended");
    f("mean_slowdown", self.mean_slowdown, "", "of the jobs");
    f("max_slowdown", self.max_slowdown, "", "of the job that suffers most");
    f("level", self.level, "", "how it was found");
    f("hosts", self.hosts, "", "of the fabric");
    f("messages", self.messages, "messages", "of all jobs");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("flow_events", self.flow_events, "", "beginnings and ends of flows, each of which changes rates");
    f("without_processors", self.without_processors, "",
      "jobs of the list that had no processors, such as cancelled ones: they are left out");
    f("without_time", self.without_time, "", "jobs whose run time is not known: they compute for 0 s");
    f("rerouted", self.rerouted, "messages",
      "with a timeline: whose route changed before they had left; each counts once");
    f("changes", self.changes, "", "with a timeline: changes of cables before the end");
    f("changes_later", self.changes_later, "", "with a timeline: changes that come after the end");
    f("rails_policy", self.rails_policy, "", "of several rails: how messages use them");
    f("jobs", self.jobs, "", "in the order in which they began");
  }
};

// `program` is what open_program() makes for a number of ranks. Of `at`, the placement counts. Throws
// InputError, also where the engine does not apply to what is left at some time.
JobsAnswer jobs_time(const Situation& at, const TimingOptions& options, const JobsOptions& how,
                     const JobList& list, const std::string& program, const Timeline& timeline);

// One program on a fabric that loses and regains cables. The critical path is that on the same fabric, by the
// same changes: the longest chain if messages met no others.
ProgramAnswer program_time(const Situation& at, const TimingOptions& options, const Program& program,
                           const JobsOptions& how, const Timeline& timeline);

}  // namespace banyan::ask
