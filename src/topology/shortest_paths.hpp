// Lists every shortest path between two NICs, channel by channel, independent of any routing.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

// All of them in the order of their channels, or `maximum` spread evenly over that order: of M paths those
// with the numbers floor(i M / maximum). None when the NICs are not connected.
std::vector<std::vector<Channel>> shortest_paths(const Fabric& fabric, Nic from, Nic to, std::size_t maximum);

}  // namespace banyan::topology
