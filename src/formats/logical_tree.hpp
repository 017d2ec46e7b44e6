// The tree of logical switches that represents a fabric in Slurm's topology.conf.
#pragma once
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::formats {

struct LogicalSwitch {
  std::string name;
  std::vector<std::string> hosts, switches;  // children: one of the two lists is empty
  double capacity = 0;                       // of the cables down; 0 if they differ or there is none
};

// The logical switches, leaves first. A fabric whose switches form a tree is returned as it is; a fat-tree
// has a switch for every subtree, a dragonfly one for every group, and any other fabric its leaves below one
// root. Hosts without a cable to a switch are below a separate switch, so no host is missing.
std::vector<LogicalSwitch> logical_tree(const Topology& topology);

}  // namespace banyan::formats
