#include "ask/size_deep.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ask/cycles.hpp"
#include "ask/fabric_router.hpp"
#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "topology/distances.hpp"

namespace banyan::ask {
namespace {

constexpr u32 fault_draws = 5;
constexpr double student_t_4 = 2.776;  // 97.5 %, 4 degrees of freedom

// Mean and 95 % interval of what was drawn.
Interval over_draws(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double n = static_cast<double>(values.size()), mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, student_t_4 * std::sqrt(squares / (n - 1) / n)};
}

// f(routed fabric, its routing) for the intact fabric, or for every draw of broken cables. Returns why a
// draw cannot be routed, or nothing if all can.
template <class F>
std::optional<std::string> each_draw(const std::string& fabric, const std::string& engine, double broken,
                                     u64 seed, F&& f) {
  for (u32 draw = 0; draw < (broken > 0 ? fault_draws : 1); ++draw) {
    std::vector<std::string> without;
    if (broken > 0) without.push_back(fmt::format("share={},seed={}", broken, seed + draw));
    RoutingOptions options;
    options.engine = engine, options.seed = seed;
    const RoutedFabric made = open_routed(fabric, without, options);
    if (const auto* reason = std::get_if<NotApplicable>(&made.result)) return reason->why;
    f(made, std::get<Routing>(made.result));
  }
  return std::nullopt;
}

// The adaptive engine of a fabric; nothing: there is none.
std::string adaptive_engine(const Topology& topology) {
  for (const char* name : {"adaptive", "ugal"})
    if (std::holds_alternative<Routing>(engines::route(topology, engines::engines().bind(name)))) return name;
  return "";
}

struct Measured {
  std::vector<double> max_load{}, accepted{}, latency{}, seconds{};
  Interval one_load{unknown, unknown};
  SimulateAnswer one{};
  u64 flows = 0, lost = 0;
};

void measure_loads(const Situation& at, Measured& out) {
  LoadOptions loads;
  if (at.topology.fabric.columns() > 1) loads.rails_policy = "basic";
  const auto found = load(at, loads);
  const auto* answer = std::get_if<LoadAnswer>(&found);
  if (!answer) return;
  out.one_load = answer->max_load;
  out.max_load.push_back(answer->max_load.mean);
  out.flows += answer->flows, out.lost += answer->undelivered;
}

// Cycles until the longest way is full: a multiple of what it takes without load, since warm-up may be half
// of a run and some routings take detours.
u64 filling_cycles(const Fabric& fabric, const SimulateOptions& how, unsigned threads) {
  const auto cycle = cycle_of(fabric, how);
  if (!cycle || !(how.wire.cable.value > 0 || how.wire.switch_delay.value > 0)) return 0;
  const u64 channels = search_distances(fabric, threads).diameter;
  const u64 cable = how.wire.cable.value > 0 ? cable_cycles(how.wire.cable, *cycle) : 1;
  return 4 * channels * (cable + whole_cycles(how.wire.switch_delay, *cycle));
}

void measure_simulation(const Situation& at, const DeepOptions& options, Speed link, Measured& out) {
  SimulateOptions how;
  how.messages.load = options.load;
  how.wire = {link, options.cable, options.switch_delay};
  how.measure.cycles = options.cycles + filling_cycles(at.topology.fabric, how, at.threads);
  out.one = std::get<SimulateAnswer>(simulate(at, how));
  if (out.one.accepted) out.accepted.push_back(out.one.accepted->mean);
  if (out.one.saturated.value_or(false)) {  // it grows with the run
    out.one.packet_latency = {unknown, unknown};
    if (out.one.seconds) out.one.seconds->packet_latency = {unknown, unknown};
  }
  out.latency.push_back(out.one.packet_latency.mean);
  if (out.one.seconds) out.seconds.push_back(out.one.seconds->packet_latency.mean);
}

DeepState deep_state(const std::string& fabric, const std::string& engine, double broken, u32 ranks,
                     const DeepOptions& options, Speed link, unsigned threads,
                     const Progress::Screen& screen) {
  DeepState out{.engine = engine, .broken = broken, .draws = broken > 0 ? fault_draws : 1};
  Measured found;
  const auto measure = [&](const RoutedFabric& made, const Routing& routing) {
    out.engine = made.router.name;
    const Situation at{.topology = made.loaded.topology,
                       .routing = &routing,
                       .traffic = options.traffic,
                       .ranks = ranks,
                       .seed = options.seed,
                       .threads = threads,
                       .screen = screen};
    if (made.router.is_chosen) measure_loads(at, found);  // an adaptive routing decides by its queues
    measure_simulation(at, options, link, found);
  };
  out.remark = each_draw(fabric, engine, broken, options.seed, measure);
  if (out.remark) return out;
  if (broken > 0) {
    if (found.max_load.size() == fault_draws) out.max_load = over_draws(found.max_load);
    if (found.accepted.size() == fault_draws) out.accepted = over_draws(found.accepted);
    out.packet_latency = over_draws(found.latency);
    if (found.seconds.size() == fault_draws) out.packet_latency_seconds = over_draws(found.seconds);
  } else {
    out.max_load = found.one_load;
    if (found.one.accepted) out.accepted = *found.one.accepted;
    out.packet_latency = found.one.packet_latency;
    if (found.one.seconds) out.packet_latency_seconds = found.one.seconds->packet_latency;
  }
  if (found.flows > 0) out.lost = static_cast<double>(found.lost) / static_cast<double>(found.flows);
  return out;
}

std::vector<double> states_of(const DeepOptions& options) {
  if (!(options.broken >= 0 && options.broken < 1))
    throw InputError(
        fmt::format("--broken {}: expected a share of the cables, 0 to below 1", options.broken));
  return options.broken > 0 ? std::vector<double>{0, options.broken} : std::vector<double>{0};
}

}  // namespace

