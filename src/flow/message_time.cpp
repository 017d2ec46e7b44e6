#include "flow/message_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flow/carrier.hpp"
#include "flow/fluid.hpp"

namespace banyan::flow {
namespace {

void check(const TimeOptions& options) {
  for (const double value :
       {options.overhead, options.gap, options.latency, options.switch_latency, options.resolution})
    if (!(value >= 0)) throw InputError(fmt::format("a time of {}: expected 0 or more", value));
}

// By flow, when it has arrived.
std::vector<double> arrivals(const Fabric& fabric, const Incidence& listed, std::span<const Flow> flows,
                             std::vector<double> starts, const TimeOptions& options) {
  if (options.sharing == Sharing::fixed) {
    RateSolver solver(fabric, options.rates);
    const std::vector<double>& rates = solver.solve(listed);
    for (std::size_t f = 0; f < flows.size(); ++f) starts[f] += flows[f].demand / rates[f];
  } else {
    Fluid fluid(fabric, options.rates, listed, flows, options.resolution);
    for (u32 f = 0; f < flows.size(); ++f) fluid.begin(f, starts[f]);
    fluid.run([&](u32 flow, double time) { starts[flow] = time; });
  }
  for (std::size_t f = 0; f < flows.size(); ++f) starts[f] += options.latency_of(listed.hops[f]);
  return starts;
}

// What a collective does, flattened: all messages of all rounds.
struct Messages {
  std::vector<Demand> demands;
  std::vector<u32> first_of_round = {0};
  std::vector<u32> round_of;

  Messages(const Traffic& traffic, u64 seed, u64 sample) {
    for (u64 round = 0; round < traffic.rounds; ++round) {
      traffic.list(seed, sample, round, demands);
      first_of_round.push_back(static_cast<u32>(demands.size()));
      round_of.resize(demands.size(), static_cast<u32>(round));
    }
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

// By message of a round that begins at 0, when it has arrived.
std::vector<double> round_arrivals(const Fabric& fabric, const std::vector<Demand>& messages, u32 ranks,
                                   const Carried& carried, const TimeOptions& options) {
  std::vector<double> starts;
  IdVector<Rank, u32> sent(ranks, 0);
  for (std::size_t f = 0; f < carried.flows.size(); ++f) {
    const bool is_local = carried.listed.hops[f] == 0;
    const bool is_new = f == 0 || carried.message[f] != carried.message[f - 1];
    const Rank from = messages[carried.message[f]].from;
    if (is_new || is_local)
      starts.push_back(options.overhead + (is_local ? 0 : options.gap * sent[from]++));
    else
      starts.push_back(starts.back());  // parts of one message begin together
  }
  const std::vector<double> ends =
      arrivals(fabric, carried.listed, carried.flows, std::move(starts), options);
  std::vector<double> out(messages.size(), 0);
  for (std::size_t f = 0; f < ends.size(); ++f)
    out[carried.message[f]] = std::max(out[carried.message[f]], ends[f]);
  return out;
}

// Rounds that send the same as the round before, by whose turn the rails are: rings repeat.
class RepeatedRounds {
 public:
  RepeatedRounds(const Fabric& fabric, const Carrier& carrier, u32 ranks, const TimeOptions& options)
      : fabric_(fabric), carrier_(carrier), ranks_(ranks), options_(options), turns_(carrier.turns()) {}

  const std::vector<double>& arrivals_of(std::vector<Demand> messages) {
    if (messages != messages_) {
      seen_.clear();
      messages_ = std::move(messages);
    }
    for (const Seen& seen : seen_)
      if (seen.before == turns_) {
        turns_ = seen.after;
        return seen.ends;
      }
    Seen& now = seen_.emplace_back(Seen{turns_, {}, {}});
    carrier_.carry(messages_, turns_, carried_);
    now.after = turns_;
    now.ends = round_arrivals(fabric_, messages_, ranks_, carried_, options_);
    return now.ends;
  }

 private:
  struct Seen {
    RailTurns before, after;
    std::vector<double> ends;
  };

  const Fabric& fabric_;
  const Carrier& carrier_;
  const u32 ranks_;
  const TimeOptions& options_;
  RailTurns turns_;
  std::vector<Demand> messages_;
  Carried carried_;
  std::vector<Seen> seen_;
};

CollectiveTime with_barriers(const Fabric& fabric, const Carrier& carrier, const Traffic& traffic,
                             const TimeOptions& options, u64 seed, u64 sample) {
  Clock clock(traffic.rounds, traffic.ranks);
  RepeatedRounds rounds(fabric, carrier, traffic.ranks, options);
  std::vector<Demand> messages;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    messages.clear();
    traffic.list(seed, sample, round, messages);
    const double begin = clock.now();
    const std::vector<double>& ends = rounds.arrivals_of(messages);
    for (std::size_t m = 0; m < messages.size(); ++m) clock.arrived(messages[m], round, begin + ends[m]);
    clock.round_passed(round);
  }
  return std::move(clock).result();
}

// Every rank goes through its own rounds, as fast as it may.
class UnsynchronisedRun {
 public:
  UnsynchronisedRun(const Fabric& fabric, const Carried& carried, u32 ranks, const Messages& messages,
                    const TimeOptions& options)
      : messages_(messages),
        options_(options),
        carried_(carried),
        fluid_(fabric, options.rates, carried.listed, carried.flows, options.resolution),
        clock_(messages.first_of_round.size() - 1, ranks),
        of_rank_(ranks),
        parts_(messages.demands.size()) {
    for (u32 f = 0; f < carried.flows.size(); ++f) {
      Parts& parts = parts_[carried.message[f]];
      if (parts.open++ == 0) parts.first = f;
    }
    for (u32 m = 0; m < messages.demands.size(); ++m) {
      Stage& sending = stage(messages.demands[m].from, messages.round_of[m]);
      sending.sends.push_back(m);
      ++sending.open;
      if (options.rounds == Rounds::exchange) ++stage(messages.demands[m].to, messages.round_of[m]).open;
    }
  }

