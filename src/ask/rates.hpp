// What rates flows get: flow level, no packets.
#pragma once
#include <optional>
#include <string>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "flow/bandwidth.hpp"

namespace banyan::ask {

struct RatesOptions {
  std::string model = "max-min";
  u64 samples = 100;
  std::string rails_policy{};
  double stripe = 0;
  u32 processes = 1;

  static void fields(auto& self, auto&& f) {
    f("model", self.model, "max-min or contention, such as max-min:link=4000,host=3250");
    f("samples", self.samples, "of random traffic");
    f("rails-policy", self.rails_policy,
      "spread flows over all rails as this policy does on average; without it, the first rail carries all");
    f("stripe", self.stripe,
      "with rails-policy: share of the available rails that one message is striped over");
    f("processes", self.processes, "with rails-policy: processes of each host");
  }
};

// How a policy spreads flows over the rails of a fabric; without a policy, not at all. Throws InputError.
RailSplit split_of(const Fabric& fabric, const std::string& policy, double stripe, u32 processes);

struct RatesAnswer {
  RateModel rate_model = RateModel::max_min;
  Interval mean_rate;
  double min_rate = 0;
  std::optional<Interval> mean_share{};
  std::optional<u64> samples{};

  static void fields(auto& self, auto&& f) {
    f("rate_model", self.rate_model, "", "how flows that meet share a channel");
    f("mean_rate", self.mean_rate, "", "of flows; mean over samples, 99 % interval");
    f("min_rate", self.min_rate, "", "of any flow in any sample");
    f("mean_share", self.mean_share, "of a link",
      "as mean_rate, each rate relative to the link that its flow starts on");
    f("rate_samples", self.samples, "", "of the traffic, for its rates");
  }
};
// Throws InputError.
RatesAnswer rates(const Situation& at, const RatesOptions& options);

}  // namespace banyan::ask
