#include "cli/time_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

namespace banyan::cli {

void TimeArgument::declare(Arguments& arguments) {
  arguments.flag("--time", wanted_,
                 "also how long a collective takes, round by round, in the time in which a link carries what "
                 "--rate-model says (default: 1 byte)");
  terms_.declare(arguments);
}

TimeOptions TimeArgument::options(const RateOptions& rates) const {
  TimeOptions out = terms_.read();
  out.rates = rates;
  return out;
}

TimeAnswer answer_time(const Fabric& fabric, const Routing& routing, const Job& job,
                       const TimeOptions& options, u64 seed) {
  const CollectiveTime time = collective_time(fabric, routing, job.traffic, job.placement, options, seed);
  TimeAnswer out{options, time.total, {}};
  std::vector<Demand> demands;
  for (u64 round = 0; round < job.traffic.rounds; ++round) {
    demands.clear();
    job.traffic.list(seed, 0, round, demands);
    double bytes = 0;
    for (const Demand& demand : demands) bytes += demand.amount;
    out.rounds.push_back({demands.size(), bytes, time.round_ends[round]});
  }
  return out;
}

void print_time(std::ostream& out, const TimeAnswer& answer) {
  constexpr std::size_t maximum = 16;
  out << fmt::format("{:<17} {:.6g}, where a link carries {:g} byte{} in a unit of time; {} round{} ({})\n",
                     "time", answer.total, answer.options.rates.link,
                     answer.options.rates.link == 1 ? "" : "s", answer.rounds.size(),
                     answer.rounds.size() == 1 ? "" : "s", option_text(answer.options.rounds));
  out << fmt::format("\n{:>7} {:>10} {:>14} {:>14} {:>14}\n", "round", "messages", "bytes", "ends", "later");
  double before = 0;
  for (std::size_t i = 0; i < std::min(maximum, answer.rounds.size()); ++i) {
    const TimeAnswer::Round& round = answer.rounds[i];
    out << fmt::format("{:>7} {:>10} {:>14.10g} {:>14.6g} {:>14.6g}\n", i, round.messages, round.bytes,
                       round.ends, round.ends - before);
    before = round.ends;
  }
  if (answer.rounds.size() > maximum)
    out << fmt::format("and {} more rounds\n", answer.rounds.size() - maximum);
}

void write_time(JsonWriter& json, const TimeAnswer& answer) {
  json.key("time").begin_object().field("total", answer.total);
  write_options(json, answer.options);
  json.field("link", answer.options.rates.link).key("host");
  std::isfinite(answer.options.rates.host) ? json.value(answer.options.rates.host) : json.null();
  json.field("rate_model", name_of(answer.options.rates.model)).key("each_round").begin_array();
  for (const TimeAnswer::Round& round : answer.rounds)
    json.begin_object()
        .field("messages", round.messages)
        .field("bytes", round.bytes)
        .field("ends", round.ends)
        .end_object();
  json.end_array().end_object();
}

void write_rounds_csv(std::ostream& out, const TimeAnswer& answer) {
  out << "round,messages,bytes,ends\n";
  for (std::size_t i = 0; i < answer.rounds.size(); ++i)
    out << fmt::format("{},{},{},{}\n", i, answer.rounds[i].messages, answer.rounds[i].bytes,
                       answer.rounds[i].ends);
}

}  // namespace banyan::cli
