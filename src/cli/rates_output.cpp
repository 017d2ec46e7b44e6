#include "cli/rates_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

namespace banyan::cli {
namespace {

void write_half_width(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  std::isfinite(value) ? json.value(value) : json.null();
}

std::string with_half_width(double value, double half_width, const char* unit = "") {
  if (half_width == 0 || !std::isfinite(half_width)) return fmt::format("{:.4g}{}", value, unit);
  return fmt::format("{:.4g} +- {:.2g}{}", value, half_width, unit);
}

}  // namespace

void RatesArgument::declare(Arguments& arguments) {
  arguments.flag(
      "--rates", wanted,
      "also the rates that flows get, and effective bisection bandwidth; of mpigraph every pair's");
  arguments.value(
      "--rate-model", model, "M",
      "max-min (default) or contention; max-min:link=4000,host=3250,demands=limit gives what a link of "
      "capacity 1 carries, what a host can do, and what unequal demands mean: weight (default), limit, none");
}

RateOptions RatesArgument::rates() const { return read_rate_options(model.empty() ? "max-min" : model); }

RatesAnswer answer_rates(const Topology& topology, const Routing& routing, const Job& job,
                         const BandwidthOptions& options) {
  const auto& [traffic, placement] = job;
  RatesAnswer out{options.rates, {}, {}, {}, traffic.is_random};
  if (traffic.draw == Traffic::Draw::shifts) {
    out.matrix = mpigraph(topology.fabric, routing, placement, options.rates, options.threads);
    out.traffic = {.mean_rate = out.matrix->mean, .min_rate = out.matrix->least, .samples = 1};
  } else {
    out.traffic = bandwidth(topology.fabric, routing, traffic, placement, options);
  }
  const bool is_bisection = traffic.draw == Traffic::Draw::bisection && traffic.ranks == placement.size();
  out.bisection = is_bisection ? out.traffic : bisection_bandwidth(topology, routing, placement, options);
  return out;
}

void print_rates(std::ostream& out, const RatesAnswer& answer) {
  const auto line = [&](std::string_view key, const std::string& value) {
    out << fmt::format("{:<17} {}\n", key, value);
  };
  const Bandwidth& b = answer.traffic;
  line("rates",
       fmt::format("{} on average, {:.4g} at least ({})", with_half_width(b.mean_rate, b.half_width_99),
                   b.min_rate, name_of(answer.options.model)));
  line("bisection", fmt::format("{} of a link for each flow, over {} random bisections",
                                with_half_width(100 * answer.bisection.mean_share,
                                                100 * answer.bisection.share_half_width_99, " %"),
                                answer.bisection.samples));
}

void write_rates(JsonWriter& json, const RatesAnswer& answer) {
  json.field("rate_model", name_of(answer.options.model));
  json.field("mean_rate", answer.traffic.mean_rate);
  write_half_width(json, "mean_rate_half_width_99", answer.traffic.half_width_99);
  json.field("min_rate", answer.traffic.min_rate);
  json.field("effective_bisection", answer.bisection.mean_share);
  write_half_width(json, "effective_bisection_half_width_99", answer.bisection.share_half_width_99);
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

}  // namespace banyan::cli
