#include "flow/message_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flow/fluid.hpp"

namespace banyan::flow {
namespace {

void check(const TimeOptions& options) {
  for (const double value : {options.overhead, options.gap, options.latency, options.resolution})
    if (!(value >= 0)) throw InputError(fmt::format("a time of {}: expected 0 or more", value));
}

std::vector<double> start_times(const Fabric& fabric, std::span<const Flow> flows,
                                const TimeOptions& options) {
  std::vector<double> out;
  std::vector<u32> sent(fabric.nics());
  for (const Flow& flow : flows) {
    const bool is_local = flow.from == flow.to;
    out.push_back(options.overhead + (is_local ? 0 : options.gap * sent[index(flow.from)]++));
  }
  return out;
}

// What a collective does, flattened: all messages of all rounds.
struct Messages {
  std::vector<Demand> demands;
  std::vector<Flow> flows;
  std::vector<u32> first_of_round = {0};
  std::vector<u32> round_of;

  Messages(const Traffic& traffic, const Placement& placement, u64 seed, u64 sample) {
    for (u64 round = 0; round < traffic.rounds; ++round) {
      traffic.list(seed, sample, round, demands);
      first_of_round.push_back(static_cast<u32>(demands.size()));
      round_of.resize(demands.size(), static_cast<u32>(round));
    }
    append_flows(demands, placement, flows);
  }
};

class Clock {
 public:
  Clock(u64 rounds, u32 ranks) : out_{.total = 0, .round_ends = std::vector<double>(rounds), .sent = {}} {
    out_.sent.assign(ranks, 0);
  }

  void arrived(const Demand& demand, u64 round, double time) {
    double& sent = out_.sent[demand.from];
    sent = std::max(sent, time);
    out_.round_ends[round] = std::max(out_.round_ends[round], time);
    out_.total = std::max(out_.total, time);
  }
  void round_passed(u64 round) { out_.round_ends[round] = std::max(out_.round_ends[round], out_.total); }
  CollectiveTime result() && { return std::move(out_); }
  double now() const { return out_.total; }

 private:
  CollectiveTime out_;
};

CollectiveTime with_barriers(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                             const Placement& placement, const TimeOptions& options, u64 seed, u64 sample) {
  Clock clock(traffic.rounds, traffic.ranks);
  std::vector<Demand> demands, before;
  std::vector<Flow> flows;
  std::vector<double> ends;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    flows.clear();
    traffic.list(seed, sample, round, demands);
    append_flows(demands, placement, flows);
    const double begin = clock.now();
    if (round == 0 || demands != before)
      ends = finish_times(fabric, routing, flows, options);  // rings repeat
    before = demands;
    for (std::size_t f = 0; f < flows.size(); ++f) clock.arrived(demands[f], round, begin + ends[f]);
    clock.round_passed(round);
  }
  return std::move(clock).result();
}

// Every rank goes through its own rounds, as fast as it may.
class UnsynchronisedRun {
 public:
  UnsynchronisedRun(const Fabric& fabric, const Routing& routing, u32 ranks, const Messages& messages,
                    const TimeOptions& options)
      : messages_(messages),
        options_(options),
        listed_(incidence(fabric, routing, messages.flows, Demands::bytes)),
        fluid_(fabric, options.rates, listed_, messages.flows, options.resolution),
        clock_(messages.first_of_round.size() - 1, ranks),
        of_rank_(ranks) {
    for (u32 m = 0; m < messages.demands.size(); ++m) {
      Stage& sending = stage(messages.demands[m].from, messages.round_of[m]);
      sending.sends.push_back(m);
      ++sending.open;
      if (options.rounds == Rounds::exchange) ++stage(messages.demands[m].to, messages.round_of[m]).open;
    }
  }

  CollectiveTime run() && {
    for (const Course& course : of_rank_) begin_stage(course);
    fluid_.run([this](u32 message, double time) { left(message, time); });
    return std::move(clock_).result();
  }

 private:
  struct Stage {  // what one rank does in one round
    u32 round;
    std::vector<u32> sends;
    u32 open = 0;      // messages that it waits for
    double ready = 0;  // when the last of them so far was there
  };
  struct Course {
    std::vector<Stage> stages;
    std::size_t at = 0;
    double since = 0;  // when it came there
  };

  // Of this round; messages come in the order of rounds while stages are made.
  Stage& stage(Rank rank, u32 round) {
    std::vector<Stage>& stages = of_rank_[rank].stages;
    if (stages.empty() || stages.back().round < round) stages.push_back({round, {}});
    return *std::lower_bound(stages.begin(), stages.end(), round,
                             [](const Stage& s, u32 wanted) { return s.round < wanted; });
  }

  void begin_stage(const Course& course) {
    if (course.at == course.stages.size()) return;
    double start = course.since + options_.overhead;
    for (const u32 message : course.stages[course.at].sends) {
      fluid_.begin(message, start);
      if (listed_.hops[message]) start += options_.gap;
    }
  }

  void left(u32 message, double time) {
    const Demand& demand = messages_.demands[message];
    const u32 round = messages_.round_of[message];
    const double arrival = time + options_.latency * listed_.hops[message];
    clock_.arrived(demand, round, arrival);
    close_one(demand.from, round, time);
    if (options_.rounds == Rounds::exchange) close_one(demand.to, round, arrival);
  }

  // A rank goes on when it is done with its stage, and passes those that are done before it comes there.
  void close_one(Rank rank, u32 round, double time) {
    Stage& closing = stage(rank, round);
    --closing.open;
    closing.ready = std::max(closing.ready, time);
    Course& course = of_rank_[rank];
    while (course.at < course.stages.size() && course.stages[course.at].open == 0) {
      course.since = std::max(course.since, course.stages[course.at].ready);
      ++course.at;
      begin_stage(course);
    }
  }

  const Messages& messages_;
  const TimeOptions& options_;
  Incidence listed_;
  Fluid fluid_;
  Clock clock_;
  IdVector<Rank, Course> of_rank_;
};

}  // namespace

std::vector<double> finish_times(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                                 const TimeOptions& options) {
  check(options);
  const Incidence listed = incidence(fabric, routing, flows, Demands::bytes);
  std::vector<double> out = start_times(fabric, flows, options);
  if (options.sharing == Sharing::fixed) {
    RateSolver solver(fabric, options.rates);
    const std::vector<double>& rates = solver.solve(listed);
    for (std::size_t f = 0; f < flows.size(); ++f) out[f] += flows[f].demand / rates[f];
  } else {
    Fluid fluid(fabric, options.rates, listed, flows, options.resolution);
    for (u32 f = 0; f < flows.size(); ++f) fluid.begin(f, out[f]);
    fluid.run([&](u32 flow, double time) { out[flow] = time; });
  }
  for (std::size_t f = 0; f < flows.size(); ++f) out[f] += options.latency * listed.hops[f];
  return out;
}

CollectiveTime collective_time(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                               const Placement& placement, const TimeOptions& options, u64 seed, u64 sample) {
  check(options);
  if (!traffic.in_bytes)
    throw InputError(
        "the time of traffic that is not in bytes is not known: expected a collective, or a demand file "
        "with bytes");
  if (placement.size() < traffic.ranks)
    throw InputError(
        fmt::format("{} ranks are placed: expected at least {}", placement.size(), traffic.ranks));
  if (options.rounds == Rounds::barrier)
    return with_barriers(fabric, routing, traffic, placement, options, seed, sample);
  const Messages messages(traffic, placement, seed, sample);
  return UnsynchronisedRun(fabric, routing, traffic.ranks, messages, options).run();
}

}  // namespace banyan::flow
