#include "flow/job_times.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <set>

#include "flow/program_network.hpp"

namespace banyan::flow {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double same_time = 1e-12;  // of times: a message that ends so shortly after a change ends before it

// A job that runs: its program's clock, and its messages in the common fluid.
struct RunningJob {
  const Program& program;
  Placement placement;
  ProgramFlows flows;
  FluidNetwork network;
  ProgramState state;
  ProgramCosts costs;
  ProgramRun<FluidNetwork> run;
  double next = never;              // its place in the queue of jobs
  std::vector<bool> is_rerouted{};  // by message, where routes changed

  RunningJob(const Fabric& fabric, const Routing& routing, const Program& what, Placement where, Fluid& fluid,
             u32 first_flow, const ProgramOptions& options)
      : program(what),
        placement(std::move(where)),
        flows(fabric, routing, program, placement, options),
        network(fluid, program, flows, options, first_flow),
        state(program),
        costs(costs_of(options)),
        run(program, costs, state, network) {}
  RunningJob(const RunningJob&) = delete;
  RunningJob& operator=(const RunningJob&) = delete;
};

class JobSimulation {
 public:
  JobSimulation(const Fabric& fabric, const Routing& routing, std::span<const TimedJob> jobs,
                const PlaceJob& place, std::span<const NetworkEvent> events, const ProgramOptions& options)
      : fabric_(fabric),
        routing_(&routing),
        jobs_(jobs),
        place_(place),
        events_(events),
        options_(options),
        fluid_(fabric, options.network.rates, options.network.resolution),
        free_(fabric.hosts(), true),
        running_(jobs.size()) {
    out_.jobs.resize(jobs.size());
    if (!events.empty()) whole_ = RateSolver(fabric, options.network.rates).capacities();
  }

  JobTimes run() && {
    while (step()) {
    }
    if (next_job_ < jobs_.size() || !queue_.empty()) refuse();
    for (const auto& job : running_)
      if (job) refuse();
    out_.flow_events = fluid_.events();
    return std::move(out_);
  }

 private:
  // One event. The network changes before anything else happens at that time, but for messages that end.
  bool step() {
    const double change = next_event_ < events_.size() ? events_[next_event_].time : never;
    const double start = next_job_ < jobs_.size() && !waits_for_hosts_ ? jobs_[next_job_].start : never;
    const double own = queue_.empty() ? never : queue_.begin()->first, flows = fluid_.next();
    const double first = std::min(std::min(own, flows), std::max(start, now_));
    if (change < never && change <= first && change * (1 + same_time) < flows) {
      // After the last operation, nothing is left that could change.
      if (first == never && next_job_ == jobs_.size() && running_count_ == 0) return false;
      now_ = std::max(now_, change);
      this->change(events_[next_event_++]);
    } else if (first == never) {
      return false;
    } else if (std::max(start, now_) <= std::min(own, flows)) {
      now_ = std::max(start, now_);
      begin_job();
    } else if (own <= flows) {
      now_ = own;
      const u32 job = queue_.begin()->second;
      running_[job]->run.step();
      settle(job);
    } else {
      now_ = flows;
      fluid_.step([&](u32 flow, double time) {
        const Owner owner = owners_[flow];
        RunningJob& job = *running_[owner.job];
        job.network.done(job.run, owner.message, owner.hops, time);
        touched_.push_back(owner.job);
      });
      for (const u32 job : touched_) settle(job);
      touched_.clear();
    }
    return true;
  }

  // The first of those that wait, if there are hosts for it.
  void begin_job() {
    const u32 number = next_job_;
    std::optional<Placement> placement = place_(number, free_);
    waits_for_hosts_ = !placement;
    if (!placement) {
      if (running_count_ == 0)
        throw InputError(fmt::format("job {} of the list has no hosts although no other job runs", number));
      return;
    }
    ++next_job_;
    ++running_count_;
    for (const Host host : *placement) free_[index(host)] = false;
    const Program& program = *jobs_[number].program;
    check_program(program, *placement, options_);
    out_.jobs[number] = {now_, now_, *placement};
    running_[number] = std::make_unique<RunningJob>(fabric_, *routing_, program, std::move(*placement),
                                                    fluid_, static_cast<u32>(owners_.size()), options_);
    RunningJob& job = *running_[number];
    append(number, job.flows.carried, job.flows.weights);
    if (jobs_[number].log) job.run.keep(*jobs_[number].log);
    for (Op op = 0; op < program.size(); ++op)
      if (job.state.may_begin(op)) job.run.start(op);
    job.run.begin(now_);
    settle(number);
  }

