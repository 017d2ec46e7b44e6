#include "ask/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ask/cycles.hpp"
#include "ask/simulate.hpp"
#include "ask/timing.hpp"
#include "flit/program_cycles.hpp"
#include "flow/program_time.hpp"
#include "traffic/programs/from_rounds.hpp"
#include "traffic/programs/open.hpp"
#include "traffic/programs/program_course.hpp"

namespace banyan::ask {
namespace {

void add_rounds(const Situation& at, const Traffic& traffic, TimingAnswer& out) {
  out.each_round.emplace();
  std::vector<Demand> demands;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(at.seed, 0, round, demands);
    double bytes = 0;
    for (const Demand& demand : demands) bytes += demand.amount;
    out.messages += demands.size();
    out.bytes += bytes;
    out.each_round->push_back({demands.size(), bytes, 0});
  }
}

constexpr u64 cycle_limit = 1'000'000'000;

// `fabric` has its cables.
SimulateOptions simulate_options(const Fabric& fabric, const TimingOptions& options,
                                 const std::string& policy, double cycle) {
  SimulateOptions how;
  how.complete = true;
  how.measure.max_cycles = cycle_limit;
  how.messages.flit_bytes = options.flit_bytes;
  how.messages.packet_flits = options.packet_flits;
  how.messages.rounds = options.rounds;
  how.messages.reaction_cycles = whole_cycles(options.overhead, cycle);
  how.network.lanes = options.lanes;
  how.network.switch_cycles = whole_cycles(options.switch_delay, cycle);
  how.network.buffer_flits =
      std::max({NetworkOptions{}.buffer_flits, 4 * options.packet_flits, busy_link_flits(fabric, how)});
  if (!policy.empty()) how.rails.policy = policy;
  how.rails.stripe = options.stripe;
  how.rails.processes = options.accelerators;
  how.rails.bus = Bus::full;
  return how;
}

u64 completion(const Situation& at, const TimingOptions& options, const std::string& policy, double cycle) {
  const SimulateOptions how = simulate_options(at.topology.fabric, options, policy, cycle);
  const SimulateAnswer found = std::get<SimulateAnswer>(simulate(at, how));
  if (found.deadlock)
    throw InputError("the packets wait for each other in a circle: 'banyan check' shows why");
  if (!found.completion)
    throw InputError(
        fmt::format("not all messages arrived in {} cycles: expected fewer bytes, or level=fluid",
                    how.measure.max_cycles));
  return static_cast<u64>(*found.completion);
}

ProgramCycles simulated_program(const Situation& at, const TimingOptions& options, const std::string& policy,
                                const Program& program, const Placement& placement) {
  const double cycle = cycle_seconds(at.topology.fabric, options.link, options.flit_bytes);
  const Topology topology = with_cables(at.topology, options.cable, cycle);
  const SimulateOptions how =
      resolved(topology, *at.routing, simulate_options(topology.fabric, options, policy, cycle));
  SimulationSetup setup{topology.fabric, *at.routing, how.network, how.messages};
  setup.granularity = how.granularity;
  setup.seed = at.seed;
  setup.threads = at.threads;
  if (how.with_rails) setup.rails = how.rails;
  const ProgramCosts costs{.unit = cycle,
                           .overhead = options.overhead.value / 2 / cycle,
                           .byte_overhead = options.byte_overhead.value / cycle,
                           .gap = options.gap.value / cycle,
                           .eager_bytes = static_cast<double>(options.eager)};
  return program_cycles(setup, program, placement, costs, options.latency.value / cycle, cycle_limit);
}

void add_bandwidths(const Traffic& traffic, TimingAnswer& out) {
  if (!traffic.algorithm.empty()) out.algorithm = traffic.algorithm;
  if (traffic.size == 0) return;
  out.size = traffic.size;
  if (!(out.seconds > 0)) return;
  out.algorithm_bandwidth = traffic.size / out.seconds;
  out.bus_bandwidth = *out.algorithm_bandwidth * traffic.bus_share;
}

}  // namespace

TimingAnswer time(const Situation& asked, const TimingOptions& options) {
  Situation at = asked;
  if (!at.made && !is_jobs(at.traffic)) at.traffic = with_hosts_known(at.traffic, options.accelerators);
  const Fabric& fabric = at.topology.fabric;
  const Timing timing(fabric, options, false);
  const std::string& policy = timing.policy;
  const auto [traffic, placement] = at.job(ShorterJobs::end, options.accelerators);
  TimingAnswer out{
      .level = options.level, .hosts = fabric.hosts(), .ranks = traffic.ranks, .link = options.link.value};
  if (!policy.empty()) out.rails_policy = policy;
  flow::require_bytes(traffic);
  out.rails =
      rail_traffic(fabric, {traffic, placement}, timing.program.network.rails, options.cross_rail, at.seed);
  add_rounds(at, traffic, out);
  if (options.level == TimeLevel::loggops) {
    out.each_round.reset();
    out.seconds = loggops_time(fabric, *at.routing, program_of(traffic, options.rounds, at.seed), placement,
                               timing.program)
                      .total;
  } else if (options.level != TimeLevel::flit) {
    const CollectiveTime found =
        collective_time(fabric, *at.routing, traffic, placement, timing.program.network, at.seed);
    out.seconds = found.total;
    for (u64 round = 0; round < traffic.rounds; ++round)
      (*out.each_round)[round].ends = found.round_ends[round];
  } else {
    const double cycle = cycle_seconds(fabric, options.link, options.flit_bytes);
    out.each_round.reset();
    const Topology there = with_cables(at.topology, options.cable, cycle);
    out.cycles = completion(at.on(there), options, policy, cycle);
    out.seconds = cycle * static_cast<double>(*out.cycles);
  }
  add_bandwidths(traffic, out);
  return out;
}

