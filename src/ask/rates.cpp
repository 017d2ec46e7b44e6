#include "ask/rates.hpp"

namespace banyan::ask {

RatesAnswer rates(const Situation& at, const RatesOptions& options) {
  const auto [traffic, placement] = at.job();
  const RateOptions model = read_rate_options(options.model);
  const Bandwidth b = bandwidth(at.topology.fabric, *at.routing, traffic, placement,
                                {model, options.samples, at.seed, at.threads});
  return {model.model, b.rate(), b.min_rate, b.share(), b.samples};
}

}  // namespace banyan::ask
