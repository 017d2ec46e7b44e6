#include "ask/jobs_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

#include "ask/timing.hpp"
#include "base/random.hpp"
#include "traffic/programs/open.hpp"
#include "traffic/programs/program_course.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::ask {
namespace {

// The fabric in the course of a timeline, and its routes: what the jobs meet.
class ChangingFabric {
 public:
  ChangingFabric(const Situation& at, const Timeline& timeline, double delay)
      : at_(at), router_(timeline.router), changes_(timeline.changes) {
    std::vector<Link> before;
    for (const CableChange& change : changes_) {
      add_cables(change.time, before, change.lost);
      before = change.lost;
      flow::NetworkEvent routes{.time = change.time + delay};
      routes.routing = [this, time = routes.time] { return routed(time); };
      events_.push_back(std::move(routes));
    }
    std::stable_sort(events_.begin(), events_.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
  }
  ChangingFabric(const ChangingFabric&) = delete;  // its events refer to it
  ChangingFabric& operator=(const ChangingFabric&) = delete;

  const std::vector<flow::NetworkEvent>& events() const { return events_; }

 private:
  // Both are in order.
  void add_cables(double time, const std::vector<Link>& before, const std::vector<Link>& after) {
    const auto channels_only_in = [](const std::vector<Link>& some, const std::vector<Link>& others) {
      std::vector<Link> cables;
      std::set_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(cables));
      std::vector<Channel> out;
      for (const Link& cable : cables) out.insert(out.end(), {cable.a, cable.b});
      return out;
    };
    flow::NetworkEvent out{.time = time};
    out.lost = channels_only_in(after, before);
    out.regained = channels_only_in(before, after);
    events_.push_back(std::move(out));
  }

  // The engine routes the fabric as it is at that time. Throws InputError where it does not apply.
  const Routing* routed(double time) {
    std::size_t last = 0;
    while (last + 1 < changes_.size() && changes_[last + 1].time <= time) ++last;
    auto topology = std::make_unique<Topology>(at_.topology);
    topology->fabric = without(at_.topology.fabric, changes_[last].lost);
    RouteResult result = router_->route(*topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result))
      throw InputError(fmt::format("at {}, the engine does not apply any more: {}",
                                   quantity_text(Duration{time}), reason->why));
    routing_ = std::make_unique<Routing>(std::move(std::get<Routing>(result)));
    topology_ = std::move(topology);
    return routing_.get();
  }

  const Situation& at_;
  const FabricRouter* router_;
  std::span<const CableChange> changes_;
  std::vector<flow::NetworkEvent> events_;
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<Routing> routing_;
};

// Those before the end, and those that nothing runs into.
template <class Answer>
void count_changes(const Timeline& timeline, Answer& out) {
  if (timeline.changes.empty()) return;
  out.changes = std::count_if(timeline.changes.begin(), timeline.changes.end(),
                              [&](const CableChange& change) { return change.time < out.seconds; });
  out.changes_later = timeline.changes.size() - *out.changes;
}

void require_fluid(const TimingOptions& options) {
  if (options.level != TimeLevel::fluid)
    throw InputError("a list of jobs and a timeline are for level=fluid");
}

// Ranks that share a host follow each other.
Placement spread(const Placement& by_host, u32 ranks, u32 processes) {
  Placement out;
  for (u32 rank = 0; rank < ranks; ++rank) out.push_back(by_host[Rank{rank / processes}]);
  return out;
}

// Programs of a list of jobs: what is sent, by the number of ranks; with its computing, by job.
class JobPrograms {
 public:
  JobPrograms(std::span<const ListedJob> jobs, const std::string& program, u32 processes, u32 repeats) {
    std::map<u32, Program> sent;
    if (is_program_file(program)) {
      Program read = open_program(program);
      for (const ListedJob& job : jobs)
        if (job.ranks > 1 && job.ranks != read.ranks)
          throw InputError(
              fmt::format("job {} has {} ranks, and the program {}", job.number, job.ranks, read.ranks));
      sent.emplace(read.ranks, std::move(read));
    }
    for (const ListedJob& job : jobs) {
      auto found = sent.find(job.ranks);
      if (found == sent.end())
        found = sent.emplace(job.ranks, job.ranks == 1 ? ProgramBuilder(1).take()
                                                       : open_program(program, job.ranks, processes))
                    .first;
      of_job.push_back(repeated(found->second, repeats, job.seconds / repeats));
    }
  }

  std::vector<Program> of_job;
};

}  // namespace

