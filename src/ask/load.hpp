// What a traffic puts on the channels, flow by flow and without a clock: the heaviest load and the least
// possible one; where asked for, rates, the worst traffic for the routing, and one round looked at
// closely.
#pragma once
#include "ask/hash_forecast.hpp"
#include "ask/load_round.hpp"
#include "ask/rail_traffic.hpp"
#include "ask/rates.hpp"
#include "ask/worst_traffic.hpp"

namespace banyan::ask {

struct LoadOptions {
  u64 samples = 0;
  bool per_capacity = false;
  std::string rails_policy{};
  double stripe = 0;
  u32 processes = 1;
  CrossRail cross_rail = CrossRail::allow;
  bool rates = false;
  std::string rate_model = "max-min";
  bool optimum = false, worst_permutation = false, oblivious = false;
  u32 worst_rate = 0;
  u64 hashes = 0;
  bool histogram = false;
  std::optional<RoundOptions> round{};  // look at one closely

  static void fields(auto& self, auto&& f) {
    f("samples", self.samples,
      "samples of a random traffic; 0: until the 99 % interval is within 1 % of the mean");
    f("per-capacity", self.per_capacity, "give loads as shares of what a channel can carry");
    f("rails-policy", self.rails_policy,
      "spread flows over all rails as this policy does on average; without it, the first rail carries all");
    f("stripe", self.stripe,
      "with rails-policy: share of the available rails that one message is striped over");
    f("processes", self.processes, "with rails-policy: processes of each host");
    f("cross-rail", self.cross_rail,
      "whether traffic may go from a NIC on one rail to a NIC on another: allow, or forbid, which lists what "
      "does");
    f("rates", self.rates,
      "also find the rates that flows get, and the effective bisection bandwidth; with mpigraph, the rate of "
      "every pair");
    f("rate-model", self.rate_model,
      "max-min or contention; max-min:link=4000,host=3250,demands=limit gives what a link of capacity 1 "
      "carries, what a host can do, and what unequal demands mean: weight, limit or none");
    f("optimum", self.optimum,
      "also find the least maximum load of any routing in the worst round, by a linear program unless the "
      "fabric is a fat-tree; with rails-policy, of what the policy sends on each rail");
    f("worst-permutation", self.worst_permutation,
      "also find the worst permutation for this routing, exactly");
    f("worst-rate", self.worst_rate,
      "also search for the permutation whose flows get the least, by so many chains of swaps; 0: no search");
    f("oblivious", self.oblivious, "also find the worst ratio to the optimum over all traffic, PERF(r)");
    f("hashes", self.hashes,
      "with ecmp: also find the maximum load over so many hashes, and what spraying and the best routing "
      "have; of a "
      "random traffic, for its first sample");
    f("histogram", self.histogram,
      "also count how many channels between switches have which load, over all rounds of all samples");
  }
};

// The rates of every pair while all send at once, as mpiGraph measures them.
struct PairRates {
  std::vector<std::string> hosts{};
  std::vector<std::vector<double>> rates{};  // not known on the diagonal

  static void fields(auto& self, auto&& f) {
    f("hosts", self.hosts, "", "by rank");
    f("rates", self.rates, "", "a row for each sender, a column for each receiver");
  }
};

struct LoadAnswer {
  u64 samples = 0, rounds = 0;
  Interval max_load;
  double max_load_least = 0, max_load_worst = 0;
  double bound = unknown, ratio = unknown, ratio_worst = unknown;
  std::optional<double> mean_rate_orcs{}, min_rate_orcs{};
  std::optional<RatesAnswer> rates{};
  std::optional<Interval> effective_bisection{};
  std::optional<u64> bisections{};
  std::optional<double> worst_optimum{}, worst_ratio_to_optimum{};
  u64 flows = 0, undelivered = 0;
  std::optional<RailTraffic> rails{};
  std::optional<RoundAnswer> round{};
  std::optional<WorstPermutationAnswer> worst_permutation{};
  std::optional<WorstRateAnswer> worst_rate{};
  std::optional<ObliviousAnswer> oblivious{};
  std::optional<HashAnswer> hashes{};
  std::optional<std::vector<RoundAnswer::Range>> histogram{};
  std::optional<PairRates> mpigraph{};
  std::optional<std::string> device{};
  std::string device_failure{};  // of a GPU that was chosen and failed: why; processors did its work
  u32 ranks = 0;
  bool is_random = false, in_bytes = false;

  static void fields(auto& self, auto&& f) {
    f("samples", self.samples, "", "samples of the traffic; 1 if it is not random");
    f("rounds", self.rounds, "", "rounds of each sample");
    f("max_load", self.max_load, "flows",
      "maximum load of a channel; mean over the rounds of a sample and over samples, 99 % interval");
    f("max_load_least", self.max_load_least, "flows", "minimum of max_load over all rounds of all samples");
    f("max_load_worst", self.max_load_worst, "flows", "maximum of max_load over all rounds of all samples");
    f("bound", self.bound, "flows",
      "on fat-trees ML(TM), a lower bound for any routing: the traffic that leaves or enters a subtree "
      "divided by its cables, for the worst subtree; mean over rounds; null elsewhere, and where flows do "
      "not arrive");
    f("ratio", self.ratio, "", "max_load over its bound, PERF(r, TM); mean over rounds");
    f("ratio_worst", self.ratio_worst, "", "maximum of that ratio over all rounds");
    f("mean_rate_orcs", self.mean_rate_orcs, "",
      "1 over the contention on the path, the model of ORCS (Hoefler, Schneider, Lumsdaine 2008): every "
      "channel divides itself evenly among its flows, and a flow does not take over what others cannot use; "
      "mean over flows; absent unless every flow asks for 1");
    f("min_rate_orcs", self.min_rate_orcs, "", "the same for the worst flow");
    part(self.rates, f);
    f("effective_bisection", self.effective_bisection, "of a link",
      "what a flow gets while random halves send to the other halves, 99 % interval");
    f("bisections", self.bisections, "", "that were drawn for it");
    f("worst_optimum", self.worst_optimum, "flows",
      "the least max_load that any routing has in the worst round");
    f("worst_ratio_to_optimum", self.worst_ratio_to_optimum, "", "max_load_worst over worst_optimum");
    f("flows", self.flows, "flows",
      "number of flows of all rounds and samples, including hosts that send to themselves");
    f("undelivered", self.undelivered, "flows",
      "flows with a way that does not arrive; such ways load nothing");
    part(self.rails, f);
    part(self.round, f);
    part(self.worst_permutation, f);
    part(self.worst_rate, f);
    part(self.oblivious, f);
    part(self.hashes, f);
    f("histogram", self.histogram, "",
      "with `--histogram`: channels between switches by their load, of all rounds of all samples together");
    f("mpigraph", self.mpigraph, "", "of mpigraph and all-shifts: the rates of every pair");
    f("device", self.device, "",
      "the GPU that took the samples, counted hashes or searched; absent where processors did");
  }
};

// Throws InputError for options that contradict each other. Not applicable: traffic too large to list, a
// linear program too large to solve, or a GPU that was asked for and is not there or cannot do this.
Result<LoadAnswer> load(const Situation& at, const LoadOptions& options);

// The same where a GPU takes the samples. Not applicable: why none does, or that none is worth it where
// at.device leaves the choice open. Throws InputError likewise.
struct LoadOnGpu {
  Result<LoadAnswer> answer;
  std::string failure{};  // of a GPU that was chosen and failed: why
};
LoadOnGpu load_on_gpu(const Situation& at, const LoadOptions& options);

}  // namespace banyan::ask
