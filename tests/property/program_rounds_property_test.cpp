// What comes in rounds, as programs: collectives, applications and steps of training, compared with the time
// of their rounds when a barrier follows each.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "engines/engine.hpp"
#include "flow/program_time.hpp"
#include "support/random_collective.hpp"
#include "traffic/programs/from_rounds.hpp"

namespace banyan::tests {
namespace {

// Where something runs: ranks on hosts of one rail, and what messages cost besides their bytes.
struct Ground {
  Topology topology;
  Routing routing;
  Placement placement;
  flow::ProgramOptions options{};

  Ground(Topology fabric, u32 ranks)
      : topology(std::move(fabric)), routing(std::get<Routing>(route(topology, "minhop"))) {
    std::vector<u32> hosts(topology.fabric.hosts());
    std::iota(hosts.begin(), hosts.end(), 0);
    if (draw(0, 1)) Random(draw(1, 1000)).shuffle(std::span(hosts));
    for (u32 rank = 0; rank < ranks; ++rank) placement.push_back(Host{hosts[rank]});
    options.network.rates.link = 1000;
    options.network.overhead = draw(0, 2) * 0.5;
    options.network.latency = draw(0, 2) * 0.25;
    options.network.switch_latency = draw(0, 2) * 0.125;
    options.eager_bytes = draw(0, 1) ? 0 : draw(0, 1) ? 1000 : 1e9;
  }
  flow::ProgramTime run(const Program& program) const {
    return fluid_time(topology.fabric, routing, program, placement, options);
  }
};

// The time of rounds, message by message, and whether they are synchronous: in each, every rank receives
// something, and all messages arrive at the same time.
class RoundsClock {
 public:
  RoundsClock(const Ground& on, u32 ranks) : on_(on), ranks_(ranks) {}

  void compute(double seconds) { total_ += seconds; }
  void add(const std::vector<Demand>& round) {
    const auto nic = [&](Rank rank) { return on_.topology.fabric.nic(on_.placement[rank], 0); };
    std::vector<Flow> flows;
    std::set<Rank> receivers;
    for (const Demand& d : round) {
      flows.push_back({nic(d.from), nic(d.to), d.amount});
      receivers.insert(d.to);
    }
    if (flows.empty()) return;
    const auto ends = finish_times(on_.topology.fabric, on_.routing, flows, on_.options.network);
    const auto [first, last] = std::minmax_element(ends.begin(), ends.end());
    is_synchronous_ &= receivers.size() == ranks_ && *last - *first <= 1e-12 * *last;
    total_ += *last;
  }
  void add(const Traffic& traffic) {
    std::vector<Demand> messages;
    for (u64 round = 0; round < traffic.rounds; ++round) {
      messages.clear();
      traffic.list(1, 0, round, messages);
      add(messages);
    }
  }
  double total() const { return total_; }
  bool is_synchronous() const { return is_synchronous_; }

