#include "cli/load_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "cli/rail_output.hpp"
#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

using ask::LoadAnswer;
using ask::RoundAnswer;

std::string with_half_width(const Interval& value, double scale = 1, const char* unit = "") {
  if (value.half_width == 0 || !std::isfinite(value.half_width))
    return fmt::format("{:.4g}{}", scale * value.mean, unit);
  return fmt::format("{:.4g} +- {:.2g}{}", scale * value.mean, scale * value.half_width, unit);
}

// What carries all flows unless a policy spreads them.
std::string first_nics(const Fabric& fabric) {
  for (u32 h = 0; h < fabric.hosts(); ++h)
    if (fabric.column(fabric.nic(Host{h})) != 0) return "the first NIC of each host";
  return fmt::format("rail 0 of {}", fabric.columns());
}

void print_rates(const LoadAnswer& answer) {
  if (answer.mean_rate_orcs)
    std::cout << fmt::format("1/contention      {:.6g} of what is asked for, at worst {:.6g}\n",
                             *answer.mean_rate_orcs, *answer.min_rate_orcs);
  if (!answer.rates) return;
  std::cout << fmt::format("rates             {} on average, {:.4g} at least ({})\n",
                           with_half_width(answer.rates->mean_rate), answer.rates->min_rate,
                           option_text(answer.rates->rate_model));
  std::cout << fmt::format("bisection         {} of a link for each flow, over {} random bisections\n",
                           with_half_width(*answer.effective_bisection, 100, " %"), *answer.bisections);
}

void print_hot(const RoundAnswer::Hot& hot) {
  constexpr std::size_t maximum = 8;
  std::cout << fmt::format("\n{}: load {:.6g} of {} flows\n ", hot.name, hot.load, hot.flows.size());
  for (std::size_t i = 0; i < std::min(maximum, hot.flows.size()); ++i)
    std::cout << fmt::format(" {}->{}", hot.flows[i].source, hot.flows[i].destination);
  std::cout << (hot.flows.size() > maximum ? " ...\n" : "\n");
}

void print_ranges(const char* what, const std::vector<RoundAnswer::Range>& ranges) {
  std::cout << what;
  for (const LoadRange& range : ranges)
    std::cout << (range.from == range.to
                      ? fmt::format(" {:.4g}: {}", range.from, range.channels)
                      : fmt::format(" {:.4g}..{:.4g}: {}", range.from, range.to, range.channels));
  std::cout << '\n';
}

void print_round(const RoundAnswer& round) {
  std::cout << fmt::format("\n{:<22} {:>9} {:>9} {:>10} {:>10}\n", "channels", "cabled", "loaded", "max load",
                           "mean load");
  for (const ChannelKind& kind : round.channels)
    std::cout << fmt::format("{:<22} {:>9} {:>9} {:>10.4g} {:>10.4g}\n", kind.name, kind.channels,
                             kind.loaded, kind.max_load, kind.mean_load);
  print_ranges("\nload: channels   ", round.distribution);
  for (const RoundAnswer::Hot& hot : round.hottest) print_hot(hot);
}

void print_hashes(const ask::HashAnswer& answer) {
  std::cout << fmt::format("\nover {} hashes    {} on average, {:.6g} at most with 99 of 100\n",
                           answer.hashes, with_half_width(answer.max_load_mean), answer.max_load_p99);
  for (const auto& gain : answer.by_queue_pairs)
    std::cout << fmt::format("  {:>3} queue pair{}  {:.4g}, {:.4g}\n", gain.queue_pairs,
                             gain.queue_pairs == 1 ? " " : "s", gain.max_load_mean, gain.max_load_p99);
  if (std::isfinite(answer.spray_max_load))
    std::cout << fmt::format("  spraying         {:.4g}\n", answer.spray_max_load);
  if (std::isfinite(answer.optimum)) std::cout << fmt::format("  best routing     {:.4g}\n", answer.optimum);
  std::cout << "  load: hashes    ";
  for (const auto& range : answer.hash_distribution)
    std::cout << (range.from == range.to
                      ? fmt::format(" {:.4g}: {}", range.from, range.hashes)
                      : fmt::format(" {:.4g}..{:.4g}: {}", range.from, range.to, range.hashes));
  std::cout << '\n';
}

void print_worst(const Fabric& fabric, const char* what, double value, bool is_exact,
                 const std::optional<ask::ChannelName>& channel, const std::vector<ask::HostFlow>& flows) {
  constexpr std::size_t maximum = 20;
  std::cout << fmt::format("\n  {:<20}{:.6g} on {}{}\n", what, value,
                           channel ? channel->name : "no channel: no host reaches another",
                           is_exact ? "" : " (shares rounded)");
  for (std::size_t i = 0; i < std::min(maximum, flows.size()); ++i)
    std::cout << fmt::format("    {} -> {}  {:.6g}\n", fabric.host_name(Host{flows[i].from}),
                             fabric.host_name(Host{flows[i].to}), flows[i].demand);
  if (flows.size() > maximum) std::cout << fmt::format("    and {} more\n", flows.size() - maximum);
}

