// Splits what one host sends another over the rails of hosts with several NICs. The flow level has no clock,
// so a rail policy is represented by its expected shares.
#pragma once
#include <functional>
#include <vector>

#include "traffic/placement.hpp"

namespace banyan::traffic {

struct RailShare {
  u32 rail;
  double share;
};

// The shares for a process of a host that sends to another host. They add up to 1; there are none if no rail
// connects the two hosts.
using RailSplit = std::function<std::vector<RailShare>(Host from, u32 process, Host to)>;

// Turns demands into flows over several rails. The ranks of one host are its processes, in order.
class RailFlows {
 public:
  RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split);  // no split: the first rail

  Host host(Rank rank) const { return placement_[rank]; }
  u32 process(Rank rank) const { return process_[rank]; }

  // What stays inside a host is left out. Throws InputError where no rail connects two hosts.
  void append(const std::vector<Demand>& demands, std::vector<Flow>& out) const;
  void append(const Demand& demand, std::vector<Flow>& out) const;  // between different hosts

 private:
  u32 hosts_;
  Placement placement_;
  IdVector<Rank, u32> process_;
  RailSplit split_;
};

}  // namespace banyan::traffic