 private:
  const Ground& on_;
  u32 ranks_;
  double total_ = 0;
  bool is_synchronous_ = true;
};

// What holds everywhere, and what holds where rounds are synchronous. That a program takes no more than its
// rounds elsewhere is not true: Program.MayTakeLongerThanItsRounds.
void expect_rounds(const Ground& on, const Program& program, const RoundsClock& rounds) {
  const flow::ProgramTime found = on.run(program);
  RC_ASSERT(found.critical_path <= rounds.total() * (1 + 1e-9));
  RC_ASSERT(found.total >= found.critical_path * (1 - 1e-9));
  if (rounds.is_synchronous())
    RC_ASSERT(std::abs(found.total - rounds.total()) <= 1e-7 * (1e-9 + rounds.total()));
}

void expect_rounds(const Ground& on, const Traffic& traffic, const RoundsClock& rounds) {
  flow::TimeOptions with_barriers = on.options.network;
  const double other =
      collective_time(on.topology.fabric, on.routing, traffic, on.placement, with_barriers, 1).total;
  RC_ASSERT(std::abs(rounds.total() - other) <= 1e-9 * (1e-9 + other));
  expect_rounds(on, program_of(traffic, Rounds::exchange), rounds);
}

Topology one_plane() {
  switch (draw(0, 4)) {
    case 0:
      return build(random_pgft());
    case 1:
      return build(random_hyperx());
    case 2:
      return build(random_torus());
    case 3:
      return build(random_dragonfly());
    default:
      return build(random_dragonfly_plus());
  }
}

RC_GTEST_PROP(ProgramRounds, CollectivesKeepTheTimeOfTheirRounds, ()) {
  const Topology topology = one_plane();
  RC_PRE(topology.fabric.hosts() > 1);
  const u32 ranks = draw(2, std::min(16u, topology.fabric.hosts()));
  const Ground on(topology, ranks);
  for (const Pattern& pattern : patterns()) {
    if (!pattern.is_collective) continue;
    const Traffic traffic = pattern.make({topology, ranks}, some_algorithm(pattern, ranks));
    RoundsClock rounds(on, ranks);
    rounds.add(traffic);
    expect_rounds(on, traffic, rounds);
  }
}

// All ranks do the same in each round, and no two messages share a link.
RC_GTEST_PROP(ProgramRounds, RoundsInWhichAllDoTheSameAreSynchronous, ()) {
  const u32 ranks = draw(0, 1) ? 1u << draw(1, 5) : draw(2, 32);
  const bool is_power = (ranks & (ranks - 1)) == 0;
  const Topology star = make_topology(fmt::format("XGFT(1; {}; 1)", ranks));
  const Ground on(star, ranks);
  std::vector<std::string> all = {
      "allreduce:algorithm=ring,bytes={}",    "reduce-scatter:algorithm=ring,bytes={}",
      "allgather:algorithm=ring,bytes={}",    "allgather:algorithm=bruck,bytes={}",
      "alltoall:algorithm=pairwise,bytes={}", "alltoall:algorithm=bruck,bytes={}"};
  if (is_power)
    all.insert(all.end(), {"allreduce:algorithm=recursive-doubling,bytes={}",
                           "allreduce:algorithm=rabenseifner,bytes={}",
                           "allgather:algorithm=recursive-doubling,bytes={}",
                           "reduce-scatter:algorithm=recursive-halving,bytes={}"});
  for (const std::string& pattern : all) {
    const u32 bytes = ranks * draw(1, 500);
    const Traffic traffic = make_traffic({star, ranks}, fmt::format(fmt::runtime(pattern), bytes));
    RoundsClock rounds(on, ranks);
    rounds.add(traffic);
    RC_ASSERT(rounds.is_synchronous());
    expect_rounds(on, traffic, rounds);
  }
}

RC_GTEST_PROP(ProgramRounds, ApplicationsKeepTheTimeOfTheirRounds, ()) {
  const Topology topology = one_plane();
  RC_PRE(topology.fabric.hosts() > 1);
  const u32 ranks = draw(2, std::min(12u, topology.fabric.hosts()));
  Ground on(topology, ranks);
  on.options.network.rates.link = 1e9;
  for (const Application& application : applications()) {
    Profile profile = application.make(ranks, application.size);
    for (Phase& phase : profile.phases) phase.repeats = std::min<u64>(phase.repeats, 2);
    if (profile.messages() > 5000) continue;
    RoundsClock rounds(on, ranks);
    for (const Phase& phase : profile.phases)
      for (u64 repeat = 0; repeat < phase.repeats; ++repeat) {
        rounds.compute(phase.seconds);
        for (const std::vector<Demand>& round : phase.rounds) rounds.add(round);
      }
    expect_rounds(on, program_of(profile), rounds);
  }
}

// Without a pipeline, whose stages overlap on purpose, a step is computing and collectives one after another.
RC_GTEST_PROP(ProgramRounds, StepsOfTrainingKeepTheTimeOfTheirRounds, ()) {
  const u32 tensor = 1u << draw(0, 3), data = draw(1, 4), ranks = tensor * data;
  RC_PRE(ranks > 1);
  const bool is_star = draw(0, 1);
  const Topology topology =
      make_topology(is_star ? fmt::format("XGFT(1; {}; 1)", ranks) : "XGFT(2; 8,4; 1,3)");
  Ground on(topology, ranks);
  on.options.network.rates.link = 1e9;
  const TrainingOptions model{.tensor = tensor,
                              .layers = draw(1, 3),
                              .hidden = 48 * draw(1, 3),
                              .sequence = 48,
                              .batch = data * draw(1, 3),
                              .algorithm = "ring"};
  const TrainingStep step = training_step(ranks, model);
  RoundsClock rounds(on, ranks);
  rounds.compute(step.computing);
  for (const TrainingPhase& phase : step.phases)
    for (u32 i = 0; i < phase.times; ++i) rounds.add(phase.traffic);
  if (is_star) RC_ASSERT(rounds.is_synchronous());
  expect_rounds(on, program_of(ranks, model), rounds);
}

}  // namespace
}  // namespace banyan::tests
