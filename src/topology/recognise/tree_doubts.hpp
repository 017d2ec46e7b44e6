// Removes the places of a fitted tree that are not certain.
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

// Removes weakly supported places. One cable of a swap can misplace a subtree, a column or a switch, so a
// place is proved by two cables that agree, or by one where there should be no more. Where wrong cables do
// not form a swap, three are needed. Where no cable is wrong and every switch is there, one is enough unless
// things in another block hang on one cable, too: they may have exchanged their places.
void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place);

}  // namespace banyan::topology