TimesAnswer times(const Situation& at, const TimingOptions& options, std::span<const u64> sizes) {
  const auto with_bytes = [&](u64 bytes) {
    PluginText text = parse_plugin(at.traffic);
    text.set("bytes", std::to_string(bytes));
    Situation out = at;
    out.traffic = plugin_text(text);
    return out;
  };
  if (at.made || is_jobs(at.traffic)) throw InputError("sizes are for one collective, without its bytes");
  const Traffic one_byte = with_bytes(1).job(ShorterJobs::end, options.accelerators).traffic;
  if (one_byte.size == 0) throw InputError("sizes are for a collective that has bytes, such as allreduce");
  TimesAnswer out{options.level, at.topology.fabric.hosts(), one_byte.ranks, options.link.value, {}};
  for (const u64 size : sizes) {
    const double bytes = std::max(1.0, std::floor(static_cast<double>(size) / one_byte.size));
    const TimingAnswer found = time(with_bytes(static_cast<u64>(bytes)), options);
    out.sizes.push_back({*found.size, *found.algorithm, found.seconds,
                         found.algorithm_bandwidth.value_or(unknown), found.bus_bandwidth.value_or(unknown)});
  }
  return out;
}

StepAnswer step(const Situation& at, const TimingOptions& options, const TrainingOptions& model) {
  Situation there = at;
  there.traffic = "barrier";  // for its placement: as many ranks as there are
  Job job = there.job(ShorterJobs::end, options.accelerators);
  const TrainingStep plan = training_step(job.traffic.ranks, model, options.accelerators);
  StepAnswer out{.computing_seconds = plan.computing,
                 .level = options.level,
                 .hosts = at.topology.fabric.hosts(),
                 .ranks = job.traffic.ranks,
                 .data = plan.data,
                 .micro_batches = plan.micro_batches,
                 .parameters = plan.parameters,
                 .link = options.link.value};
  there.made = &job;
  double while_computing = 0;  // what is sent inside of the stages
  // Gradients are summed while the last micro-batch goes backward, which is two thirds of its computing.
  double hidden = plan.computing / plan.micro_batches * 2 / 3;
  for (const TrainingPhase& phase : plan.phases) {
    job.traffic = phase.traffic;
    StepAnswer::Phase& one = out.phases.emplace_back(StepAnswer::Phase{
        phase.name, phase.traffic.algorithm, phase.groups, phase.ranks, phase.bytes, phase.times});
    one.seconds_each = time(there, options).seconds;
    one.seconds = one.exposed_seconds = phase.times * one.seconds_each;
    if (phase.name == "tensor" || phase.name == "expert") while_computing += one.seconds;
    if (phase.name == "data" || phase.name == "expert-data") {
      one.exposed_seconds = std::max(0.0, one.seconds - hidden);
      hidden = std::max(0.0, hidden - one.seconds);
    }
    out.exposed_seconds += one.exposed_seconds;
  }
  out.bubble_seconds = (plan.pipeline - 1) * (plan.computing + while_computing) / plan.micro_batches;
  out.seconds = plan.computing + out.exposed_seconds + out.bubble_seconds;
  return out;
}

namespace {

// What is looked at needs a level that knows it.
void require_level(const ProgramLooks& looks, TimeLevel level) {
  if (looks.picture && level == TimeLevel::flit) throw InputError("picture is for levels loggops and fluid");
  if (!looks.at.empty() && level != TimeLevel::fluid) throw InputError("at is for level fluid");
}

void add_moments(const Situation& at, const Timing& timing, const Program& program,
                 const Placement& placement, const std::string& times, ProgramAnswer& out) {
  out.moments.emplace();
  for (flow::Moment& one :
       flow::moments(at.topology.fabric, *at.routing, program, placement, timing.program, read_times(times)))
    out.moments->push_back({one.time, one.flows, std::move(one.channels), std::move(one.rates)});
}

std::optional<RailTraffic> rails_of(const Fabric& fabric, const Program& program, const Placement& placement,
                                    const RailSplit& split, CrossRail rule) {
  if (fabric.columns() == 1) return std::nullopt;
  RailLedger ledger(fabric, placement, split, rule);
  std::vector<Demand> demands;
  for (Op op = 0; op < program.size(); ++op)
    if (program.kind[op] == Program::Kind::send)
      demands.push_back(
          {Rank{program.rank[op]}, Rank{program.rank[program.partner[op]]}, program.amount[op]});
  ledger.add(demands);
  return ledger.result();
}

}  // namespace

