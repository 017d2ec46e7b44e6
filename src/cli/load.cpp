// banyan load: what a traffic puts on the channels, flow by flow and without a clock.
#include <fmt/format.h>

#include <iostream>

#include "base/error.hpp"
#include "base/options.hpp"
#include "base/parallel.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/load_output.hpp"
#include "cli/traffic_argument.hpp"
#include "flit/rails/policy.hpp"
#include "flow/bound.hpp"

namespace banyan::cli {
namespace {

constexpr u64 max_listed = 20'000'000;  // flows of uniform traffic, where each must be looked at

class LoadVerb {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.value("--samples", samples_, "N",
                    "of a random traffic (default: 1000, doubled until the mean is known to 1 %)");
    arguments.flag("--per-capacity", per_capacity_, "loads in shares of what a channel can carry");
    arguments.value(
        "--rails-policy", policy_, "P",
        "spread flows over all rails as this policy does in the mean (default: the first rail only)");
    arguments.value("--stripe", stripe_, "X",
                    "with --rails-policy: share of the available rails that one message is striped over");
    arguments.value("--processes", processes_, "N", "with --rails-policy: processes of a host (default 1)");
    rates_.declare(arguments);
    time_.declare(arguments);
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
    arguments.value("--out", out_, "DIR",
                    "write the loads of all channels there, and matrix and rounds where asked for, as CSV");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    if (optimum_ && !round_.empty())
      throw InputError("--optimum is that of the worst round: it takes no --round");
    if (channels_ && !as_json_) throw InputError("--channels: expected --json too");
    const bool wants_rates = rates_.wanted || (!rates_.model.empty() && !time_.is_wanted());
    const RateOptions rate_options = rates_.rates();
    const Loaded loaded = load(fabric_);
    const Topology& topology = loaded.topology;
    tell_remark(topology);
    const RouteResult result = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    const u64 seed = engine_.drawing_seed();
    refuse_besides_rails(wants_rates);
    const Job job = traffic_.job(topology, seed, ShorterJobs::repeat, processes_);
    if (const auto reason = too_many_flows(topology, job.traffic, wants_rates)) return refuse(*reason);
    std::optional<TimeAnswer> time;  // refuses more traffic than the others, and so comes first
    if (time_.is_wanted())
      time = answer_time(topology.fabric, routing, traffic_.job(topology, seed, ShorterJobs::end),
                         time_.options(rate_options), seed);
    const LoadSampler sampler(topology, routing, job.traffic, job.placement, wants_rates, measure(),
                              split(topology.fabric));
    const LoadStudy study = study_loads(sampler, {.samples = samples_, .seed = seed, .threads = threads()});
    LoadAnswer answer{topology,
                      job,
                      study,
                      WorstRound(topology, sampler, number_looked_at(study), seed, hottest_, threads()),
                      fabric_.fabric,
                      engine_.engine,
                      traffic_.text(),
                      policy_,
                      seed,
                      measure()};
    answer.looked_at = number_looked_at(study);
    answer.lists_channels = channels_;
    if (channels_ && study.rounds > 1) answer.by_round = maxima_by_round(sampler, study.rounds);
    if (wants_rates)
      answer.rates =
          answer_rates(topology, routing, job, {rate_options, samples_ ? samples_ : 1000, seed, threads()});
    answer.time = std::move(time);
    if (const auto reason = add_bounds(topology, routing, sampler, answer)) return refuse(*reason);
    if (!out_.empty()) answer.files = write_files(answer, out_);
    as_json_ ? print_json(answer) : print_text(answer);
    if (study.undelivered > 0)
      std::cerr << fmt::format("banyan: {} of {} flows do not arrive, and load nothing\n", study.undelivered,
                               study.flows);
    return Exit::done;
  }

 private:
  unsigned threads() const { return threads_ > 0 ? threads_ : default_threads(); }
  Measure measure() const { return per_capacity_ ? Measure::per_capacity : Measure::demand; }

  // Policies are known by what they do with a demand; these ask other questions, of one rail.
  void refuse_besides_rails(bool wants_rates) const {
    if (policy_.empty() && (processes_ != 1 || !stripe_.empty()))
      throw InputError("--stripe and --processes: expected --rails-policy too");
    if (!policy_.empty() &&
        (wants_rates || time_.is_wanted() || optimum_ || worst_permutation_ || oblivious_))
      throw InputError(
          "--rails-policy is for loads: it takes no --rates, --time, --optimum, --worst-permutation or "
          "--oblivious, which look at one rail");
  }

  RailSplit split(const Fabric& fabric) const {
    if (policy_.empty()) return {};
    double stripe = 0;
    if (!stripe_.empty()) read_option_value("stripe", stripe_, stripe);
    return rail_split(prepare_policy(policy_, rail_rules(fabric, stripe)));
  }

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

  static bool is_complete_tree(const Topology& topology) {
    return std::holds_alternative<Pgft>(topology.shape) && topology.is_intact();
  }

  // Uniform traffic is not listed for its loads; for all else it is.
  std::optional<NotApplicable> too_many_flows(const Topology& topology, const Traffic& traffic,
                                              bool wants_rates) const {
    const u64 flows = u64{traffic.ranks} * (traffic.ranks - 1);
    const bool listed = wants_rates || !policy_.empty() || (optimum_ && !is_complete_tree(topology));
    if (traffic.draw != Traffic::Draw::uniform || !listed || flows <= max_listed) return std::nullopt;
    return NotApplicable{fmt::format(
        "{} flows of uniform traffic would be listed for --rates, --optimum or --rails-policy, at most {}: "
        "expected fewer --ranks",
        flows, max_listed)};
  }

  std::optional<NotApplicable> add_bounds(const Topology& topology, const Routing& routing,
                                          const LoadSampler& sampler, LoadAnswer& answer) const {
    if (optimum_) {
      const bool is_known = sampler.uniform() && answer.study.has_bound && is_complete_tree(topology);
      using Found = std::variant<double, NotApplicable>;
      const Found found =
          is_known ? Found(answer.study.bound_mean)
                   : optimum(topology,
                             sampler.uniform() ? sampler.listed().flows(answer.seed, 0) : answer.worst.flows,
                             {.measure = measure()});
      if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
      answer.optimum = std::get<double>(found);
    }
    if (worst_permutation_)
      answer.permutation =
          worst_permutation(topology.fabric, routing, {.measure = measure(), .threads = threads()});
    if (!oblivious_) return std::nullopt;
    auto found = oblivious_ratio(topology, routing, {.measure = measure(), .threads = threads()});
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    answer.oblivious = std::get<ObliviousRatio>(std::move(found));
    return std::nullopt;
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  TrafficArgument traffic_{"permutation"};
  RatesArgument rates_;
  TimeArgument time_;
  std::string out_, round_, policy_, stripe_;
  u32 samples_ = 0, hottest_ = 3, threads_ = 0, processes_ = 1;
  bool per_capacity_ = false, channels_ = false, optimum_ = false, worst_permutation_ = false,
       oblivious_ = false, as_json_ = false;
};

}  // namespace

Verb load_verb() {
  return make_verb<LoadVerb>(
      "load", "Loads of channels under a traffic, their bound, rates and times, and the hottest channels",
      "banyan load 'XGFT(3; 12,12,24; 1,12,12)' --engine disjoint --paths 8 --traffic permutation");
}

}  // namespace banyan::cli
