// Flow: a demand from one NIC to another. Placements make flows from the demands of ranks.
#pragma once
#include "fabric/ids.hpp"

namespace banyan::traffic {

struct Flow {
  Nic from, to;
  double demand = 1;
};

}  // namespace banyan::traffic
