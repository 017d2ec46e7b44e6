#include "ask/rates.hpp"

#include "flit/rails/policy.hpp"

namespace banyan::ask {

RailSplit split_of(const Fabric& fabric, const std::string& policy, double stripe, u32 processes) {
  if (policy.empty() && (processes != 1 || stripe != 0))
    throw InputError("--stripe and --processes: expected --rails-policy too");
  if (policy.empty()) return {};
  return rail_split(prepare_policy(policy, rail_rules(fabric, stripe, processes)));
}

RatesAnswer rates(const Situation& at, const RatesOptions& options) {
  const Fabric& fabric = at.topology.fabric;
  const RailSplit split = split_of(fabric, options.rails_policy, options.stripe, options.processes);
  const auto [traffic, placement] = at.job(ShorterJobs::repeat, options.processes);
  const RateOptions model = read_rate_options(options.model);
  const Bandwidth b = bandwidth(fabric, *at.routing, traffic, placement,
                                {model, options.samples, at.seed, at.threads, split});
  return {model.model, b.rate(), b.min_rate, b.share(), b.samples};
}

}  // namespace banyan::ask