  void append(u32 job, const Carried& carried, std::span<const double> weights) {
    fluid_.append(carried.listed, carried.flows, weights);
    for (u32 f = 0; f < carried.flows.size(); ++f)
      owners_.push_back({job, carried.message[f], carried.listed.hops[f]});
  }

  // Something happened in a job: its place in the queue, or its end.
  void settle(u32 number) {
    if (!running_[number]) return;
    RunningJob& job = *running_[number];
    if (job.next < never) queue_.erase({job.next, number});
    job.next = job.run.next();
    if (job.next < never) queue_.insert({job.next, number});
    if (job.run.ended() < job.program.size()) return;
    out_.jobs[number].end = std::max(now_, job.run.end());
    for (const Host host : job.placement) free_[index(host)] = true;
    running_[number].reset();
    --running_count_;
    waits_for_hosts_ = false;
  }

  void change(const NetworkEvent& event) {
    fluid_.advance(now_);
    for (const Channel c : event.lost) fluid_.set_capacity(c, 0);
    for (const Channel c : event.regained) fluid_.set_capacity(c, whole_[index(c)]);
    const Routing* routing = event.routing ? event.routing() : nullptr;
    if (!routing) return;
    routing_ = routing;
    for (u32 job = 0; job < running_.size(); ++job)
      if (running_[job]) reroute(job);
  }

  // All messages that have not left go by the ways that the routing has now.
  void reroute(u32 number) {
    RunningJob& job = *running_[number];
    const Carrier carrier(fabric_, *routing_, job.placement, options_.network.rails,
                          options_.network.rates.inside);
    const auto is_there = [&](Channel c) { return fluid_.capacity(c) > 0; };
    std::vector<Fluid::Successor> successors;
    job.is_rerouted.resize(job.flows.sends.size());
    Carried carried;
    for (u32 message = 0; message < job.flows.sends.size(); ++message) {
      if (job.network.has_left(message)) continue;
      const std::span flows(job.flows.carried.flows.data() + job.flows.first[message],
                            job.flows.parts[message]);
      const u32 first = static_cast<u32>(owners_.size()), old = job.network.first(message);
      if (!carrier.carry_again(job.flows.demands[message], is_there, flows, carried) ||
          fluid_.goes_by(old, carried.listed))
        continue;
      std::fill(carried.message.begin(), carried.message.end(), message);
      append(number, carried, weights_of(job, message));
      job.network.set_first(message, first);
      for (u32 part = 0; part < carried.flows.size(); ++part)
        successors.push_back({old + part, first + part});
      if (!job.is_rerouted[message]) ++out_.rerouted;
      job.is_rerouted[message] = true;
    }
    fluid_.replace(successors);
  }

  // Of the flows that carry a message.
  static std::span<const double> weights_of(const RunningJob& job, u32 message) {
    if (job.flows.weights.empty()) return {};
    return std::span(job.flows.weights).subspan(job.flows.first[message], job.flows.parts[message]);
  }

  [[noreturn]] void refuse() const {
    if (fluid_.active() > 0)
      throw InputError(
          fmt::format("{} messages wait for ever: they need cables that were lost, and were not "
                      "routed past them",
                      fluid_.active()));
    for (const auto& job : running_)
      if (job) refuse_run(job->program, options_.eager_bytes);
    throw std::logic_error("a job of the list never began");
  }

  struct Owner {
    u32 job, message, hops;
  };

  const Fabric& fabric_;
  const Routing* routing_;
  std::span<const TimedJob> jobs_;
  const PlaceJob& place_;
  std::span<const NetworkEvent> events_;
  const ProgramOptions& options_;
  Fluid fluid_;
  std::vector<bool> free_;     // by host
  std::vector<double> whole_;  // by channel: its capacity while its cable is there
  std::vector<std::unique_ptr<RunningJob>> running_;
  std::set<std::pair<double, u32>> queue_;  // jobs by the time of their next event
  std::vector<Owner> owners_;               // by flow
  std::vector<u32> touched_;
  u32 next_job_ = 0, running_count_ = 0;
  std::size_t next_event_ = 0;
  bool waits_for_hosts_ = false;
  double now_ = 0;
  JobTimes out_;
};

}  // namespace

JobTimes job_times(const Fabric& fabric, const Routing& routing, std::span<const TimedJob> jobs,
                   const PlaceJob& place, std::span<const NetworkEvent> events,
                   const ProgramOptions& options) {
  return JobSimulation(fabric, routing, jobs, place, events, options).run();
}

}  // namespace banyan::flow
