// What a host sends another one, split over its rails: the flows of demands where hosts have several NICs.
// Flow level has no clock: a rail policy is there what it does in expectation.
#pragma once
#include <functional>
#include <vector>

#include "traffic/placement.hpp"

namespace banyan::traffic {

struct RailShare {
  u32 rail;
  double share;
};

// From a process of a host to another host; shares add up to 1, or there are none: no rail joins the two.
using RailSplit = std::function<std::vector<RailShare>(Host from, u32 process, Host to)>;

// Ranks of one host are its processes, in order.
class RailFlows {
 public:
  RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split);

  void append(const std::vector<Demand>& demands, std::vector<Flow>& out) const;

 private:
  u32 hosts_;
  Placement placement_;
  IdVector<Rank, u32> process_;
  RailSplit split_;
};

}  // namespace banyan::traffic
