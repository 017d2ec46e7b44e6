// Every shortest path between two NICs, channel by channel, whatever a routing would take.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

// In the order of their channels, the first `most` of them; none when they are not connected.
std::vector<std::vector<Channel>> shortest_paths(const Fabric& fabric, Nic from, Nic to, std::size_t maximum);

}  // namespace banyan::topology
