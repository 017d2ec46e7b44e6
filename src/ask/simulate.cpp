#include "ask/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "ask/any_hash.hpp"
#include "ask/cycles.hpp"
#include "ask/on_gpu.hpp"
#include "ask/simulate_gpu.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "fabric/names.hpp"
#include "flit/replicas.hpp"
#include "traffic/message_trace.hpp"

namespace banyan::ask {
namespace {

// Ranks may be written as the hosts that they are on.
std::function<MessageTrace()> trace_opener(const Situation& at, const Placement& placement,
                                           const std::string& file) {
  const Fabric& fabric = at.topology.fabric;
  std::vector<u32> rank_on(fabric.hosts(), ~u32{0});
  for (const Rank rank : placement.ids())
    if (u32& first = rank_on[index(placement[rank])]; first == ~u32{0}) first = index(rank);
  const RankNames names = [&fabric, rank_on, nodes = std::make_shared<std::optional<NameIndex>>()](
                              const std::string& name) -> std::optional<u32> {
    if (!*nodes) nodes->emplace(fabric);
    const auto node = (*nodes)->find(name);
    if (!node || fabric.is_switch(*node)) return std::nullopt;
    const u32 rank = rank_on[index(fabric.host(fabric.nic(*node)))];
    return rank == ~u32{0} ? std::nullopt : std::optional(rank);
  };
  return [file, names, ranks = static_cast<u32>(placement.size())] {
    return MessageTrace(std::make_unique<std::ifstream>(open_input(file)), file, ranks, names);
  };
}

Measurement measured_once(const Situation& at, const SimulateOptions& options, Progress& progress,
                          const Watch& watch) {
  const Fabric& fabric = at.topology.fabric;
  if (!options.ends()) check_load(options.messages.load);
  const bool has_rails = options.with_rails;
  if (at.exchange && has_rails) throw InputError("under mpirun: several NICs a host are for one process");
  const auto [traffic, placement] = at.job(options.complete ? ShorterJobs::end : ShorterJobs::repeat,
                                           has_rails ? options.rails.processes : 1);
  SimulationSetup setup = setup_of(fabric, *at.routing, options);
  setup.seed = at.seed;
  setup.threads = at.threads;
  setup.exchange = at.exchange;
  const MeasureOptions& until = options.measure;
  if (!options.trace.empty())
    return measure(
        setup,
        Workload::recorded(fabric, trace_opener(at, placement, options.trace), placement, options.messages,
                           has_rails ? options.rails.processes : 0, own_nics(setup)),
        until, &progress, watch);
  if (options.complete) return measure_rounds(setup, traffic, placement, until, &progress, watch);
  Workload workload = Workload::open(fabric, traffic, placement, options.messages, at.seed,
                                     has_rails ? options.rails.processes : 0, own_nics(setup));
  return measure(setup, std::move(workload), until, &progress, watch);
}

// Whether another seed may give another run of traffic that is sent once.
bool draws(const Situation& at, const SimulateOptions& options) {
  const PathChoice paths = options.network.path_choice;
  if (options.with_rails || is_adaptive(*at.routing) || hashes(*at.routing) || paths == PathChoice::random ||
      paths == PathChoice::message || paths == PathChoice::recycled || paths == PathChoice::flowlet)
    return true;
  Situation next = at;
  ++next.seed;
  const Job here = at.job(ShorterJobs::end), there = next.job(ShorterJobs::end);
  return here.traffic.is_random || !std::ranges::equal(here.placement, there.placement);
}

// Processes that simulate together make one run after the other.
Measurement measured(const Situation& at, const SimulateOptions& options, const Watch& watch = {}) {
  const MeasureOptions& until = options.measure;
  if (watch && until.replicas > 1) throw InputError("replicas cannot be watched: expected one run");
  if (until.replicas > 1 && options.ends() && !draws(at, options))
    throw InputError(
        "nothing is drawn for this traffic, which is sent once: all runs are the same, expected no replicas");
  Progress progress("cycles", until.replicas * (until.cycles ? until.cycles : until.max_cycles), at.screen);
  const auto run = [&](u32 number, unsigned threads) {
    Situation own = at;
    own.seed += number;
    own.threads = at.exchange ? at.threads : threads;
    if (number == 0 || !hashes(*at.routing)) return measured_once(own, options, progress, watch);
    // A run says nothing of other hashes than its own.
    const Routing hashed = with_hash(*at.routing, other_seed(*at.routing, at.seed, number));
    own.routing = &hashed;
    return measured_once(own, options, progress, watch);
  };
  return measure_replicas(until.replicas, at.exchange ? 1 : at.threads, run);
}

ReplicaAnswer replica_answer(const ReplicaEstimates& over) {
  ReplicaAnswer out;
  transform_figures(over.figures, out, [](const Interval& of) { return of.half_width; });
  return out;
}

LatencySeconds in_seconds(const SimulateAnswer& m, double cycle) {
  LatencySeconds out;
  transform_figures(m, out, [&](double cycles) { return cycle * cycles; });
  out.cycle_seconds = cycle;
  out.packet_latency = {cycle * m.packet_latency.mean, cycle * m.packet_latency.half_width};
  return out;
}

SimulateAnswer answer_of(const Measurement& m, bool completes) {
  const Tally& counted = m.counted;
  SimulateAnswer out{figures_of(m)};
  if (completes) {
    out.completed = m.completion_cycles.has_value();
  } else {
    out.offered = m.offered;
    out.accepted = m.accepted;
    out.saturated = m.saturated;
    out.undecided = m.undecided;
    out.ends_in_warm_up = !m.is_warm;
  }
  if (counted.packets > 0) out.packet_latency = m.packet_latency;
  out.packets = counted.packets;
  out.messages = counted.messages;
  out.flits = counted.flits;
  out.flit_hops = counted.flit_hops;
  out.cycles = counted.cycles;
  out.warm_up_cycles = m.warm_up_cycles;
  out.deadlock = m.deadlock.has_value();
  out.waiting = m.deadlock;
  out.granularity = m.granularity;
  if (m.replicas) {
    out.replicas = m.replicas->runs;
    out.over_replicas = replica_answer(*m.replicas);
  }
  return out;
}

// What cables and switches take, in cycles.
void check_wire(const SimulateOptions& options) {
  const auto& [link, cable, switch_delay] = options.wire;
  if (link.value == 0 && (cable.value > 0 || switch_delay.value > 0))
    throw InputError("cable and switch-delay are in seconds: expected link too, the speed of a link");
  if (options.messages.flit_bytes == 0) throw InputError("flit-bytes is 0; expected at least 1");
}

double round_trip_of(const Fabric& fabric, const SimulateOptions& options) {
  const u64 switch_cycles = u64{options.network.switch_cycles} + options.network.crossing_cycles;
  const auto cycle = cycle_of(fabric, options);
  const bool has_cables = cycle && options.wire.cable.value > 0;
  return round_trip_flits(fabric,
                          has_cables ? std::optional(cable_cycles(options.wire.cable, *cycle)) : std::nullopt,
                          switch_cycles);
}

// 40 flits; where times are known, at least what a busy link needs.
u32 usual_buffer(const Fabric& fabric, const SimulateOptions& options) {
  constexpr u32 usual = 40;
  return options.wire.link.value > 0 ? std::max(usual, busy_link_flits(fabric, options)) : usual;
}

// How many of auto or auto:N; none: loads are listed.
std::optional<u32> adaptive_loads(std::string_view text) {
  constexpr u32 usual = 16, least = 5, greatest = 200;
  if (text == "auto") return usual;
  if (!text.starts_with("auto:")) return std::nullopt;
  const auto count = parse_unsigned(text.substr(5));
  if (!count || *count < least || *count > greatest)
    throw InputError(
        fmt::format("curve: expected auto:N with {} to {} loads, not '{}'", least, greatest, text));
  return static_cast<u32>(*count);
}

SimulateOptions at_load(SimulateOptions options, double load) {
  options.messages.load = load;
  return options;
}

// Why a GPU that was demanded cannot do it; the questions return it.
struct NotOnGpu {
  NotApplicable reason;
};

// Measurements of one situation at some loads, by processors or by a GPU.
class Runs {
 public:
  // The options are resolved.
  Runs(const Situation& at, const SimulateOptions& options, Watch watch = {})
      : cycle_(cycle_of(at.topology.fabric, options)),
        longer_(with_cables_of(at.topology, options)),
        at_(of(at)),
        options_(options),
        watch_(std::move(watch)) {}
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  // Who is told of a measurement when it is there.
  using Told = std::function<void(double load, const Measurement& measured)>;
  void tell(Told told) { told_ = std::move(told); }

