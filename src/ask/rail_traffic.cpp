#include "ask/rail_traffic.hpp"

#include <algorithm>

namespace banyan::ask {
namespace {

double share_off_diagonal(const std::vector<std::vector<double>>& bytes) {
  double all = 0, crossing = 0;
  for (std::size_t from = 0; from < bytes.size(); ++from)
    for (std::size_t to = 0; to < bytes.size(); ++to) {
      all += bytes[from][to];
      if (from != to) crossing += bytes[from][to];
    }
  return all > 0 ? crossing / all : 0;
}

std::vector<std::vector<double>> square(u32 columns) { return {columns, std::vector<double>(columns)}; }

// Everyone sends everyone else alike, by first NICs: counted by the columns of these, not pair by pair.
RailTraffic of_uniform(const Fabric& fabric, const Job& job) {
  std::vector<double> ranks(fabric.columns()), inside(fabric.columns());
  IdVector<Host, u32> on_host(fabric.hosts());
  const auto column = [&](Host host) { return fabric.column(fabric.nic(host)); };
  for (const Host host : job.placement) {
    ++ranks[column(host)];
    inside[column(host)] += 2 * on_host[host]++ + 1;  // pairs of ranks of one host, each with itself too
  }
  RailTraffic out{.bytes = square(fabric.columns())};
  for (u32 from = 0; from < fabric.columns(); ++from)
    for (u32 to = 0; to < fabric.columns(); ++to)
      out.bytes[from][to] =
          (ranks[from] * ranks[to] - (from == to ? inside[from] : 0)) / (job.traffic.ranks - 1);
  out.crossing_share = share_off_diagonal(out.bytes);
  return out;
}

}  // namespace

RailLedger::RailLedger(const Fabric& fabric, const Placement& placement, RailSplit split, CrossRail rule)
    : fabric_(fabric),
      flows_(fabric, placement, std::move(split)),
      turns_(flows_.turns()),
      rule_(rule),
      bytes_(square(fabric.columns())) {}

void RailLedger::add(std::span<const Demand> demands) {
  for (const Demand& demand : demands) {
    if (flows_.host(demand.from) == flows_.host(demand.to)) continue;
    parts_.clear();
    flows_.append(demand, turns_, parts_);
    for (const Flow& part : parts_) {
      const u32 from = fabric_.column(part.from), to = fabric_.column(part.to);
      bytes_[from][to] += part.demand;
      if (from != to && rule_ == CrossRail::forbid)
        pairs_.push_back({demand.from, demand.to, part.from, part.to});
    }
  }
  std::ranges::sort(pairs_);
  const auto again = std::ranges::unique(pairs_);
  pairs_.erase(again.begin(), again.end());
}

RailTraffic::Crossing RailLedger::named(const Pair& pair) const {
  return {index(pair.from), index(pair.to), fabric_.name(fabric_.node(pair.source)),
          fabric_.name(fabric_.node(pair.destination))};
}

RailTraffic RailLedger::result() const {
  RailTraffic out{.bytes = bytes_, .crossing_share = share_off_diagonal(bytes_)};
  if (rule_ == CrossRail::allow) return out;
  out.forbidden = pairs_.size();
  out.crossings.emplace();
  for (std::size_t i = 0; i < std::min(RailTraffic::max_listed, pairs_.size()); ++i)
    out.crossings->push_back(named(pairs_[i]));
  return out;
}

std::optional<RailTraffic> rail_traffic(const Fabric& fabric, const Job& job, const RailSplit& split,
                                        CrossRail rule, u64 seed) {
  if (fabric.columns() == 1) return std::nullopt;
  const Traffic& traffic = job.traffic;
  const bool is_uniform = traffic.draw == Traffic::Draw::uniform && job.placement.size() == traffic.ranks;
  if (is_uniform && traffic.ranks > 1 && !split && rule == CrossRail::allow) return of_uniform(fabric, job);
  RailLedger ledger(fabric, job.placement, split, rule);
  std::vector<Demand> demands;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(seed, 0, round, demands);
    ledger.add(demands);
  }
  return ledger.result();
}

}  // namespace banyan::ask
