// What a fitted tree does not say for certain.
#pragma once
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/recognise/tree_fit.hpp"

namespace banyan::topology {

// Where hosts hang on a single cable, a wrong cable without its partner may mean that a host was moved. Takes
// the hosts that this may be true of from their leaves, and a place from every leaf if only such a host needs
// it.
void doubt_moved_hosts(const Fabric& raw, TreeFit& fit);

// Takes away the places that hang by a thread: of a swap, one cable can lead a subtree, a column or a switch
// astray, so that two cables that agree prove a place, and one does only where there should be no more. Wrong
// cables that make no swap call for three.
void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place);

}  // namespace banyan::topology
