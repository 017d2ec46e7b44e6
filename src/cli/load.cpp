// banyan load: what a traffic puts on the channels, flow by flow and without a clock.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/options.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/rates_output.hpp"
#include "cli/traffic_argument.hpp"
#include "cli/worst_traffic.hpp"
#include "fabric/names.hpp"
#include "flow/bound.hpp"
#include "flow/load_study.hpp"
#include "flow/load_summary.hpp"

namespace banyan {
namespace {

class LoadVerb {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.value("--samples", samples_, "N",
                    "of a random traffic (default: 1000, doubled until the mean is known to 1 %)");
    rates_.declare(arguments);
    arguments.flag("--optimum", optimum_,
                   "the least maximum load that any routing has for the worst round, off fat-trees by a "
                   "linear program");
    arguments.flag("--worst-permutation", worst_permutation_,
                   "the permutation that is worst for this routing, exactly");
    arguments.flag("--oblivious", oblivious_, "the worst ratio to the optimum over all traffic, PERF(r)");
    arguments.value("--round", round_, "R",
                    "look closely at this round of the first sample, not at the worst one");
    arguments.flag("--channels", channels_,
                   "with --json: the load of every channel, and the maximum of every round");
    arguments.value("--hottest", hottest_, "N", "show so many of the hottest channels (default 3)");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    const Topology& topology = loaded.topology;
    tell_remark(topology);
    const RouteResult result = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    const Job job = traffic_.job(topology, engine_.drawing_seed());
    const LoadSampler sampler(topology, routing, job.traffic, job.placement, rates_.is_wanted());
    const LoadStudy study =
        study_loads(sampler, {.samples = samples_, .seed = engine_.drawing_seed(), .threads = threads()});
    Answer answer{topology.fabric,
                  job.traffic,
                  job.placement,
                  study,
                  Worst(topology, sampler, number_looked_at(study), engine_.drawing_seed(), hottest_),
                  {},
                  {},
                  {},
                  {},
                  {},
                  {}};
    if (channels_ && study.rounds > 1) answer.by_round = maxima_by_round(sampler, study.rounds);
    if (rates_.is_wanted())
      answer.rates =
          answer_rates(topology, routing, job.traffic, job.placement,
                       rates_.options(samples_ ? samples_ : 1000, engine_.drawing_seed(), threads()));
    if (rates_.is_wanted() && traffic_.text() == "mpigraph")
      answer.matrix = mpigraph(topology.fabric, routing, job.placement,
                               rates_.options(1, engine_.drawing_seed(), threads()).rates, threads());
    if (optimum_) {
      const auto found = optimum(topology, answer.worst.flows);
      if (const auto* reason = std::get_if<NotApplicable>(&found)) return refuse(*reason);
      answer.optimum = std::get<double>(found);
    }
    if (worst_permutation_)
      answer.permutation = worst_permutation(topology.fabric, routing, {.threads = threads()});
    if (oblivious_) {
      auto found = oblivious_ratio(topology, routing, {.threads = threads()});
      if (const auto* reason = std::get_if<NotApplicable>(&found)) return refuse(*reason);
      answer.oblivious = std::get<ObliviousRatio>(std::move(found));
    }
    as_json_ ? print_json(answer) : print_text(answer);
    if (study.undelivered > 0)
      std::cerr << fmt::format("banyan: {} flows do not arrive, and load nothing\n", study.undelivered);
    return Exit::done;
  }

 private:
  // The heaviest round of all, looked at closely.
  struct Worst {
    Worst(const Topology& topology, const LoadSampler& sampler, u64 number, u64 seed, u32 count) {
      flows = sampler.listed().flows(seed, number);
      LoadMeter meter(sampler.listed().lister(), sampler.listed().traffic().in_bytes);
      meter.measure(flows);
      loads = meter.loads();
      kinds = by_kind(topology, loads);
      ranges = distribution(topology, loads);
      hot = hottest(meter, flows, count);
    }
    // Then the contention that the sampler counts is a number of flows.
    bool asks_for_one_each() const {
      return std::all_of(flows.begin(), flows.end(), [](const Flow& flow) { return flow.demand == 1; });
    }

    std::vector<Flow> flows;
    IdVector<Channel, double> loads;
    std::vector<ChannelKind> kinds;
    std::vector<LoadRange> ranges;
    std::vector<HotChannel> hot;
  };