  CollectiveTime run() && {
    for (const Course& course : of_rank_) begin_stage(course);
    fluid_.run([this](u32 flow, double time) { part_left(flow, time); });
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

  struct Parts {  // of a message: the flows that carry it, which follow each other
    u32 first = 0, open = 0;
    double left = 0, arrived = 0;  // when the last of them so far had
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
      const Parts& parts = parts_[message];
      for (u32 part = 0; part < parts.open; ++part) fluid_.begin(parts.first + part, start);
      if (carried_.listed.hops[parts.first]) start += options_.gap;
    }
  }

  void part_left(u32 flow, double time) {
    const u32 message = carried_.message[flow];
    Parts& parts = parts_[message];
    parts.left = std::max(parts.left, time);
    parts.arrived = std::max(parts.arrived, time + options_.latency_of(carried_.listed.hops[flow]));
    if (--parts.open > 0) return;
    const Demand& demand = messages_.demands[message];
    const u32 round = messages_.round_of[message];
    clock_.arrived(demand, round, parts.arrived);
    close_one(demand.from, round, parts.left);
    if (options_.rounds == Rounds::exchange) close_one(demand.to, round, parts.arrived);
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
  const Carried& carried_;
  Fluid fluid_;
  Clock clock_;
  IdVector<Rank, Course> of_rank_;
  std::vector<Parts> parts_;
};

}  // namespace

std::vector<double> finish_times(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                                 const TimeOptions& options) {
  check(options);
  std::vector<double> starts;
  std::vector<u32> sent(fabric.nics());
  for (const Flow& flow : flows)
    starts.push_back(options.overhead + (flow.from == flow.to ? 0 : options.gap * sent[index(flow.from)]++));
  return arrivals(fabric, incidence(fabric, routing, flows, Demands::bytes), flows, std::move(starts),
                  options);
}

void require_bytes(const Traffic& traffic) {
  if (!traffic.in_bytes)
    throw InputError(
        "the time of traffic that is not in bytes is not known: expected a collective, or a demand file "
        "with bytes");
}

CollectiveTime collective_time(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                               const Placement& placement, const TimeOptions& options, u64 seed, u64 sample) {
  check(options);
  require_bytes(traffic);
  if (placement.size() < traffic.ranks)
    throw InputError(
        fmt::format("{} ranks are placed: expected at least {}", placement.size(), traffic.ranks));
  const Carrier carrier(fabric, routing, placement, options.rails, options.rates.inside);
  if (options.rounds == Rounds::barrier)
    return with_barriers(fabric, carrier, traffic, options, seed, sample);
  const Messages messages(traffic, seed, sample);
  Carried carried;
  RailTurns turns = carrier.turns();
  carrier.carry(messages.demands, turns, carried);
  return UnsynchronisedRun(fabric, carried, traffic.ranks, messages, options).run();
}

}  // namespace banyan::flow
