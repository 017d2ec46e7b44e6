#include "flow/listed_kernel.hpp"

namespace banyan::flow {

ListedKernel::ListedKernel(const Topology& topology, const Routing& routing, Traffic traffic,
                           Placement placement, bool rates, Measure measure, const RailSplit& split)
    : lister_(topology.fabric, routing),
      traffic_(std::move(traffic)),
      placement_(std::move(placement)),
      rates_(rates),
      measure_(measure) {
  if (split) rails_.emplace(topology.fabric, placement_, split);
  cuts_ = tree_cuts(topology, measure);
}

void ListedKernel::list(u64 seed, u64 number, std::vector<Demand>& demands, std::vector<Flow>& flows) const {
  demands.clear();
  flows.clear();
  traffic_.list(seed, number / traffic_.rounds, number % traffic_.rounds, demands);
  if (rails_) {
    RailTurns turns = rails_->turns();
    rails_->append(demands, turns, flows);
  } else {
    append_flows(demands, placement_, flows);
  }
}

std::vector<Flow> ListedKernel::flows(u64 seed, u64 number) const {
  std::vector<Demand> demands;
  std::vector<Flow> out;
  list(seed, number, demands, out);
  return out;
}

void ListedKernel::run(u64 seed, u64 first, std::span<RoundLoads> out) const {
  LoadMeter meter = this->meter();
  TreeCuts::Traffic cut = cuts_ ? cuts_->none() : TreeCuts::Traffic{};
  std::vector<Demand> demands;
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < out.size(); ++i) {
    list(seed, first + i, demands, flows);
    meter.measure(flows);
    out[i] = {.max_load = meter.max(), .flows = flows.size(), .undelivered = meter.undelivered()};
    if (cuts_ && meter.undelivered() == 0) {  // else it would be that of other traffic
      cut.clear();
      for (const Flow& flow : flows) cuts_->add(flow.from, flow.to, flow.demand, cut);
      out[i].bound = cuts_->bound(cut);
    }
    if (!rates_) continue;
    const ContentionRates rates = meter.rates(flows);
    out[i].mean_rate = rates.mean;
    out[i].min_rate = rates.least;
  }
}

}  // namespace banyan::flow