  struct Answer {
    const Fabric& fabric;
    const Traffic& traffic;
    const Placement& placement;
    const LoadStudy& study;
    Worst worst;
    std::optional<RatesAnswer> rates;
    std::optional<double> optimum;  // of the worst round
    std::optional<WorstPermutation> permutation;
    std::optional<ObliviousRatio> oblivious;
    std::optional<BandwidthMatrix> matrix;
    std::vector<double> by_round;  // maximum loads of the first sample
  };

  // Round r of sample s is number s * rounds + r.
  u64 number_looked_at(const LoadStudy& study) const {
    if (round_.empty()) return study.worst_sample * study.rounds + study.worst_round;
    u64 round = 0;
    read_option_value("round", round_, round);
    if (round >= study.rounds)
      throw InputError(fmt::format("there is no round {}: they are 0 to {}", round, study.rounds - 1));
    return round;
  }

  std::vector<double> maxima_by_round(const LoadSampler& sampler, u64 rounds) const {
    std::vector<RoundLoads> found(rounds);
    parallel_ranges(rounds, threads(), [&](u64 first, u64 last) {
      sampler.run(engine_.drawing_seed(), first, std::span(found).subspan(first, last - first));
    });
    std::vector<double> out;
    for (const RoundLoads& round : found) out.push_back(round.max_load);
    return out;
  }

  unsigned threads() const { return threads_ > 0 ? threads_ : default_threads(); }

  static std::string named(const Fabric& fabric, Channel c) {
    return port_name(fabric, c) + " -> " + port_name(fabric, fabric.reverse(c));
  }

  static void print_text(const Answer& answer) {
    const auto& [fabric, traffic, placement, study, worst, rates, least, permutation, oblivious, matrix,
                 by_round] = answer;
    std::cout << fmt::format("maximum load      {:.6g}", study.max_load.mean);
    if (traffic.is_random)
      std::cout << fmt::format(" +- {:.3g} (99 %), mean of {} samples", study.max_load.half_width_99,
                               study.max_load.samples);
    if (study.rounds > 1) std::cout << fmt::format(", mean of {} rounds", study.rounds);
    std::cout << fmt::format("\nleast, worst      {:.6g}, {:.6g}\n", study.least, study.worst);
    if (study.has_bound)
      std::cout << fmt::format("bound ML(TM)      {:.6g}\nratio to bound    {:.6g}, at worst {:.6g}\n",
                               study.bound_mean, study.ratio_mean, study.ratio_worst);
    if (rates && answer.worst.asks_for_one_each())
      std::cout << fmt::format("1/contention      {:.6g} of what is asked for, at worst {:.6g}\n",
                               study.mean_rate, study.min_rate);
    if (rates) print_rates(std::cout, *rates);
    if (least)
      std::cout << fmt::format("optimum           {:.6g} for the worst round; ratio {:.6g}\n", *least,
                               performance_ratio(study.worst, *least));
    if (traffic.is_random || study.rounds > 1)
      std::cout << fmt::format("\nThe worst: sample {}, round {}\n", study.worst_sample, study.worst_round);
    std::cout << fmt::format("\n{:<22} {:>9} {:>9} {:>10} {:>10}\n", "channels", "cabled", "loaded",
                             "max load", "mean load");
    for (const ChannelKind& kind : worst.kinds)
      std::cout << fmt::format("{:<22} {:>9} {:>9} {:>10.4g} {:>10.4g}\n", kind.name, kind.channels,
                               kind.loaded, kind.max_load, kind.mean_load);
    std::cout << "\nload: channels   ";
    for (const LoadRange& range : worst.ranges)
      std::cout << (range.from == range.to
                        ? fmt::format(" {:.4g}: {}", range.from, range.channels)
                        : fmt::format(" {:.4g}..{:.4g}: {}", range.from, range.to, range.channels));
    std::cout << '\n';
    for (const HotChannel& hot : worst.hot) print_hot(fabric, hot);
    if (permutation) print_worst_permutation(std::cout << '\n', fabric, *permutation);
    if (oblivious) print_oblivious_ratio(std::cout << '\n', fabric, *oblivious);
  }

