#include "traffic/rail_split.hpp"

namespace banyan::traffic {

RailFlows::RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split)
    : endpoints_(fabric.endpoints()), placement_(placement), split_(std::move(split)) {
  IdVector<Host, u32> processes(endpoints_.hosts());
  for (const Host host : placement_) process_.push_back(processes[host]++);
}

void RailFlows::append(const std::vector<Demand>& demands, RailTurns& turns, std::vector<Flow>& out) const {
  for (const Demand& demand : demands)
    if (host(demand.from) != host(demand.to)) append(demand, turns, out);
}

void RailFlows::append(const Demand& demand, RailTurns& turns, std::vector<Flow>& out) const {
  const Host from = host(demand.from), to = host(demand.to);
  std::vector<RailShare> shares;
  if (split_) shares = split_({from, process(demand.from), to, process(demand.to)}, turns[from]);
  if (shares.empty()) out.push_back({endpoints_.nic(from, 0), endpoints_.nic(to, 0), demand.amount});
  for (const RailShare& share : shares)
    out.push_back({endpoints_.in_column(from, share.rail), endpoints_.in_column(to, share.to_rail),
                   demand.amount * share.share});
}

}  // namespace banyan::traffic
