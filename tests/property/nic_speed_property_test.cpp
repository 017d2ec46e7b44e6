// No level moves more bytes through a NIC than its speed allows; and LogGOPS is what a plain, slow version of
// it says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "ask/timing.hpp"
#include "engines/engine.hpp"
#include "flow/program_time.hpp"
#include "support/plain_loggops.hpp"
#include "support/random_collective.hpp"
#include "traffic/programs/from_rounds.hpp"
#include "traffic/programs/open.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::tests {
namespace {

using ask::TimeLevel;

constexpr double link_speed = 1e9;

// Bytes that leave each node, and that arrive there.
struct Carried {
  std::map<u32, double> sent, received;

  void add(u32 from, u32 to, double bytes) {
    sent[from] += bytes;
    received[to] += bytes;
  }
  template <class F>
  double longest(F speed) const {
    double out = 0;
    for (const auto* side : {&sent, &received})
      for (const auto& [node, bytes] : *side) out = std::max(out, bytes / speed(node));
    return out;
  }
};

double nic_speed(const Fabric& fabric, Nic nic, const ask::TimingOptions& options) {
  double out = 0;
  for (const Channel c : fabric.channels(fabric.node(nic)))
    if (fabric.cabled(c)) out += fabric.link_class(c).capacity * options.link.value;
  return options.nic.value > 0 ? std::min(out, options.nic.value) : out;
}

// The least time in which the hosts' NICs carry a job, however its messages take rails.
double time_of_hosts(const Fabric& fabric, const Job& job, const ask::TimingOptions& options) {
  Carried by_host;
  std::vector<Demand> messages;
  for (u64 round = 0; round < job.traffic.rounds; ++round) job.traffic.list(1, 0, round, messages);
  for (const Demand& d : messages)
    if (job.placement[d.from] != job.placement[d.to])
      by_host.add(index(job.placement[d.from]), index(job.placement[d.to]), d.amount);
  return by_host.longest([&](u32 host) {
    double out = 0;
    for (u32 slot = 0; slot < fabric.nics(Host{host}); ++slot)
      out += nic_speed(fabric, fabric.nic(Host{host}, slot), options);
    return out;
  });
}

// The least time with the rails that messages take where nobody knows which NIC is busy.
double time_of_nics(const Fabric& fabric, const Job& job, const ask::TimingOptions& options) {
  const ask::Timing timing(fabric, options, false);
  const RailFlows rails(fabric, job.placement, timing.program.network.rails);
  RailTurns turns = rails.turns();
  std::vector<Demand> messages;
  std::vector<Flow> flows;
  for (u64 round = 0; round < job.traffic.rounds; ++round) job.traffic.list(1, 0, round, messages);
  rails.append(messages, turns, flows);
  Carried by_nic;
  for (const Flow& flow : flows) by_nic.add(index(flow.from), index(flow.to), flow.demand);
  return by_nic.longest([&](u32 nic) { return nic_speed(fabric, Nic{nic}, options); });
}

Topology some_topology() {
  switch (draw(0, 2)) {
    case 0: {
      const u32 rails = draw(1, 4);
      return make_topology(fmt::format("{} x XGFT(1; {}; 1)", rails, draw(1, 8)));
    }
    case 1:
      return make_topology(fmt::format("HyperX(2x2; hosts={})", draw(1, 3)));
    default:
      return random_topology();
  }
}

// Collectives that know hosts, too.
std::string some_traffic(u32 ranks, u32 accelerators) {
  const Pattern& pattern = some_collective();
  PluginText text = some_algorithm(pattern, ranks, draw(0, 1) ? 20 : 5000);
  const bool has_rings =
      pattern.name == "allreduce" || pattern.name == "reduce-scatter" || pattern.name == "allgather";
  const auto take = [&](const char* algorithm) {
    std::erase_if(text.options, [](const auto& option) { return option.first == "algorithm"; });
    text.set("algorithm", algorithm);
  };
  if (accelerators > 1 && has_rings && draw(0, 1)) take("rail-rings");
  if (accelerators > 1 && (has_rings || pattern.name == "alltoall") && draw(0, 2) == 0) take("hierarchical");
  return plugin_text(text);
}

ask::TimingOptions some_options(const Fabric& fabric, TimeLevel level, u32 accelerators) {
  ask::TimingOptions out;
  out.level = level;
  out.link = {link_speed};
  out.accelerators = accelerators;
  out.eager = draw(0, 1) ? 65535 : draw(0, 3000);
  out.rounds = std::array{Rounds::barrier, Rounds::exchange, Rounds::independent}[draw(0, 2)];
  if (fabric.columns() > 1) {
    out.rails_policy = std::array{"", "basic", "rail-local", "hash", "own"}[draw(0, 4)];
    out.stripe = draw(0, 2) * 0.5;
  }
  if (draw(0, 1)) out.overhead = {draw(0, 3) * 1e-6};
  if (draw(0, 1)) out.switch_delay = {draw(0, 3) * 1e-7};
  if (draw(0, 1)) out.cable = {draw(0, 3) * 10.0};
  out.flit_bytes = draw(1, 4) * 64;
  if (level == TimeLevel::flit) return out;
  if (draw(0, 1)) out.gap = {draw(0, 3) * 1e-6};
  if (draw(0, 1)) out.nic = {draw(1, 4) * 0.4 * link_speed};
  if (draw(0, 1)) out.inside = {draw(1, 8) * link_speed};
  if (level == TimeLevel::fluid && draw(0, 1)) out.model = RateModel::contention;
  if (level == TimeLevel::fluid && draw(0, 1)) out.sharing = Sharing::fixed;
  return out;
}

TimeLevel some_level() {
  const u32 drawn = draw(0, 9);
  return drawn < 5 ? TimeLevel::loggops : drawn < 9 ? TimeLevel::fluid : TimeLevel::flit;
}

// As traffic and as a program; `hosts` and `nics` are bounds that were found by counting bytes.
void expect_at_least(const ask::Situation& at, const ask::TimingOptions& options, double bound) {
  constexpr double rounding = 1 - 1e-9;
  RC_ASSERT(ask::time(at, options).seconds >= bound * rounding);
  if (options.level == TimeLevel::flit && options.accelerators > 1) return;  // ranks of a host: refused
  const Program program = open_program(at.traffic, at.ranks, options.accelerators);
  const ask::ProgramAnswer found = program_time(at, options, program);
  RC_ASSERT(found.seconds >= bound * rounding);
  RC_ASSERT(found.seconds >= found.critical_path_seconds * rounding);
}

RC_GTEST_PROP(NicSpeed, NoLevelMovesMoreThanNicsCan, ()) {
  const Topology topology = some_topology();
  const Fabric& fabric = topology.fabric;
  const u32 accelerators = draw(0, 1) ? 1 : draw(2, 8), most = fabric.hosts() * accelerators;
  RC_PRE(most > 1);
  const u32 hosts = draw(1, std::min(fabric.hosts(), std::max(2u, 16 / accelerators)));
  const u32 ranks = hosts * accelerators;
  RC_PRE(ranks > 1);
  const Routing routing = std::get<Routing>(route(topology, "minhop"));
  const TimeLevel level = some_level();
  const std::string traffic = some_traffic(ranks, accelerators);
  const ask::Situation at{.topology = topology,
                          .routing = &routing,
                          .traffic = traffic,
                          .placement = draw(0, 1) ? "linear" : "random",
                          .ranks = ranks};
  const ask::TimingOptions options = some_options(fabric, level, accelerators);
  const Job job = at.job(ShorterJobs::end, accelerators);
  const double bound = level == TimeLevel::flit ? time_of_hosts(fabric, job, options)
                                                : std::max(time_of_hosts(fabric, job, options),
                                                           time_of_nics(fabric, job, options));
  RC_LOG() << traffic << " on " << fabric.hosts() << " hosts of " << fabric.columns() << " rails, " << ranks
           << " ranks, " << accelerators << " accelerators, level " << option_text(level) << "\n";
  expect_at_least(at, options, bound);
}

// Ranks of a collective on hosts of one rail. All times are whole numbers, so that what happens at one time
// does so exactly.
struct WholeTimes {
  u32 hosts = draw(1, 8), accelerators = draw(1, 3), ranks = draw(1, hosts* accelerators);
  Topology star = make_topology(fmt::format("XGFT(1; {}; 1)", hosts));
  Routing routing = std::get<Routing>(route(star, "dmodk"));
  Placement placement;
  flow::ProgramOptions options;

