// What rates flows get, and how long a traffic in bytes takes: flow level, no packets.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "flow/bandwidth.hpp"
#include "flow/message_time.hpp"

namespace banyan::ask {

struct RatesOptions {
  std::string model = "max-min";
  u64 samples = 100;

  static void fields(auto& self, auto&& f) {
    f("model", self.model, "max-min or contention, such as max-min:link=4000,host=3250");
    f("samples", self.samples, "of random traffic");
  }
};

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
RatesAnswer rates(const Situation& at, const RatesOptions& options);

struct TimeAnswer {
  struct Round {
    u64 messages = 0;
    double bytes = 0, ends = 0;

    static void fields(auto& self, auto&& f) {
      f("messages", self.messages, "", "that are sent in the round");
      f("bytes", self.bytes, "bytes", "of all of them");
      f("ends", self.ends, "", "when the last of them has arrived");
    }
  };
  double total = 0;
  TimeOptions options{};
  std::vector<Round> each_round{};

  static void fields(auto& self, auto&& f) {
    f("total", self.total, "",
      "when the last message has arrived, in the time in which a link of capacity 1 carries `link` bytes");
    option_fields(self.options, f);
    f("link", self.options.rates.link, "bytes", "what a link of capacity 1 carries in a unit of time");
    f("host", self.options.rates.host, "bytes", "what a host sends or receives at most; null: no limit");
    f("rate_model", self.options.rates.model, "", "how flows that meet share a channel");
    f("each_round", self.each_round, "", "the rounds, in order");
  }
};
// Of the traffic's first sample. Throws InputError for traffic that is not in bytes.
TimeAnswer time(const Situation& at, const TimeOptions& options);

}  // namespace banyan::ask
