// Roots for `updn` and for the OpenSM files.
#pragma once
#include <string>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

// The roots, ascending: switches by name, joined with '+', or "auto". In a tree "auto" means the switches
// farthest from the hosts, else in each component the one with the minimum sum of distances to the NICs.
// Every component has a root.
std::vector<Switch> choose_roots(const PortGraph& graph, const std::string& names);

}  // namespace banyan::engines