  WholeTimes() {
    for (u32 rank = 0; rank < ranks; ++rank) placement.push_back(Host{rank % hosts});
    options.network.overhead = 2 * draw(0, 3);
    options.network.gap = draw_product(1, 20);
    options.latency = draw(0, 9);
    options.byte_gap = draw(1, 4);
    options.byte_overhead = draw_product(1, 6);
    options.eager_bytes = draw(0, 1) ? 65535 : draw(0, 100);
  }
  Program some_program() const {
    const std::string pattern = plugin_text(some_algorithm(some_collective(), ranks, 16));
    return program_of(make_traffic({star, ranks}, pattern),
                      draw(0, 3) ? Rounds::exchange : Rounds::independent);
  }
  flow::ProgramTime run(const Program& program) const {
    return loggops_time(star.fabric, routing, program, placement, options);
  }
};

RC_GTEST_PROP(LogGops, IsThatOfThePlainOne, ()) {
  const WholeTimes on;
  RC_PRE(on.ranks > 1);
  const Program program = on.some_program();
  RC_ASSERT(on.run(program).total == plain_loggops(program, on.placement, on.options));
}

// That of the whole run may be shorter: Program.LongerMessagesMayTakeLessTime.
RC_GTEST_PROP(LogGops, LongerMessagesNeverShortenTheLongestChain, ()) {
  const WholeTimes on;
  RC_PRE(on.ranks > 1);
  const Program program = on.some_program();
  Program longer = program;
  for (Op op = 0; op < program.size(); ++op)
    if (program.kind[op] == Program::Kind::send && draw(0, 2) == 0)
      longer.amount[program.partner[op]] = longer.amount[op] += draw(1, 100);
  RC_ASSERT(on.run(longer).critical_path >= on.run(program).critical_path);
}

}  // namespace
}  // namespace banyan::tests
