// The load of every channel: demands summed over all ways of equal weight; an adaptive routing is taken to
// use the hops it offers evenly. A host that sends to itself loads nothing, and neither does a way that does
// not arrive. load_meter.hpp is for more than once.
#pragma once
#include <span>

#include "routing/routing.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

IdVector<Channel, double> loads(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows);

}  // namespace banyan::flow