ProgramAnswer program_time(const Situation& at, const TimingOptions& options, const Program& program,
                           const ProgramLooks& looks) {
  require_level(looks, options.level);
  const Fabric& fabric = at.topology.fabric;
  const Timing timing(fabric, options, true);
  const Placement placement = timing.placed(at, program.ranks);
  ProgramAnswer out{.level = options.level,
                    .hosts = fabric.hosts(),
                    .ranks = program.ranks,
                    .operations = program.size(),
                    .messages = program.messages(),
                    .bytes = program.bytes(),
                    .link = options.link.value};
  if (!timing.policy.empty()) out.rails_policy = timing.policy;
  out.rails = rails_of(fabric, program, placement, timing.program.network.rails, options.cross_rail);
  if (!program.algorithm.empty()) out.algorithm = program.algorithm;
  if (!program.unequal.empty()) out.unequal_sizes = program.unequal.size();
  const ProgramOptions& how = timing.program;
  if (options.level == TimeLevel::flit) {
    if (!program.weight.empty())
      throw InputError("messages of the program have weights, which level flit does not know");
    const ProgramCycles found = simulated_program(at, options, timing.policy, program, placement);
    const double cycle = cycle_seconds(fabric, options.link, options.flit_bytes);
    out.cycles = found.last_message;
    out.seconds = cycle * found.end;
    out.critical_path_seconds = critical_path(fabric, *at.routing, program, placement, how);
    return out;
  }
  ProgramLog log = looks.picture ? ProgramLog(program) : ProgramLog();
  const ProgramTime found = options.level == TimeLevel::loggops
                                ? loggops_time(fabric, *at.routing, program, placement, how, &log)
                                : fluid_time(fabric, *at.routing, program, placement, how, &log);
  out.seconds = found.total;
  out.exposed_share = exposed_share(program, log, found.total);
  out.critical_path_seconds = found.critical_path;
  out.flow_events = found.flow_events;
  const bool is_fluid = options.level != TimeLevel::loggops;
  if (looks.picture) out.picture = program_picture(at, timing, is_fluid, program, placement, log);
  if (!looks.at.empty()) add_moments(at, timing, program, placement, looks.at, out);
  return out;
}

std::vector<std::string_view> unused_options(TimeLevel level, bool is_program) {
  std::vector<std::string_view> out;
  const auto add = [&](std::initializer_list<std::string_view> keys) { out.insert(out.end(), keys); };
  if (level != TimeLevel::loggops) add({"byte-gap"});
  if (!is_program) {
    if (level != TimeLevel::loggops) add({"latency", "byte-overhead", "eager"});
    return out;
  }
  add({"rounds", "sharing"});
  if (level != TimeLevel::flit) add({"flit-bytes", "packet-flits", "lanes"});
  if (level == TimeLevel::loggops) add({"model", "resolution"});
  return out;
}

std::string unused_text(std::string_view key, TimeLevel level, bool is_program) {
  return fmt::format("{} changes nothing {} at level {}", key, is_program ? "for a program" : "for traffic",
                     option_text(level));
}

ProgramAnswer program(const Situation& at, const ProgramQuestion& asked) {
  if (asked.program.empty() == asked.file.empty())
    throw InputError("expected program, such as step:tensor=8, or file: one of the two");
  const auto given = option_texts(asked.timing), otherwise = option_texts(TimingOptions{});
  for (const std::string_view key : unused_options(asked.timing.level, true))
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].first == key && given[i].second != otherwise[i].second)
        throw InputError(unused_text(key, asked.timing.level, true));
  Situation there = at;
  there.placement = asked.placement;
  there.ranks = asked.ranks;
  const u32 accelerators = asked.timing.accelerators;
  return program_time(there, asked.timing,
                      open_program(asked.file.empty() ? asked.program : asked.file.path,
                                   ranks_for(there, accelerators), accelerators));
}

std::vector<double> read_times(std::string_view text) {
  std::vector<double> out;
  for (const std::string_view piece : split(text, ',')) {
    Duration time;
    read_option_value("at", trim(piece), time);
    out.push_back(time.value);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<u64> read_sizes(std::string_view text) {
  const auto refuse = [&]() -> InputError {
    return InputError(
        fmt::format("sizes is '{}'; expected LEAST:MOST or LEAST:MOST:FACTOR, such as 8:8GiB:4, or sizes "
                    "with commas between",
                    text));
  };
  const bool is_range = text.find(':') != text.npos;
  std::vector<u64> out;
  for (const std::string_view piece : split(text, is_range ? ':' : ',')) {
    const auto value = parse_amount(trim(piece));
    if (!value || *value == 0) throw refuse();
    out.push_back(*value);
  }
  if (!is_range) return out;
  if (out.size() == 2) out.push_back(2);
  if (out.size() != 3 || out[2] < 2 || out[1] < out[0]) throw refuse();
  const u64 most = out[1], factor = out[2];
  out.resize(1);
  while (out.back() <= most / factor) out.push_back(out.back() * factor);
  return out;
}

}  // namespace banyan::ask
