#include "ask/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ask/on_gpu.hpp"
#include "base/parallel.hpp"
#include "fabric/names.hpp"
#include "flow/bound.hpp"
#include "flow/load_study.hpp"
#include "routing/table_form.hpp"

namespace banyan::ask {
namespace {

class LoadQuestion {
 public:
  // With `needs_gpu` there is no answer without one.
  LoadQuestion(const Situation& at, const LoadOptions& options, bool needs_gpu = false)
      : at_(at),
        options_(options),
        fabric_(at.topology.fabric),
        measure_(options.per_capacity ? Measure::per_capacity : Measure::demand),
        needs_gpu_(needs_gpu),
        job_(at.job(ShorterJobs::repeat, options.processes)) {}

  Result<LoadAnswer> answer() {
    if (const auto reason = too_many_flows()) return *reason;
    const LoadSampler sampler(at_.topology, *at_.routing, job_.traffic, job_.placement, options_.rates,
                              measure_, split());
    if (auto reason = take_samples(sampler)) return std::move(*reason);
    add_study();
    out_.rails = rail_traffic(fabric_, job_, split(), options_.cross_rail, at_.seed);
    if (options_.round || options_.rates || options_.optimum) look(sampler);
    if (options_.rates) add_rates();
    if (options_.optimum)
      if (const auto reason = add_optimum(sampler)) return *reason;
    if (options_.worst_permutation)
      out_.worst_permutation =
          ask::worst_permutation(fabric_, *at_.routing, {.measure = measure_, .threads = at_.threads});
    if (options_.oblivious) {
      auto found =
          ask::oblivious_ratio(at_.topology, *at_.routing, {.measure = measure_, .threads = at_.threads});
      if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
      out_.oblivious = std::get<ObliviousAnswer>(std::move(found));
    }
    if (options_.worst_rate > 0)
      if (const auto reason = add_worst_rate()) return *reason;
    if (options_.hashes > 0)
      if (const auto reason = add_hashes(sampler)) return *reason;
    if (options_.histogram)
      if (const auto reason = add_histogram(sampler)) return *reason;
    return std::move(out_);
  }

  const std::string& device_failure() const { return out_.device_failure; }
  // Of a choice that is open: why processors shall do it, if so.
  std::optional<NotApplicable> not_worth_it() const {
    if (at_.device != DeviceChoice::automatic || is_worth_a_gpu()) return std::nullopt;
    return not_worth_a_gpu();
  }

 private:
  // Uniform traffic is not listed for its loads; for all else it is.
  std::optional<NotApplicable> too_many_flows() const {
    const u64 flows = u64{job_.traffic.ranks} * (job_.traffic.ranks - 1);
    const bool listed = options_.rates || !options_.rails_policy.empty() || options_.hashes > 0 ||
                        options_.histogram || options_.cross_rail == CrossRail::forbid ||
                        (options_.optimum && !optimum_has_formula(at_.topology));
    if (job_.traffic.draw != Traffic::Draw::uniform || !listed || flows <= max_listed_flows)
      return std::nullopt;
    return NotApplicable{fmt::format(
        "{} flows of uniform traffic would be listed for --rates, --optimum, --hashes, --histogram, "
        "--rails-policy or --cross-rail, at most {}: expected fewer --ranks",
        flows, max_listed_flows)};
  }

  LoadStudyOptions study_options() const {
    return {.samples = options_.samples, .seed = at_.seed, .threads = at_.threads, .screen = at_.screen};
  }

  // Whether processors would take about a second or longer; what they need without --samples is less.
  bool is_worth_a_gpu() const {
    return are_samples_worth_a_gpu() || are_hashes_worth_a_gpu() || are_chains_worth_a_gpu();
  }
  bool are_samples_worth_a_gpu() const {
    constexpr u64 flows_in_a_second = 300'000'000;
    return options_.samples > flows_in_a_second * at_.threads / std::max(1u, job_.traffic.ranks);
  }
  bool are_hashes_worth_a_gpu() const {
    constexpr u64 flows_in_a_second = 5'000'000;  // that a processor follows by hashes
    return options_.hashes > flows_in_a_second * at_.threads / std::max(1u, job_.traffic.ranks);
  }

  // What is not random has one sample; a GPU may still count its hashes, or search for a bad permutation.
  bool has_one_sample_and_more() const {
    return !job_.traffic.is_random && (options_.hashes > 0 || options_.worst_rate > 0);
  }

