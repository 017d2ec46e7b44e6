#include "cli/rates_output.hpp"

#include <fmt/format.h>

#include <ostream>

namespace banyan {

void RatesArgument::declare(Arguments& arguments) {
  arguments.flag("--rates", wanted, "also the rates that flows get, and effective bisection bandwidth");
  arguments.value(
      "--rate-model", model, "M",
      "max-min (default) or contention; max-min:link=4000,host=3250 gives what a link of capacity "
      "1 carries and what a host can do");
}

BandwidthOptions RatesArgument::options(u64 samples, u64 seed, unsigned threads) const {
  return {read_rate_options(model.empty() ? "max-min" : model), samples, seed, threads};
}

RatesAnswer answer_rates(const Topology& topology, const Routing& routing, const Traffic& traffic,
                         const Placement& placement, const BandwidthOptions& options) {
  const Bandwidth found = bandwidth(topology.fabric, routing, traffic, placement, options);
  const bool is_bisection = traffic.draw == Traffic::Draw::bisection && traffic.ranks == placement.size();
  return {options.rates, found,
          is_bisection ? found : bisection_bandwidth(topology, routing, placement, options)};
}

void print_rates(std::ostream& out, const RatesAnswer& answer) {
  const auto line = [&](std::string_view key, const std::string& value) {
    out << fmt::format("{:<17} {}\n", key, value);
  };
  const Bandwidth& b = answer.traffic;
  line("rates", fmt::format("{:.4g} on average, {:.4g} at least ({})", b.mean_rate, b.min_rate,
                            name_of(answer.options.model)));
  line("bisection", fmt::format("{:.2f} % of a link for each flow, over {} random bisections",
                                100 * answer.bisection.mean_share, answer.bisection.samples));
}

void write_rates(JsonWriter& json, const RatesAnswer& answer) {
  json.field("rate_model", name_of(answer.options.model));
  json.field("mean_rate", answer.traffic.mean_rate).field("min_rate", answer.traffic.min_rate);
  json.field("effective_bisection", answer.bisection.mean_share);
  json.field("bisections", answer.bisection.samples);
}

void write_matrix(JsonWriter& json, const BandwidthMatrix& matrix, const Fabric& fabric,
                  const Placement& placement) {
  std::vector<std::string> names;
  for (const Host host : placement) names.push_back(fabric.host_name(host));
  json.key("mpigraph").begin_object().field("hosts", names).key("rates").begin_array();
  for (const Rank from : placement.ids()) {
    json.begin_array();
    for (const Rank to : placement.ids()) from == to ? json.null() : json.value(matrix(from, to));
    json.end_array();
  }
  json.end_array().end_object();
}

}  // namespace banyan
