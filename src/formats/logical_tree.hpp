// The tree of logical switches that Slurm wants to see instead of a fabric.
#pragma once
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::formats {

struct LogicalSwitch {
  std::string name;
  std::vector<std::string> hosts, switches;  // below it: one of the two is empty
  double capacity = 0;                       // of the cables down, 0 where they differ or none is meant
};

// Leaves first. A fabric whose switches form a tree is given as it is, a fat-tree as a switch for every
// subtree, a dragonfly as a switch for every group, and anything else as leaves below one root. Hosts without
// a cable to a switch stand below a switch of their own, so that no host is missing.
std::vector<LogicalSwitch> logical_tree(const Topology& topology);

}  // namespace banyan::formats