  std::optional<NotApplicable> take_samples(const LoadSampler& sampler) {
    if ((needs_gpu_ || at_.device != DeviceChoice::cpu) && !has_one_sample_and_more()) {
      std::optional<NotApplicable> reason;
      if (at_.device == DeviceChoice::automatic && !are_samples_worth_a_gpu()) reason = not_worth_a_gpu();
      if (!reason) reason = take_samples_on_gpu(sampler);
      if (!reason || needs_gpu_ || at_.device == DeviceChoice::gpu) return reason;
    }
    study_ = study_loads(sampler, study_options());
    return std::nullopt;
  }

  std::optional<NotApplicable> take_samples_on_gpu(const LoadSampler& sampler) {
    if (auto reason = DeviceSampler::refusal(sampler, at_.seed)) return reason;
    return on_gpu(at_, out_, [&](const gpu::Device& device) -> std::optional<NotApplicable> {
      const auto made = DeviceSampler::make(device, sampler, at_.seed);
      if (const auto* reason = std::get_if<NotApplicable>(&made)) return *reason;
      LoadStudyOptions study = study_options();
      study.device = &std::get<DeviceSampler>(made);
      study_ = study_loads(sampler, study);
      return std::nullopt;
    });
  }

  RailSplit split() const {
    return split_of(fabric_, options_.rails_policy, options_.stripe, options_.processes);
  }

  void add_study() {
    out_.samples = study_.max_load.samples;
    out_.rounds = study_.rounds;
    out_.max_load = study_.max_load.interval();
    out_.max_load_least = study_.least;
    out_.max_load_worst = study_.worst;
    out_.flows = study_.flows;
    out_.undelivered = study_.undelivered;
    out_.ranks = job_.traffic.ranks;
    out_.is_random = job_.traffic.is_random;
    out_.in_bytes = job_.traffic.in_bytes;
    if (!study_.has_bound) return;
    out_.bound = study_.bound_mean;
    out_.ratio = study_.ratio_mean;
    out_.ratio_worst = study_.ratio_worst;
  }

  // Round r of sample s is number s * rounds + r.
  u64 worst_number() const { return study_.worst_sample * study_.rounds + study_.worst_round; }
  u64 looked_at() const {
    if (!options_.round || options_.round->round.empty()) return worst_number();
    u64 round = 0;
    read_option_value("round", options_.round->round, round);
    if (round >= study_.rounds)
      throw InputError(fmt::format("there is no round {}: they are 0 to {}", round, study_.rounds - 1));
    return round;
  }

  void look(const LoadSampler& sampler) {
    const RoundOptions options = options_.round.value_or(RoundOptions{.hottest = 0});
    RoundAnswer round{.worst_sample = study_.worst_sample, .worst_round = study_.worst_round};
    round.number = looked_at();
    if (round.number != worst_number()) round.round = round.number;
    std::vector<HotChannel> hot;
    if (const UniformKernel* uniform = sampler.uniform()) {
      round.loads = uniform->loads(at_.threads).load;
      hot = hottest(round.loads, options.hottest);
      uniform->add_flows(hot);
    } else {
      flows_ = sampler.listed().flows(at_.seed, round.number);
      LoadMeter meter = sampler.listed().meter();
      meter.measure(flows_);
      round.loads = meter.loads();
      hot = hottest(round.loads, options.hottest);
      add_flows(hot, meter, flows_);
    }
    if (!options_.round) return;
    for (ChannelKind& kind : by_kind(at_.topology, round.loads)) round.channels.push_back({std::move(kind)});
    for (const LoadRange& range : distribution(at_.topology, round.loads))
      round.distribution.push_back({range});
    for (const HotChannel& channel : hot) round.hottest.push_back(in_words(channel));
    if (options.channels) round.channel_loads.emplace(round.loads.begin(), round.loads.end());
    if (options.channels && study_.rounds > 1) round.round_max_loads = maxima_by_round(sampler);
    out_.round = std::move(round);
  }

  RoundAnswer::Hot in_words(const HotChannel& hot) const {
    RoundAnswer::Hot out{
        index(hot.channel),
        port_name(fabric_, hot.channel) + " -> " + port_name(fabric_, fabric_.reverse(hot.channel)),
        hot.load,
        {}};
    for (const auto& [from, to, load] : hot.flows)
      out.flows.push_back({fabric_.name(fabric_.node(from)), fabric_.name(fabric_.node(to)), load});
    return out;
  }

  std::vector<double> maxima_by_round(const LoadSampler& sampler) const {
    std::vector<RoundLoads> found(study_.rounds);
    parallel_ranges(found.size(), at_.threads, [&](u64 first, u64 last) {
      sampler.run(at_.seed, first, std::span(found).subspan(first, last - first));
    });
    std::vector<double> out;
    for (const RoundLoads& round : found) out.push_back(round.max_load);
    return out;
  }

