#include "traffic/placement.hpp"

namespace banyan {

Placement place_linearly(u32 ranks) {
  Placement out;
  for (u32 i = 0; i < ranks; ++i) out.push_back(Host{i});
  return out;
}

void append_flows(const std::vector<Demand>& demands, const Placement& placement, std::vector<Flow>& out) {
  for (const Demand& demand : demands)
    out.push_back({Nic{index(placement[demand.from])}, Nic{index(placement[demand.to])}, demand.amount});
}

}  // namespace banyan
