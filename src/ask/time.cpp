#include "ask/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ask/cycles.hpp"
#include "ask/simulate.hpp"
#include "flit/program_cycles.hpp"
#include "flit/rails/policy.hpp"
#include "flow/program_time.hpp"
#include "traffic/programs/from_rounds.hpp"

namespace banyan::ask {
namespace {

double limit(Speed speed) { return speed.value > 0 ? speed.value : std::numeric_limits<double>::infinity(); }

void check(const Fabric& fabric, const TimingOptions& options) {
  if (!(options.link.value > 0)) throw InputError("link is 0; expected a speed such as 400G");
  if (options.accelerators == 0) throw InputError("accelerators is 0; expected at least 1");
  if (options.stripe != 0 && fabric.rails() == 1)
    throw InputError("stripe is for several rails, and this fabric has one");
  const bool has_flow_options = options.inside.value > 0 || options.nic.value > 0 ||
                                options.resolution.value > 0 || options.gap.value > 0 ||
                                options.model != RateModel::max_min || options.sharing != Sharing::fluid;
  if (options.level == TimeLevel::flit && has_flow_options)
    throw InputError("inside, nic, gap, model, sharing and resolution are for level=flow");
  if (options.flit_bytes == 0) throw InputError("flit-bytes is 0; expected at least 1");
}

std::string policy_of(const Fabric& fabric, const TimingOptions& options) {
  if (!options.rails_policy.empty()) return options.rails_policy;
  if (fabric.rails() == 1) return "";
  return options.accelerators > 1 ? "rail-local" : "basic";
}

// What the flow level knows of it, in seconds and bytes.
flow::TimeOptions flow_options(const Fabric& fabric, const TimingOptions& options,
                               const std::string& policy) {
  flow::TimeOptions out;
  out.rates = {options.model,
               options.link.value,
               limit(options.nic),
               DemandUse::weight,
               {options.accelerators, limit(options.inside)}};
  out.overhead = options.overhead.value;
  out.gap = options.gap.value;
  out.latency = seconds_per_metre * options.cable.value;
  out.switch_latency = options.switch_delay.value;
  out.sharing = options.sharing;
  out.rounds = options.rounds;
  out.resolution = options.resolution.value;
  if (!policy.empty()) out.rails = message_split(prepare_policy(policy, rail_rules(fabric, options.stripe)));
  return out;
}

ProgramOptions program_options(const Fabric& fabric, const TimingOptions& options,
                               const std::string& policy) {
  return {.network = flow_options(fabric, options, policy),
          .latency = options.latency.value,
          .byte_gap = options.byte_gap.value > 0 ? options.byte_gap.value : 1 / options.link.value,
          .byte_overhead = options.byte_overhead.value,
          .eager_bytes = static_cast<double>(options.eager)};
}

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

constexpr u64 most_cycles = 1'000'000'000;

SimulateOptions simulate_options(const TimingOptions& options, const std::string& policy, double cycle) {
  SimulateOptions how;
  how.complete = true;
  how.measure.max_cycles = most_cycles;
  how.messages.flit_bytes = options.flit_bytes;
  how.messages.packet_flits = options.packet_flits;
  how.messages.rounds = options.rounds;
  how.messages.reaction_cycles = whole_cycles(options.overhead, cycle);
  how.network.lanes = options.lanes;
  how.network.buffer_flits = std::max(how.network.buffer_flits, 4 * options.packet_flits);
  how.network.switch_cycles = whole_cycles(options.switch_delay, cycle);
  if (!policy.empty()) how.rails.policy = policy;
  how.rails.stripe = options.stripe;
  how.rails.processes = options.accelerators;
  how.rails.bus = Bus::full;
  return how;
}

u64 completion(const Situation& at, const TimingOptions& options, const std::string& policy, double cycle) {
  const SimulateOptions how = simulate_options(options, policy, cycle);
  const SimulateAnswer found = std::get<SimulateAnswer>(simulate(at, how));
  if (found.deadlock)
    throw InputError("the packets wait for each other in a circle: 'banyan check' shows why");
  if (!found.completion)
    throw InputError(fmt::format("not all messages arrived in {} cycles: expected fewer bytes, or level=flow",
                                 how.measure.max_cycles));
  return *found.completion;
}

ProgramCycles simulated_program(const Situation& at, const TimingOptions& options, const std::string& policy,
                                const Program& program, const Placement& placement) {
  const double cycle = cycle_seconds(at.topology.fabric, options.link, options.flit_bytes);
  const Topology topology = with_cables(at.topology, options.cable, cycle);
  const SimulateOptions how = resolved(topology, *at.routing, simulate_options(options, policy, cycle));
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
  return program_cycles(setup, program, placement, costs, options.latency.value / cycle, most_cycles);
}

void add_bandwidths(const Traffic& traffic, TimingAnswer& out) {
  if (!traffic.algorithm.empty()) out.algorithm = traffic.algorithm;
  if (traffic.size == 0) return;
  out.size = traffic.size;
  if (!(out.seconds > 0)) return;
  out.algorithm_bandwidth = traffic.size / out.seconds;
  out.bus_bandwidth = *out.algorithm_bandwidth * traffic.bus_share;
}

// With several ranks a host and no algorithm named: the one that knows hosts, where there is one.
Situation with_hosts_known(Situation at, const TimingOptions& options) {
  if (options.accelerators < 2 || at.made || is_jobs(at.traffic)) return at;
  PluginText text = parse_plugin(at.traffic);
  const bool knows = text.name == "allreduce" || text.name == "reduce-scatter" || text.name == "allgather";
  const bool is_named = std::any_of(text.options.begin(), text.options.end(), [](const auto& option) {
    return option.first == "algorithm" && option.second != "auto";
  });
  if (!knows || is_named) return at;
  text.set("algorithm", "rail-rings");
  at.traffic = plugin_text(text);
  return at;
}

}  // namespace

TimingAnswer time(const Situation& asked, const TimingOptions& options) {
  const Situation at = with_hosts_known(asked, options);
  const Fabric& fabric = at.topology.fabric;
  check(fabric, options);
  const auto [traffic, placement] = at.job(ShorterJobs::end, options.accelerators);
  const std::string policy = policy_of(fabric, options);
  TimingAnswer out{
      .level = options.level, .hosts = fabric.hosts(), .ranks = traffic.ranks, .link = options.link.value};
  if (!policy.empty()) out.rails_policy = policy;
  flow::require_bytes(traffic);
  add_rounds(at, traffic, out);
  if (options.level == TimeLevel::loggops) {
    out.each_round.reset();
    out.seconds = loggops_time(fabric, *at.routing, program_of(traffic, options.rounds, at.seed), placement,
                               program_options(fabric, options, policy))
                      .total;
  } else if (options.level != TimeLevel::flit) {
    const CollectiveTime found = collective_time(fabric, *at.routing, traffic, placement,
                                                 flow_options(fabric, options, policy), at.seed);
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

ProgramAnswer program_time(const Situation& at, const TimingOptions& options, const Program& program) {
  const Fabric& fabric = at.topology.fabric;
  check(fabric, options);
  const std::string policy = policy_of(fabric, options);
  Situation there = at;
  there.traffic = "barrier";  // for its placement
  there.ranks = program.ranks;
  const Placement placement = there.job(ShorterJobs::end, options.accelerators).placement;
  ProgramAnswer out{.level = options.level == TimeLevel::flow ? TimeLevel::fluid : options.level,
                    .hosts = fabric.hosts(),
                    .ranks = program.ranks,
                    .operations = program.size(),
                    .messages = program.messages(),
                    .bytes = program.bytes(),
                    .link = options.link.value};
  if (!policy.empty()) out.rails_policy = policy;
  const ProgramOptions how = program_options(fabric, options, policy);
  if (options.level == TimeLevel::flit) {
    const ProgramCycles found = simulated_program(at, options, policy, program, placement);
    const double cycle = cycle_seconds(fabric, options.link, options.flit_bytes);
    out.cycles = found.last_message;
    out.seconds = cycle * found.end;
    out.critical_path_seconds = critical_path(fabric, *at.routing, program, placement, how);
    return out;
  }
  const ProgramTime found = options.level == TimeLevel::loggops
                                ? loggops_time(fabric, *at.routing, program, placement, how)
                                : fluid_time(fabric, *at.routing, program, placement, how);
  out.seconds = found.total;
  out.critical_path_seconds = found.critical_path;
  out.flow_events = found.flow_events;
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