  // For a search: loads follow that depend on what was found, up to 1.
  void choose_for_search() { choose(std::array{1.0}); }

  Measurement at(double load) { return std::move(at(std::span(&load, 1))[0]); }
  // With a listener, runs go in batches of 256. All of them are on one device, which the first call chooses.
  std::vector<Measurement> at(std::span<const double> loads) {
    constexpr std::size_t many_runs = 256;
    choose(loads);
    const std::size_t at_once =
        told_ ? std::max<std::size_t>(1, many_runs / options_.measure.replicas) : loads.size();
    std::vector<Measurement> out;
    for (; !loads.empty(); loads = loads.subspan(std::min(at_once, loads.size())))
      for (Measurement& one : together(loads.first(std::min(at_once, loads.size()))))
        out.push_back(std::move(one));
    return out;
  }
  const Where& where() const { return where_; }
  // The same, asked about the fabric whose cables are as long as they are here.
  Situation of(const Situation& at) const { return longer_ ? at.on(*longer_) : at; }
  SimulateAnswer answer(const Measurement& m) const {
    SimulateAnswer out = answer_of(m, options_.ends());
    if (cycle_) out.seconds = in_seconds(out, *cycle_);
    return out;
  }

 private:
  std::vector<SimulateQuestion> questions_at(std::span<const double> loads) const {
    std::vector<SimulateQuestion> out;
    for (const double load : loads) out.push_back({at_, at_load(options_, load)});
    return out;
  }
  // Whether a GPU is to simulate, by all loads that are known.
  void choose(std::span<const double> loads) {
    if (tries_gpu_) return;
    tries_gpu_ = at_.device == DeviceChoice::gpu ||
                 (at_.device == DeviceChoice::automatic && are_worth_a_gpu(questions_at(loads)));
  }