  // Bisections are drawn as often as random traffic is; where the traffic is that itself, once is enough.
  void add_rates() {
    const auto& [traffic, placement] = job_;
    const BandwidthOptions options{read_rate_options(options_.rate_model),
                                   options_.samples ? options_.samples : 1000, at_.seed, at_.threads,
                                   split()};
    Bandwidth found;
    if (traffic.draw == Traffic::Draw::shifts) {
      const BandwidthMatrix matrix =
          mpigraph(fabric_, *at_.routing, placement, options.rates, at_.threads, options.split);
      found = {.mean_rate = matrix.mean, .min_rate = matrix.least, .samples = 1};
      add_matrix(matrix);
    } else {
      found = bandwidth(fabric_, *at_.routing, traffic, placement, options);
    }
    const bool is_bisection = traffic.draw == Traffic::Draw::bisection && traffic.ranks == placement.size();
    const Bandwidth halves =
        is_bisection ? found : bisection_bandwidth(at_.topology, *at_.routing, placement, options);
    out_.rates = {.rate_model = options.rates.model, .mean_rate = found.rate(), .min_rate = found.min_rate};
    out_.effective_bisection = halves.share();
    out_.bisections = halves.samples;
    // Where every flow asks for 1, the contention that the sampler counts is a number of flows.
    const auto asks_for_one = [](const Flow& flow) { return flow.demand == 1; };
    if (flows_.empty() || !std::all_of(flows_.begin(), flows_.end(), asks_for_one)) return;
    out_.mean_rate_orcs = study_.mean_rate;
    out_.min_rate_orcs = study_.min_rate;
  }

  void add_matrix(const BandwidthMatrix& matrix) {
    PairRates out;
    for (const Rank from : job_.placement.ids()) {
      out.hosts.push_back(fabric_.host_name(job_.placement[from]));
      std::vector<double>& row = out.rates.emplace_back();
      for (const Rank to : job_.placement.ids()) row.push_back(from == to ? unknown : matrix(from, to));
    }
    out_.mpigraph = std::move(out);
  }

  std::optional<NotApplicable> add_optimum(const LoadSampler& sampler) {
    const bool is_known = sampler.uniform() && study_.has_bound && optimum_has_formula(at_.topology);
    const Result<double> found =
        is_known ? Result<double>(study_.bound_mean)
                 : optimum(at_.topology, sampler.uniform() ? sampler.listed().flows(at_.seed, 0) : flows_,
                           {.measure = measure_});
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    out_.worst_optimum = std::get<double>(found);
    out_.worst_ratio_to_optimum = performance_ratio(study_.worst, *out_.worst_optimum);
    return std::nullopt;
  }

  bool are_chains_worth_a_gpu() const {
    return worst_rate_seconds(at_.topology, options_.worst_rate) > at_.threads;
  }

  std::optional<NotApplicable> add_worst_rate() {
    WorstRateOptions search{measure_, options_.worst_rate, at_.seed, at_.threads};
    const bool may_use_gpu =
        at_.device == DeviceChoice::automatic ? are_chains_worth_a_gpu() : at_.device == DeviceChoice::gpu;
    std::optional<NotApplicable> reason = not_worth_a_gpu();
    const auto find = [&](const gpu::Device* device) -> std::optional<NotApplicable> {
      search.device = device;
      auto found = ask::worst_rate(at_.topology, *at_.routing, search);
      if (auto* const why = std::get_if<NotApplicable>(&found)) return std::move(*why);
      out_.worst_rate = std::get<WorstRateAnswer>(std::move(found));
      return std::nullopt;
    };
    const auto device_before = out_.device;
    if (may_use_gpu || needs_gpu_)
      reason = on_gpu(at_, out_, [&](const gpu::Device& device) { return find(&device); });
    if (!reason && out_.worst_rate->swaps == 0) out_.device = device_before;  // nobody had to search
    if (!reason || needs_gpu_ || at_.device == DeviceChoice::gpu) return reason;
    return find(nullptr);
  }

  std::optional<NotApplicable> add_hashes(const LoadSampler& sampler) {
    std::vector<std::vector<Flow>> rounds;
    u64 flows = 0;
    for (u64 round = 0; round < study_.rounds; ++round) {
      rounds.push_back(sampler.listed().flows(at_.seed, round));
      flows += rounds.back().size();
      if (flows > max_listed_flows)
        return NotApplicable{fmt::format(
            "--hashes lists the flows of all rounds, at most {}: expected fewer ranks", max_listed_flows)};
    }
    HashForecast forecast{at_.topology,    *at_.routing, rounds,     measure_,
                          options_.hashes, at_.seed,     at_.threads};
    if (auto reason = forecast_on_gpu(forecast); !reason)
      return std::nullopt;
    else if (needs_gpu_ || at_.device == DeviceChoice::gpu)
      return reason;
    auto found = forecast_hashes(forecast);
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    out_.hashes = std::get<HashAnswer>(std::move(found));
    return std::nullopt;
  }

