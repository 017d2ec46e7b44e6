// Hosts of a fitted tree that may have been moved.
#pragma once
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/recognise/tree_fit.hpp"

namespace banyan::topology {

// Where hosts have a single cable, a wrong cable without its partner may mean that a host was moved. Removes
// the hosts for which this is possible from their leaves, and a place from every leaf if only such a host
// needs it.
void doubt_moved_hosts(const Fabric& raw, TreeFit& fit);

}  // namespace banyan::topology
