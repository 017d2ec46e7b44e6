// Switches of a raw fabric without a certain place, put on vacant places of the ideal one.
#pragma once
#include "fabric/fabric.hpp"

namespace banyan::topology {

// The places, and those of stand-ins: an undecided switch stands at the vacant place that explains most of
// its cables, and at any if it has no cable. It has none where no vacant place explains a cable. So what a
// switch has is not counted as missing only because nothing says for certain where the switch belongs.
IdVector<Node, Node> with_stand_ins(const Fabric& raw, const Fabric& ideal, IdVector<Node, Node> place);

}  // namespace banyan::topology