  std::vector<Measurement> together(std::span<const double> loads) {
    if (*tries_gpu_) {
      auto found = measure_on_gpu(questions_at(loads));
      if (auto* all = std::get_if<std::vector<Measurement>>(&found)) {
        for (std::size_t i = 0; told_ && i < all->size(); ++i) told_(loads[i], (*all)[i]);
        return std::move(*all);
      }
      if (at_.device == DeviceChoice::gpu) throw NotOnGpu{std::get<NotApplicable>(found)};
      tries_gpu_ = false;
    }
    std::vector<Measurement> out;
    for (const double load : loads) {
      out.push_back(measured(at_, at_load(options_, load), watch_));
      if (told_) told_(load, out.back());
    }
    return out;
  }

  // Nothing where cables are as the fabric says.
  static std::optional<Topology> with_cables_of(const Topology& topology, const SimulateOptions& options) {
    if (!(options.wire.cable.value > 0)) return std::nullopt;
    return with_cables(topology, options.wire.cable, *cycle_of(topology.fabric, options));
  }

  Result<std::vector<Measurement>> measure_on_gpu(std::span<const SimulateQuestion> questions) {
    if (watch_ && options_.measure.replicas > 1) return NotApplicable{"replicas cannot be watched"};
    std::vector<Measurement> out;
    for (Result<Measurement>& one : ask::measure_on_gpu(questions, where_, watch_)) {
      if (const auto* reason = std::get_if<NotApplicable>(&one)) return *reason;
      out.push_back(std::get<Measurement>(std::move(one)));
    }
    return out;
  }