FabricRouter timeline_router(FabricRouter router, const RoutingOptions& by, const Topology& whole,
                             std::span<const CableChange> changes) {
  const auto most = std::max_element(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    return a.lost.size() < b.lost.size();
  });
  if (!router.is_chosen || most == changes.end()) return router;
  Topology left = whole;
  left.fabric = without(whole.fabric, most->lost);
  return ask::router(by, left);
}

JobsAnswer jobs_time(const Situation& at, const TimingOptions& options, const JobsOptions& how,
                     const JobList& list, const std::string& program, const Timeline& timeline) {
  require_fluid(options);
  const std::vector<ListedJob>& jobs = list.jobs;
  const Fabric& fabric = at.topology.fabric;
  const Timing timing(fabric, options, true);
  if (how.repeats == 0) throw InputError("repeats is 0; expected at least 1");
  const JobPrograms programs(jobs, program, options.accelerators, how.repeats);
  const ChangingFabric changing(at, timeline, how.reroute_delay.value);
  std::vector<flow::TimedJob> timed;
  for (u32 i = 0; i < jobs.size(); ++i)
    timed.push_back({&programs.of_job[i], jobs[i].submitted + jobs[i].waited});
  const flow::PlaceJob place_job = [&](u32 job,
                                       const std::vector<bool>& is_free) -> std::optional<Placement> {
    std::vector<Host> free;
    for (u32 h = 0; h < is_free.size(); ++h)
      if (is_free[h]) free.push_back(Host{h});
    const u32 hosts = (jobs[job].ranks + options.accelerators - 1) / options.accelerators;
    if (hosts > fabric.hosts())
      throw InputError(
          fmt::format("job {} needs {} hosts: expected at most {}", jobs[job].number, hosts, fabric.hosts()));
    if (hosts > free.size()) return std::nullopt;
    const u64 seed = job == 0 ? at.seed : Random(at.seed, job).at(0);
    return spread(place({fabric, free, hosts, seed}, at.placement), jobs[job].ranks, options.accelerators);
  };
  const flow::JobTimes found =
      flow::job_times(fabric, *at.routing, timed, place_job, changing.events(), timing.program);
  JobsAnswer out{.hosts = fabric.hosts(),
                 .link = options.link.value,
                 .flow_events = found.flow_events,
                 .without_processors = list.without_processors,
                 .without_time = list.without_time};
  if (!timing.policy.empty()) out.rails_policy = timing.policy;
  if (!timeline.changes.empty()) out.rerouted = found.rerouted;
  double sum = 0;
  for (u32 i = 0; i < jobs.size(); ++i) {
    const Program& one = programs.of_job[i];
    const flow::JobTime& time = found.jobs[i];
    JobsAnswer::Job job{jobs[i].number, jobs[i].ranks, jobs[i].submitted,
                        time.start,     time.end,      time.end - time.start};
    job.seconds_alone = fluid_time(fabric, *at.routing, one, time.placement, timing.program).total;
    if (job.seconds_alone > 0) job.slowdown = job.seconds / job.seconds_alone;
    out.seconds = std::max(out.seconds, job.end);
    out.max_slowdown = i == 0 ? job.slowdown : std::max(out.max_slowdown, job.slowdown);
    sum += job.slowdown;
    out.messages += one.messages();
    out.bytes += one.bytes();
    out.jobs.push_back(job);
  }
  if (!jobs.empty()) out.mean_slowdown = sum / static_cast<double>(jobs.size());
  count_changes(timeline, out);
  return out;
}

ProgramAnswer program_time(const Situation& at, const TimingOptions& options, const Program& program,
                           const JobsOptions& how, const Timeline& timeline) {
  require_fluid(options);
  ProgramAnswer out = program_time(at, options, program);
  const Timing timing(at.topology.fabric, options, true);
  const ChangingFabric changing(at, timeline, how.reroute_delay.value);
  ProgramLog log;
  flow::TimedJob job{&program, 0, &log};
  const flow::PlaceJob place_job = [&](u32, const std::vector<bool>&) {
    return std::optional(timing.placed(at, program.ranks));
  };
  const flow::JobTimes found = flow::job_times(at.topology.fabric, *at.routing, std::span(&job, 1), place_job,
                                               changing.events(), timing.program);
  out.seconds_intact = out.seconds;
  out.seconds = found.jobs[0].end;
  out.exposed_share = exposed_share(program, log, out.seconds);
  out.flow_events = found.flow_events;
  out.rerouted = found.rerouted;
  count_changes(timeline, out);
  ProgramOptions alone = timing.program;
  alone.network.rates.is_alone = true;
  job.log = nullptr;
  out.critical_path_seconds = flow::job_times(at.topology.fabric, *at.routing, std::span(&job, 1), place_job,
                                              changing.events(), alone)
                                  .jobs[0]
                                  .end;
  return out;
}

}  // namespace banyan::ask
