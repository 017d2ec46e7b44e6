#include "traffic/rail_split.hpp"

namespace banyan::traffic {

RailFlows::RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split)
    : hosts_(fabric.hosts()), placement_(placement), split_(std::move(split)) {
  IdVector<Host, u32> processes(hosts_);
  for (const Host host : placement_) process_.push_back(processes[host]++);
}

void RailFlows::append(const std::vector<Demand>& demands, std::vector<Flow>& out) const {
  for (const Demand& demand : demands)
    if (host(demand.from) != host(demand.to)) append(demand, out);
}

void RailFlows::append(const Demand& demand, std::vector<Flow>& out) const {
  const Host from = host(demand.from), to = host(demand.to);
  if (!split_) {
    out.push_back({Nic{index(from)}, Nic{index(to)}, demand.amount});
    return;
  }
  const std::vector<RailShare> shares = split_(from, process(demand.from), to);
  if (shares.empty())
    throw InputError(
        fmt::format("no rail connects host {} and host {}; expected at least one", index(from), index(to)));
  for (const RailShare& share : shares)
    out.push_back({Nic{share.rail * hosts_ + index(from)}, Nic{share.rail * hosts_ + index(to)},
                   demand.amount * share.share});
}

}  // namespace banyan::traffic
