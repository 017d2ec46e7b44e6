#include "traffic/programs/from_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace banyan::traffic {
namespace {

constexpr u64 message_limit = u64{1} << 28;
constexpr u32 passing = ~u32{0};  // stream and NIC of messages between stages

// What a stage of the pipeline does, in order: forward or backward, and of which micro-batch.
struct StageAction {
  bool is_forward;
  u32 micro_batch;
};

// First as many forwards as there are stages behind it, then one of each, then the backwards that are left.
std::vector<StageAction> stage_actions(u32 stage, u32 stages, u32 micro_batches) {
  std::vector<StageAction> out;
  const u32 ahead = std::min(stages - 1 - stage, micro_batches);
  for (u32 m = 0; m < ahead; ++m) out.push_back({true, m});
  for (u32 m = 0; m < micro_batches; ++m) {
    if (m + ahead < micro_batches) out.push_back({true, m + ahead});
    out.push_back({false, m});
  }
  return out;
}

class StepProgram {
 public:
  StepProgram(u32 ranks, const TrainingOptions& options, u32 of_host)
      : step_(training_step(ranks, options, of_host)),
        options_(options),
        builder_(ranks),
        of_stage_(ranks / step_.pipeline) {
    for (const TrainingPhase& phase : step_.phases) by_stage_.push_back(divide(phase));
  }

  Program make() && {
    const u32 micro_batches = static_cast<u32>(step_.micro_batches);
    for (u32 stage = 0; stage < step_.pipeline; ++stage) {
      for (const StageAction& action : stage_actions(stage, step_.pipeline, micro_batches))
        act(stage, action);
      for (std::size_t p = 0; p < step_.phases.size(); ++p)
        if (is("data", p) || is("expert-data", p)) send(p, stage);
    }
    return std::move(builder_).take();
  }

 private:
  using StageRounds = std::vector<std::vector<Demand>>;

  bool is(std::string_view name, std::size_t phase) const { return step_.phases[phase].name == name; }

  // By stage and round. Only stages of a pipeline send to each other.
  std::vector<StageRounds> divide(const TrainingPhase& phase) const {
    std::vector<StageRounds> out(step_.pipeline, StageRounds(phase.traffic.rounds));
    std::vector<Demand> demands;
    for (u64 round = 0; round < phase.traffic.rounds; ++round) {
      demands.clear();
      phase.traffic.list(0, 0, round, demands);
      for (const Demand& d : demands) out[index(d.from) / of_stage_][round].push_back(d);
    }
    return out;
  }

  void send(std::size_t phase, u32 stage) {
    for (const std::vector<Demand>& round : by_stage_[phase][stage]) builder_.round(round);
  }

  // What a stage sends to the next one, or to the one before: its part of the pipeline's only round.
  template <class F>
  void each_passed(u32 from_stage, u32 to_stage, F f) {
    for (std::size_t p = 0; p < step_.phases.size(); ++p) {
      if (!is("pipeline", p)) continue;
      for (const Demand& d : by_stage_[p][from_stage][0])
        if (index(d.to) / of_stage_ == to_stage) f(d);
    }
  }

  // Forward takes a third of the computing, backward two; half of what is sent within a layer belongs to
  // each.
  void act(u32 stage, const StageAction& action) {
    const u32 last = step_.pipeline - 1;
    const u32 before = action.is_forward ? stage - 1 : stage + 1,
              after = action.is_forward ? stage + 1 : stage - 1;
    const bool receives = action.is_forward ? stage > 0 : stage < last;
    const bool sends = action.is_forward ? stage < last : stage > 0;
    if (receives) each_passed(before, stage, [&](const Demand& d) { builder_.take_passed(d); });
    const u32 layers = options_.layers / step_.pipeline;
    const double seconds = step_.computing / step_.micro_batches / layers / 3 * (action.is_forward ? 1 : 2);
    for (u32 layer = 0; layer < layers; ++layer) {
      for (u32 i = 0; i < of_stage_; ++i) builder_.compute(stage * of_stage_ + i, seconds);
      for (std::size_t p = 0; p < step_.phases.size(); ++p)
        if (is("tensor", p) || is("expert", p))
          for (u32 twice = 0; twice < 2; ++twice) send(p, stage);
    }
    if (sends) each_passed(stage, after, [&](const Demand& d) { builder_.pass(d); });
  }