void print_worst_rate(const ask::WorstRateAnswer& worst) {
  std::cout << fmt::format("\n  {:<20}{:.6g} of what is asked for, heaviest load {:.6g}\n", "worst rate",
                           worst.rate, worst.max_load);
  std::cout << fmt::format("    {}; random permutations have {:.6g} and more\n",
                           worst.exact ? "all permutations were tried"
                                       : fmt::format("found by {} swaps: another may have less", worst.swaps),
                           worst.random);
}

void write_matrix(std::ostream& out, const ask::PairRates& matrix) {
  out << "from";
  for (const std::string& host : matrix.hosts) out << ',' << host;
  for (std::size_t from = 0; from < matrix.hosts.size(); ++from) {
    out << '\n' << matrix.hosts[from];
    for (const double rate : matrix.rates[from])
      out << (std::isfinite(rate) ? fmt::format(",{}", rate) : ",");
  }
  out << '\n';
}

}  // namespace

void print_text(const ask::FabricRouter& router, const Fabric& fabric, const ask::LoadOptions& options,
                const LoadAnswer& answer, const std::vector<std::string>& files) {
  if (router.is_chosen) std::cout << fmt::format("engine            {}\n", router.name);
  if (fabric.columns() > 1 && options.rails_policy.empty())
    std::cout << fmt::format("rails             all flows take {}; --rails-policy spreads them\n",
                             first_nics(fabric));
  std::cout << fmt::format("maximum load      {:.6g}", answer.max_load.mean);
  if (answer.is_random)
    std::cout << fmt::format(" +- {:.3g} (99 %), mean of {} samples", answer.max_load.half_width,
                             answer.samples);
  if (answer.rounds > 1) std::cout << fmt::format(", mean of {} rounds", answer.rounds);
  if (options.per_capacity) std::cout << ", per capacity";
  std::cout << fmt::format("\nleast, worst      {:.6g}, {:.6g}\n", answer.max_load_least,
                           answer.max_load_worst);
  if (std::isfinite(answer.bound))
    std::cout << fmt::format("bound ML(TM)      {:.6g}\nratio to bound    {:.6g}, at worst {:.6g}\n",
                             answer.bound, answer.ratio, answer.ratio_worst);
  print_rails(fabric, answer.rails, answer.in_bytes);
  print_rates(answer);
  if (answer.worst_optimum)
    std::cout << fmt::format("optimum           {:.6g} for the worst round; ratio {:.6g}\n",
                             *answer.worst_optimum, *answer.worst_ratio_to_optimum);
  const RoundAnswer& round = *answer.round;
  if (answer.is_random || answer.rounds > 1)
    std::cout << fmt::format("\n{}: sample {}, round {}\n", round.round ? "Looked at" : "The worst",
                             round.number / answer.rounds, round.number % answer.rounds);
  print_round(round);
  if (const auto& worst = answer.worst_permutation)
    print_worst(fabric, "worst permutation", worst->load, worst->exact, worst->channel, worst->flows);
  if (answer.worst_rate) print_worst_rate(*answer.worst_rate);
  if (const auto& worst = answer.oblivious)
    print_worst(fabric, "oblivious ratio", worst->ratio, worst->exact, worst->channel, worst->matrix);
  if (answer.hashes) print_hashes(*answer.hashes);
  if (answer.histogram) print_ranges("\nall samples, load: channels between switches", *answer.histogram);
  if (!files.empty()) std::cout << '\n';
  for (const std::string& file : files) std::cout << fmt::format("wrote {}\n", file);
}

std::vector<std::string> write_files(const LoadAnswer& answer, const Fabric& fabric,
                                     const std::string& folder) {
  make_folder(folder);
  std::vector<std::string> out;
  const auto write = [&](const char* name, const std::function<void(std::ostream&)>& content) {
    out.push_back((std::filesystem::path(folder) / name).string());
    write_whole(out.back(), content);
  };
  write("loads.csv", [&](std::ostream& file) {
    file << "channel,from,to,load\n";
    for (const Channel c : fabric.channels())
      if (fabric.cabled(c))
        file << fmt::format("{},{},{},{}\n", index(c), port_name(fabric, c),
                            port_name(fabric, fabric.reverse(c)), answer.round->loads[c]);
  });
  if (answer.mpigraph)
    write("mpigraph.csv", [&](std::ostream& file) { write_matrix(file, *answer.mpigraph); });
  return out;
}

}  // namespace banyan::cli
