#include "traffic/rail_split.hpp"

namespace banyan::traffic {

RailFlows::RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split)
    : hosts_(fabric.hosts()), placement_(placement), split_(std::move(split)) {
  IdVector<Host, u32> processes(hosts_);
  for (const Host host : placement_) process_.push_back(processes[host]++);
}

void RailFlows::append(const std::vector<Demand>& demands, std::vector<Flow>& out) const {
  for (const Demand& demand : demands) {
    const Host from = placement_[demand.from], to = placement_[demand.to];
    if (from == to) continue;  // stays inside the host
    const std::vector<RailShare> shares = split_(from, process_[demand.from], to);
    if (shares.empty())
      throw InputError(
          fmt::format("no rail connects host {} and host {}; expected at least one", index(from), index(to)));
    for (const RailShare& share : shares)
      out.push_back({Nic{share.rail * hosts_ + index(from)}, Nic{share.rail * hosts_ + index(to)},
                     demand.amount * share.share});
  }
}

}  // namespace banyan::traffic