std::vector<DeepState> look_deep(const std::string& fabric, u32 ranks, const DeepOptions& options, Speed link,
                                 unsigned threads, const Progress::Screen& screen) {
  if (!(link.value > 0) && (options.cable.value > 0 || options.switch_delay.value > 0))
    throw InputError("--deep: with --cable or --switch-delay, expected --speed too");
  std::vector<DeepState> out;
  const std::string adaptive = adaptive_engine(load_fabric(fabric, {}).topology);
  for (const std::string& engine : {std::string("auto"), adaptive})
    for (const double broken : states_of(options))
      if (!engine.empty())
        out.push_back(deep_state(fabric, engine, broken, ranks, options, link, threads, screen));
  return out;
}

std::vector<DeepStep> step_deep(const std::string& fabric, u32 ranks, const DeepOptions& options,
                                TimingOptions timing, const TrainingOptions& model, unsigned threads,
                                const Progress::Screen& screen) {
  timing.cable = options.cable, timing.switch_delay = options.switch_delay;
  std::vector<DeepStep> out;
  for (const double broken : states_of(options)) {
    DeepStep& state = out.emplace_back();
    state.broken = broken, state.draws = broken > 0 ? fault_draws : 1;
    std::vector<double> seconds, exposed;
    state.remark = each_draw(fabric, "auto", broken, options.seed,
                             [&](const RoutedFabric& made, const Routing& routing) {
                               state.engine = made.router.name;
                               const StepAnswer found = step({.topology = made.loaded.topology,
                                                              .routing = &routing,
                                                              .ranks = ranks,
                                                              .seed = options.seed,
                                                              .threads = threads,
                                                              .screen = screen},
                                                             timing, model);
                               seconds.push_back(found.seconds), exposed.push_back(found.exposed_seconds);
                             });
    if (state.remark) continue;
    state.seconds = broken > 0 ? over_draws(seconds) : Interval{seconds.front(), 0};
    state.exposed_seconds = broken > 0 ? over_draws(exposed) : Interval{exposed.front(), 0};
  }
  return out;
}

}  // namespace banyan::ask
