// Where to hang a graph up: roots for engines that need ranks, and the connected parts of a fabric.
#pragma once
#include <string>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

IdVector<Switch, u32> components(const PortGraph& graph);  // the number of the connected part

// Switches by name, joined with '+', or "auto": in a tree the switches farthest from the hosts, else of each
// component the one with the least sum of distances to the NICs. Every component has a root. Ascending.
std::vector<Switch> choose_roots(const PortGraph& graph, const std::string& names);

}  // namespace banyan::engines
