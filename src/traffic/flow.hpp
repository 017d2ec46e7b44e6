// One demand: so much from one NIC to another.
#pragma once
#include "fabric/ids.hpp"

namespace banyan {

struct Flow {
  Nic from, to;
  double demand = 1;
};

}  // namespace banyan
