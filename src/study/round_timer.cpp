#include "study/round_timer.hpp"

#include <algorithm>
#include <cmath>

#include "flow/fluid.hpp"

namespace banyan::study {

RoundTimer::RoundTimer(const Fabric& fabric, const Routing& routing, const Placement& placement,
                       const TimeOptions& options, u64 large)
    : fabric_(fabric), routing_(routing), placement_(placement), options_(options), large_(large) {}

double RoundTimer::operator()(const std::vector<Demand>& round) {
  if (round.empty()) return 0;
  double maximum = 0;
  for (const Demand& d : round) maximum = std::max(maximum, d.amount);
  key_.clear();
  for (const Demand& d : round) {
    const bool is_large = large_ > 0 && d.amount >= static_cast<double>(large_);
    key_.push_back(index(d.from));
    key_.push_back(index(d.to) << 1 | u32{is_large});
    key_.push_back(maximum > 0 ? static_cast<u32>(std::lround(1000 * d.amount / maximum)) : 0);
  }
  auto found = known_.find(key_);
  if (found == known_.end()) found = known_.emplace(key_, solve(round, maximum)).first;
  double out = 0;
  for (const Last& last : found->second)
    out = std::max(out, last.time * maximum + options_.latency * last.hops);
  return options_.overhead + out;
}

std::vector<RoundTimer::Last> RoundTimer::solve(const std::vector<Demand>& round, double maximum) const {
  std::vector<Flow> flows;
  append_flows(round, placement_, flows);
  std::vector<double> sent(fabric_.nics(), 0), received(fabric_.nics(), 0);
  double busiest = 0;
  for (const Flow& flow : flows) {
    busiest = std::max(busiest, sent[index(flow.from)] += flow.demand);
    busiest = std::max(busiest, received[index(flow.to)] += flow.demand);
  }
  const Incidence listed = incidence(fabric_, routing_, flows, Demands::bytes);
  Fluid fluid(fabric_, options_.rates, listed, flows, 0.05 * busiest / options_.rates.link);
  for (u32 f = 0; f < flows.size(); ++f) fluid.begin(f, 0);
  std::vector<Last> out;
  fluid.run([&](u32 flow, double time) {
    const u32 hops = listed.hops[flow];
    auto at = std::find_if(out.begin(), out.end(), [&](const Last& last) { return last.hops == hops; });
    if (at == out.end()) at = out.insert(at, {hops, 0});
    at->time = std::max(at->time, maximum > 0 ? time / maximum : 0);
  });
  return out;
}

}  // namespace banyan::study