  std::optional<double> cycle_;  // seconds
  std::optional<Topology> longer_;
  const Situation at_;
  const SimulateOptions& options_;
  const Watch watch_;
  Told told_{};
  std::optional<bool> tries_gpu_{};  // chosen once; no more once it has refused or failed
  Where where_{};
};

// ask(), or why the GPU that it demands cannot do it.
template <class Answer, class F>
Result<Answer> unless_refused(F&& ask) {
  try {
    return ask();
  } catch (const NotOnGpu& refused) {
    return refused.reason;
  }
}

}  // namespace

std::optional<double> cycle_of(const Fabric& fabric, const SimulateOptions& options) {
  if (!(options.wire.link.value > 0)) return std::nullopt;
  return cycle_seconds(fabric, options.wire.link, options.messages.flit_bytes);
}

u32 busy_link_flits(const Fabric& fabric, const SimulateOptions& options) {
  return busy_link_flits(round_trip_of(fabric, options), options.messages.packet_flits);
}

bool buffers_limit_links(const Fabric& fabric, const SimulateOptions& options) {
  const bool is_whole = options.network.flow_control == FlowControl::vct;
  return options.network.buffer_flits <
         round_trip_of(fabric, options) + (is_whole ? options.messages.packet_flits - 1 : 0);
}

BatchAnswer batch_answer(const Batch& batch, const std::optional<double>& cycle_seconds) {
  const Tally& counted = batch.counted;
  const u64 cycles = std::max<u64>(1, counted.cycles);
  BatchAnswer out{batch.now,
                  counted.cycles,
                  batch.offered,
                  batch.accepted,
                  counted.packets,
                  counted.packet_latency.mean(),
                  counted.packet_latency.percentile(0.99)};
  if (cycle_seconds) out.packet_latency_seconds = *cycle_seconds * out.packet_latency;
  for (const u64 flits : counted.channel_flits)
    out.channel_per_mille.push_back(static_cast<u32>((1000 * flits + cycles / 2) / cycles));
  return out;
}

SimulatedWith simulated_with(const SimulateOptions& options) {
  SimulatedWith out{{options.messages}, {options.network}, {options.measure}};
  if (options.with_rails) out.rails = {options.rails};
  if (!options.trace.empty()) out.trace = options.trace.path;
  if (options.wire.link.value > 0) out.wire = {{options.wire}};
  return out;
}

void check_load(double load) {
  const bool is_share = load > 0 && load <= 1;
  if (!is_share) throw InputError(fmt::format("load is {}; expected more than 0 and at most 1", load));
}

SimulateOptions resolved(const Topology& topology, const Routing& routing, SimulateOptions options) {
  if (options.network.lanes == 0) options.network.lanes = routing.lanes;
  options.messages.packet_flits = largest_packet(options.messages);
  check_wire(options);
  if (options.wire.switch_delay.value > 0)
    options.network.switch_cycles =
        whole_cycles(options.wire.switch_delay, *cycle_of(topology.fabric, options));
  if (options.network.buffer_flits == 0)
    options.network.buffer_flits = usual_buffer(topology.fabric, options);
  if (options.complete && !options.trace.empty())
    throw InputError("a trace is sent once, at its times: it takes no complete");
  if (!options.trace.empty() && options.measure.replicas > 1)
    throw InputError("a trace is the same in all runs: it takes no replicas");
  for (const auto& [key, is_given] : {std::pair("burst", !options.messages.burst.empty()),
                                      std::pair("packet-lengths", !options.messages.packet_lengths.empty()),
                                      std::pair("reply-flits", options.messages.reply_flits > 0)})
    if (options.ends() && is_given)
      throw InputError(fmt::format("{} is for messages at a load: it takes no complete and no trace", key));
  options.with_rails |= topology.fabric.columns() > 1 || options.rails != RailOptions{};
  check_setup(setup_of(topology.fabric, routing, options));
  check_measure(options.measure);
  return options;
}

Result<SimulateAnswer> simulate(const Situation& at, const SimulateOptions& options, const Watch& watch) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  return unless_refused<SimulateAnswer>([&] {
    Runs runs(at, decided, watch);
    SimulateAnswer out = runs.answer(runs.at(decided.messages.load));
    out.where = runs.where();
    return out;
  });
}

