// Cables that run slower than those beside them, as a cable does whose plug is loose.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

struct SlowLink {
  Link link;
  double capacity = 0;
  double usual = 0;  // of the cables beside it; the slower of the two at its ends
};

// Those below what most cables of their kind have at the switch of each end: cables of NICs, and cables
// between switches. In the order of links.
std::vector<SlowLink> slow_links(const Fabric& fabric);

}  // namespace banyan::fabric
