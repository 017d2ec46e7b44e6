// One demand: so much from one NIC to another.
#pragma once
#include "fabric/ids.hpp"

namespace banyan::traffic {

struct Flow {
  Nic from, to;
  double demand = 1;
};

}  // namespace banyan::traffic