  TrainingStep step_;
  TrainingOptions options_;
  RoundsBuilder builder_;
  u32 of_stage_;  // ranks
  std::vector<std::vector<StageRounds>> by_stage_;
};

}  // namespace

RoundsBuilder::RoundsBuilder(u32 ranks, Rounds rounds)
    : builder_(ranks), rounds_(rounds == Rounds::barrier ? Rounds::exchange : rounds), of_rank_(ranks) {}

void RoundsBuilder::wait_for_last(u32 rank, Op op) {
  for (const Op earlier : of_rank_[rank].last) builder_.wait(op, earlier);
}

// What was added is what the next operations wait for. Where both are many, something that takes no time
// stands between them.
void RoundsBuilder::close(u32 rank) {
  Course& course = of_rank_[rank];
  if (course.open.empty()) return;
  course.last = std::move(course.open);
  course.open.clear();
  course.streams = 0;
  if (course.last.size() < 3) return;
  const Op join = builder_.compute(rank, 0);
  wait_for_last(rank, join);
  course.last = {join};
}

void RoundsBuilder::compute(u32 rank, double seconds) {
  const Op op = builder_.compute(rank, seconds);
  wait_for_last(rank, op);
  of_rank_[rank].open.push_back(op);
  close(rank);
}

Program::Where RoundsBuilder::next_place(u32 rank) {
  const u32 number = of_rank_[rank].streams++;
  return {number, number};
}

void RoundsBuilder::round(const std::vector<Demand>& messages) {
  in_round_.clear();
  const auto add = [&](u32 rank, Op op, bool is_awaited) {
    wait_for_last(rank, op);
    if (is_awaited) of_rank_[rank].open.push_back(op);
    in_round_.push_back(rank);
  };
  for (const Demand& d : messages) {
    const u32 from = index(d.from), to = index(d.to);
    add(from, builder_.send(from, to, d.amount, 0, next_place(from)), true);
    add(to, builder_.receive(to, from, d.amount, 0, next_place(to)), rounds_ == Rounds::exchange);
  }
  for (const u32 rank : in_round_) close(rank);
}

void RoundsBuilder::pass(const Demand& d) {
  const u32 from = index(d.from);
  wait_for_last(from, builder_.send(from, index(d.to), d.amount, 1, {passing, passing}));
}

void RoundsBuilder::take_passed(const Demand& d) {
  const u32 to = index(d.to);
  const Op op = builder_.receive(to, index(d.from), d.amount, 1, {passing, passing});
  wait_for_last(to, op);
  of_rank_[to].open.push_back(op);
  close(to);
}

Program program_of(const Traffic& traffic, Rounds rounds, u64 seed) {
  if (!traffic.in_bytes) throw InputError("a program needs traffic in bytes, such as a collective");
  RoundsBuilder builder(traffic.ranks, rounds);
  std::vector<Demand> messages;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    messages.clear();
    traffic.list(seed, 0, round, messages);
    builder.round(messages);
  }
  return builder.take();
}

Program program_of(const Profile& profile) {
  if (profile.messages() > message_limit)
    throw InputError(fmt::format("the application sends {} messages; expected at most {}: fewer ranks",
                                 profile.messages(), message_limit));
  RoundsBuilder builder(profile.ranks);
  for (const Phase& phase : profile.phases)
    for (u64 repeat = 0; repeat < phase.repeats; ++repeat) {
      if (phase.seconds > 0)
        for (u32 rank = 0; rank < profile.ranks; ++rank) builder.compute(rank, phase.seconds);
      for (const std::vector<Demand>& round : phase.rounds) builder.round(round);
    }
  return builder.take();
}

Program program_of(u32 ranks, const TrainingOptions& options, u32 of_host) {
  return StepProgram(ranks, options, of_host).make();
}

}  // namespace banyan::traffic