AnswersTogether simulate_together(std::vector<SimulateQuestion> questions) {
  AnswersTogether out;
  if (questions.empty()) return out;
  for (auto& [at, options] : questions) options = resolved(at.topology, *at.routing, std::move(options));
  const auto leave_all = [&](const std::string& why) {
    out.answers.assign(questions.size(), NotApplicable{why});
  };
  if (questions[0].at.device == DeviceChoice::automatic && !are_worth_a_gpu(questions))
    return leave_all(not_worth_a_gpu().why), out;
  std::map<std::pair<const void*, std::string>, std::unique_ptr<Runs>>
      kinds;  // a fabric with longer cables is made once
  std::vector<const Runs*> runs;
  std::vector<SimulateQuestion> asked;
  for (const auto& [at, options] : questions) {
    auto& kind = kinds[{&at.topology, alike_on_gpu(options)}];
    if (!kind) kind = std::make_unique<Runs>(at, options);
    runs.push_back(kind.get());
    asked.push_back({kind->of(at), options});
  }
  const auto found = measure_on_gpu(asked, out.where);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const auto* measured = std::get_if<Measurement>(&found[i]))
      out.answers.emplace_back(runs[i]->answer(*measured));
    else
      out.answers.emplace_back(std::get<NotApplicable>(found[i]));
  return out;
}

namespace {

std::vector<std::pair<double, Measurement>> measured_curve(Runs& runs, std::string_view loads) {
  if (const auto count = adaptive_loads(loads)) {
    runs.choose_for_search();
    return adaptive_curve([&](double load) { return runs.at(load); }, *count);
  }
  const auto listed = parse_ratios(loads);
  if (!listed)
    throw InputError(
        fmt::format("curve: expected loads such as 0.1,0.2 or 10%:90%:10%, or auto, not '{}'", loads));
  std::vector<Measurement> found = runs.at(*listed);
  std::vector<std::pair<double, Measurement>> out;
  for (std::size_t i = 0; i < found.size(); ++i) out.emplace_back((*listed)[i], std::move(found[i]));
  return out;
}

}  // namespace

Result<CurveAnswer> curve(const Situation& at, const SimulateOptions& options, std::string_view loads,
                          const TellPoint& tell) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  return unless_refused<CurveAnswer>([&] {
    Runs runs(at, decided);
    if (tell) runs.tell([&](double load, const Measurement& m) { tell({load, runs.answer(m)}); });
    CurveAnswer out;
    for (const auto& [load, m] : measured_curve(runs, loads)) out.points.push_back({load, runs.answer(m)});
    out.where = runs.where();
    return out;
  });
}

Result<SaturationAnswer> saturation(const Situation& at, const SimulateOptions& options) {
  const SimulateOptions decided = resolved(at.topology, *at.routing, options);
  return unless_refused<SaturationAnswer>([&] {
    Runs runs(at, decided);
    runs.choose_for_search();
    const Saturation found = find_saturation([&](double load) { return runs.at(load); });
    SaturationAnswer out{found.load, found.throughput, false, {}};
    for (const auto& [load, m] : found.points) {
      out.points.push_back({load, runs.answer(m)});
      out.undecided |= m.undecided;
    }
    out.where = runs.where();
    return out;
  });
}

}  // namespace banyan::ask
