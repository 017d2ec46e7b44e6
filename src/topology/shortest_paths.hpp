// Lists every shortest path between two NICs, channel by channel, independent of any routing.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::topology {

// The first `maximum` of them, in the order of their channels; none when the NICs are not connected.
std::vector<std::vector<Channel>> shortest_paths(const Fabric& fabric, Nic from, Nic to, std::size_t maximum);

}  // namespace banyan::topology