  // By the GPU if it took the samples.
  std::optional<NotApplicable> add_histogram(const LoadSampler& sampler) {
    const u64 rounds = study_.max_load.samples * study_.rounds;
    LoadHistogram found;
    const bool has_gpu = out_.device && job_.traffic.is_random;
    auto reason = has_gpu ? histogram_on_gpu(rounds, found) : std::optional(not_worth_a_gpu());
    if (reason && has_gpu && (needs_gpu_ || at_.device == DeviceChoice::gpu)) return reason;
    if (reason) found = load_histogram(sampler.listed(), at_.seed, 0, rounds, at_.threads);
    out_.histogram.emplace();
    for (const LoadRange& range : with_idle(fabric_, std::move(found), rounds))
      out_.histogram->push_back({range});
    return std::nullopt;
  }

  // Closed forms as tables: their flows are followed.
  std::optional<NotApplicable> histogram_on_gpu(u64 rounds, LoadHistogram& out) {
    std::optional<RouteResult> tables;
    if (std::holds_alternative<TreeForm>(at_.routing->forward)) {
      tables = tables_of(at_.topology, *at_.routing, {.addresses = 1 << 28});
      if (const auto* reason = std::get_if<NotApplicable>(&*tables)) return *reason;
    }
    const LoadSampler sampler(at_.topology, tables ? std::get<Routing>(*tables) : *at_.routing, job_.traffic,
                              job_.placement);
    if (auto reason = DeviceWalks::refusal(sampler, at_.seed)) return reason;
    return on_gpu(at_, out_, [&](const gpu::Device& device) -> std::optional<NotApplicable> {
      const auto made = DeviceWalks::make(device, sampler, at_.seed);
      if (const auto* reason = std::get_if<NotApplicable>(&made)) return *reason;
      out = std::get<DeviceWalks>(made).histogram(at_.seed, 0, rounds);
      return std::nullopt;
    });
  }

  // Why it cannot, if so.
  std::optional<NotApplicable> forecast_on_gpu(HashForecast forecast) {
    if (at_.device == DeviceChoice::cpu && !needs_gpu_) return not_worth_a_gpu();
    if (at_.device == DeviceChoice::automatic && !are_hashes_worth_a_gpu()) return not_worth_a_gpu();
    if (auto reason = DeviceHashes::refusal(fabric_, *at_.routing, forecast.rounds, measure_)) return reason;
    return on_gpu(at_, out_, [&](const gpu::Device& device) -> std::optional<NotApplicable> {
      const auto made = DeviceHashes::make(device, fabric_, *at_.routing, forecast.rounds, measure_);
      if (const auto* reason = std::get_if<NotApplicable>(&made)) return *reason;
      forecast.device = &std::get<DeviceHashes>(made);
      auto found = forecast_hashes(forecast);
      if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
      out_.hashes = std::get<HashAnswer>(std::move(found));
      return std::nullopt;
    });
  }

  const Situation& at_;
  const LoadOptions& options_;
  const Fabric& fabric_;
  const Measure measure_;
  const bool needs_gpu_;
  const Job job_;
  LoadStudy study_{};
  std::vector<Flow> flows_{};  // of the round that is looked at; none of uniform traffic: all are alike
  LoadAnswer out_{};
};

// Policies are known by what they do with a demand; these ask other questions, of one rail.
void refuse_contradictions(const LoadOptions& options) {
  if (options.optimum && options.round && !options.round->round.empty())
    throw InputError("--optimum is that of the worst round: it takes no --round");
  if (!options.rails_policy.empty() &&
      (options.worst_permutation || options.oblivious || options.worst_rate > 0))
    throw InputError(
        "--rails-policy is for loads, rates and the optimum: it takes no --worst-permutation, --worst-rate "
        "or "
        "--oblivious, which look at one rail");
  if (options.worst_rate > max_worst_rate_chains)
    throw InputError(
        fmt::format("--worst-rate is {}; expected at most {}", options.worst_rate, max_worst_rate_chains));
}

}  // namespace

Result<LoadAnswer> load(const Situation& at, const LoadOptions& options) {
  refuse_contradictions(options);
  return LoadQuestion(at, options).answer();
}

LoadOnGpu load_on_gpu(const Situation& at, const LoadOptions& options) {
  refuse_contradictions(options);
  LoadQuestion question(at, options, true);
  if (const auto reason = question.not_worth_it()) return {*reason};
  LoadOnGpu out{question.answer()};
  if (std::holds_alternative<NotApplicable>(out.answer)) out.failure = question.device_failure();
  return out;
}

}  // namespace banyan::ask
