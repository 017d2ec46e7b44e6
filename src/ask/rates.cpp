#include "ask/rates.hpp"

namespace banyan::ask {

RatesAnswer rates(const Situation& at, const RatesOptions& options) {
  const auto [traffic, placement] = at.job();
  const RateOptions model = read_rate_options(options.model);
  const Bandwidth b = bandwidth(at.topology.fabric, *at.routing, traffic, placement,
                                {model, options.samples, at.seed, at.threads});
  return {model.model, b.rate(), b.min_rate, b.share(), b.samples};
}

TimeAnswer time(const Situation& at, const TimeOptions& options) {
  const auto [traffic, placement] = at.job(ShorterJobs::end);
  const CollectiveTime time =
      collective_time(at.topology.fabric, *at.routing, traffic, placement, options, at.seed);
  TimeAnswer out{time.total, options};
  std::vector<Demand> demands;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(at.seed, 0, round, demands);
    double bytes = 0;
    for (const Demand& demand : demands) bytes += demand.amount;
    out.each_round.push_back({demands.size(), bytes, time.round_ends[round]});
  }
  return out;
}

}  // namespace banyan::ask