  static void print_hot(const Fabric& fabric, const HotChannel& hot) {
    constexpr std::size_t most = 8;
    std::cout << fmt::format("\n{}: load {:.6g} of {} flows\n ", named(fabric, hot.channel), hot.load,
                             hot.flows.size());
    for (std::size_t i = 0; i < std::min(most, hot.flows.size()); ++i)
      std::cout << fmt::format(" {}->{}", fabric.name(fabric.node(hot.flows[i].from)),
                               fabric.name(fabric.node(hot.flows[i].to)));
    std::cout << (hot.flows.size() > most ? " ...\n" : "\n");
  }

  void print_json(const Answer& answer) const {
    const auto& [fabric, traffic, placement, study, worst, rates, least, permutation, oblivious, matrix,
                 by_round] = answer;
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("fabric", fabric_.fabric).field("engine", engine_.engine).field("traffic", traffic_.text());
    json.field("hosts", fabric.hosts()).field("ranks", traffic.ranks);
    json.field("samples", study.max_load.samples).field("rounds", study.rounds);
    json.field("mean_max_load", study.max_load.mean).key("half_width_99");
    std::isfinite(study.max_load.half_width_99) ? json.value(study.max_load.half_width_99) : json.null();
    json.field("min_max_load", study.least).field("worst_max_load", study.worst);
    const auto bounded = [&](std::string_view key, double value) {
      json.key(key);
      study.has_bound ? json.value(value) : json.null();
    };
    bounded("bound_mean", study.bound_mean);
    bounded("ratio_mean", study.ratio_mean);
    bounded("ratio_worst", study.ratio_worst);
    if (rates && worst.asks_for_one_each())
      json.field("mean_rate_orcs", study.mean_rate).field("min_rate_orcs", study.min_rate);
    if (rates) write_rates(json, *rates);
    if (least) {
      json.field("worst_optimum", *least);
      json.field("worst_ratio_to_optimum", performance_ratio(study.worst, *least));
    }
    json.field("undelivered", study.undelivered);
    json.field("worst_sample", study.worst_sample).field("worst_round", study.worst_round);
    write_worst(json, fabric, worst);
    if (matrix) write_matrix(json, *matrix, fabric, answer.placement);
    if (channels_) {
      json.field("channel_loads", std::vector<double>(worst.loads.begin(), worst.loads.end()));
      if (!by_round.empty()) json.field("round_max_loads", by_round);
    }
    if (permutation) write_worst_permutation(json, fabric, *permutation);
    if (oblivious) write_oblivious_ratio(json, fabric, *oblivious);
    json.end_object();
  }

  static void write_worst(JsonWriter& json, const Fabric& fabric, const Worst& worst) {
    json.key("channels").begin_array();
    for (const ChannelKind& kind : worst.kinds)
      json.begin_object()
          .field("kind", kind.name)
          .field("channels", kind.channels)
          .field("loaded", kind.loaded)
          .field("max_load", kind.max_load)
          .field("mean_load", kind.mean_load)
          .end_object();
    json.end_array().key("distribution").begin_array();
    for (const LoadRange& range : worst.ranges)
      json.begin_object()
          .field("from", range.from)
          .field("to", range.to)
          .field("channels", range.channels)
          .end_object();
    json.end_array().key("hottest").begin_array();
    for (const HotChannel& hot : worst.hot) {
      json.begin_object().field("channel", index(hot.channel)).field("name", named(fabric, hot.channel));
      json.field("load", hot.load).key("flows").begin_array();
      for (const HotChannel::Share& share : hot.flows)
        json.begin_object()
            .field("source", fabric.name(fabric.node(share.from)))
            .field("destination", fabric.name(fabric.node(share.to)))
            .field("load", share.load)
            .end_object();
      json.end_array().end_object();
    }
    json.end_array();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  TrafficArgument traffic_{"permutation"};
  RatesArgument rates_;
  u32 samples_ = 0, hottest_ = 3, threads_ = 0;
  std::string round_;
  bool channels_ = false, optimum_ = false, worst_permutation_ = false, oblivious_ = false, as_json_ = false;
};

}  // namespace

Verb load_verb() {
  return make_verb<LoadVerb>(
      "load", "Loads of channels under a traffic, their bound, and the hottest channels",
      "banyan load 'XGFT(3; 12,12,24; 1,12,12)' --engine disjoint --paths 8 --traffic permutation");
}

}  // namespace banyan
