#include "flow/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/parallel.hpp"
#include "base/statistics.hpp"
#include "flow/carrier.hpp"
#include "traffic/pattern.hpp"

namespace banyan::flow {
namespace {

struct Sample {
  double rates = 0, shares = 0;  // sums
  double least = std::numeric_limits<double>::infinity();
  u64 flows = 0;
};

// The capacity of the fastest link of each NIC, without the limit of its host.
std::vector<double> host_links(const Fabric& fabric, double link) {
  std::vector<double> out(fabric.nics());
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic))
      out[index(nic)] = std::max(out[index(nic)], link * fabric.link_class(c).capacity);
  return out;
}

// Asks for the rates of one list of demands after another.
class Asker {
 public:
  Asker(const Fabric& fabric, const Routing& routing, const Traffic& traffic, const Placement& placement,
        const RateOptions& options, const RailSplit& split = {})
      : traffic_(traffic),
        placement_(placement),
        carrier_(fabric, routing, placement, split, {}),
        turns_(carrier_.turns()),
        solver_(fabric, options) {}

  const std::vector<double>& rates(u64 seed, u64 sample, u64 round) {
    demands_.clear();
    flows_.clear();
    traffic_.list(seed, sample, round, demands_);
    append_flows(demands_, placement_, flows_);
    const Demands kind = traffic_.in_bytes ? Demands::bytes : Demands::relative;
    carrier_.carry(demands_, turns_, carried_, kind);
    const std::vector<double>& parts = solver_.solve(carried_.listed, carried_.flows, kind);
    if (parts.size() == flows_.size()) return parts;
    rates_.assign(flows_.size(), 0);
    for (std::size_t part = 0; part < parts.size(); ++part) rates_[carried_.message[part]] += parts[part];
    return rates_;
  }
  const std::vector<Flow>& flows() const { return flows_; }  // on the first rail
  const std::vector<Demand>& demands() const { return demands_; }

 private:
  const Traffic& traffic_;
  const Placement& placement_;
  Carrier carrier_;
  RailTurns turns_;
  RateSolver solver_;
  std::vector<Demand> demands_;
  std::vector<Flow> flows_;
  Carried carried_;
  std::vector<double> rates_;
};

void add(const std::vector<Flow>& flows, const std::vector<double>& rates, const std::vector<double>& links,
         Sample& out) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (flows[f].from == flows[f].to) continue;
    out.rates += rates[f];
    out.shares += rates[f] / links[index(flows[f].from)];
    out.least = std::min(out.least, rates[f]);
    ++out.flows;
  }
}

// Samples in their order, so that sums do not depend on who computed them. A sample without flows says
// nothing, and what is not random is known.
Bandwidth summary(std::vector<Sample> samples, bool is_random) {
  std::erase_if(samples, [](const Sample& sample) { return sample.flows == 0; });
  Bandwidth out;
  out.samples = samples.size();
  if (samples.empty()) return out;
  std::vector<double> rates, shares;
  out.min_rate = std::numeric_limits<double>::infinity();
  for (const Sample& sample : samples) {
    rates.push_back(sample.rates / static_cast<double>(sample.flows));
    shares.push_back(sample.shares / static_cast<double>(sample.flows));
    out.min_rate = std::min(out.min_rate, sample.least);
  }
  const Estimate rate = estimate(rates), share = estimate(shares);
  out.mean_rate = rate.mean;
  out.mean_share = share.mean;
  if (!is_random) return out;
  out.half_width_99 = rate.half_width_99;
  out.share_half_width_99 = share.half_width_99;
  return out;
}

void check(const Traffic& traffic, const Placement& placement) {
  if (placement.size() < traffic.ranks)
    throw InputError(
        fmt::format("{} ranks are placed: expected at least {}", placement.size(), traffic.ranks));
}

}  // namespace

Bandwidth bandwidth(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                    const Placement& placement, const BandwidthOptions& options) {
  check(traffic, placement);
  const std::vector<double> links = host_links(fabric, options.rates.link);
  std::vector<Sample> samples(traffic.is_random ? options.samples : 1);
  Progress progress("rates", samples.size());
  const auto range = [&](u64 first, u64 last) {
    Asker asker(fabric, routing, traffic, placement, options.rates, options.split);
    for (u64 sample = first; sample < last; ++sample)
      for (u64 round = 0; round < traffic.rounds; ++round) {
        const auto& rates = asker.rates(options.seed, sample, round);
        add(asker.flows(), rates, links, samples[sample]);
      }
  };
  parallel_ranges(samples.size(), options.threads, range, &progress);
  return summary(std::move(samples), traffic.is_random);
}

Bandwidth bisection_bandwidth(const Topology& topology, const Routing& routing, const Placement& placement,
                              const BandwidthOptions& options) {
  const u32 ranks = static_cast<u32>(placement.size());
  return bandwidth(topology.fabric, routing, make_traffic({topology, ranks}, "bisection"), placement,
                   options);
}

BandwidthMatrix mpigraph(const Fabric& fabric, const Routing& routing, const Placement& placement,
                         const RateOptions& options, unsigned threads, const RailSplit& split) {
  const u32 n = static_cast<u32>(placement.size());
  BandwidthMatrix out{.ranks = n, .rates = std::vector<double>(std::size_t{n} * n)};
  if (n < 2) return out;
  const auto shift = [n](u64, u64, u64 round, std::vector<Demand>& demands) {
    for (u32 i = 0; i < n; ++i) demands.push_back({Rank{i}, Rank{static_cast<u32>((i + round + 1) % n)}});
  };
  const Traffic shifts{.ranks = n, .list = shift, .rounds = n - 1};
  const auto range = [&](u64 first, u64 last) {
    Asker asker(fabric, routing, shifts, placement, options, split);
    for (u64 round = first; round < last; ++round) {
      const auto& rates = asker.rates(0, 0, round);
      for (std::size_t f = 0; f < rates.size(); ++f) {
        const Demand& demand = asker.demands()[f];
        out.rates[std::size_t{index(demand.from)} * n + index(demand.to)] = rates[f];
      }
    }
  };
  Progress progress("rates", shifts.rounds);
  parallel_ranges(shifts.rounds, threads, range, &progress);
  out.least = std::numeric_limits<double>::infinity();
  for (u32 i = 0; i < n; ++i)
    for (u32 j = 0; j < n; ++j) {
      const double rate = out.rates[std::size_t{i} * n + j];
      if (i == j) continue;
      out.least = std::min(out.least, rate);
      out.mean += rate;
    }
  out.mean /= static_cast<double>(n) * (n - 1);
  return out;
}

}  // namespace banyan::flow
