// Removes the places of a fitted tree that too few cables prove.
#pragma once
#include "fabric/fabric.hpp"
#include "topology/recognise/tree_fit.hpp"

namespace banyan::topology {

// One cable of a swap can misplace a subtree, a column or a switch. So a place is proved by two cables that
// agree, or by one where there should be no more; where wrong cables do not form a swap, by three. What a
// switch says of subtrees holds although its column is uncertain, and the other way round.
//
// Where no cable is wrong, one cable is enough, unless a swap may have left no trace: then two things of one
// kind hang on a cable each, and could have exchanged their places.
void doubt_weak_places(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node>& place);

}  // namespace banyan::topology
