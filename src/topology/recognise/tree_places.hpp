// The nodes of the ideal fabric that a fitted tree gives to the nodes of the raw one.
#pragma once
#include "fabric/fabric.hpp"
#include "topology/recognise/tree_fit.hpp"

namespace banyan::topology {

// The ideal node for every node of the raw fabric; none where a nesting is undecided.
IdVector<Node, Node> number_tree(const Fabric& raw, const TreeFit& fit);

// The same with places for other nodes, which are vacant and agree with all that is decided: where these
// nodes stand is a guess, but each stands somewhere if there is room.
IdVector<Node, Node> fill_tree(const Fabric& raw, const TreeFit& fit, IdVector<Node, Node> place);

}  // namespace banyan::topology
