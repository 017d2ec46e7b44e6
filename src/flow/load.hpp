// The load of every channel: demands summed over all ways, which have equal weight; an adaptive routing is
// assumed to use the hops it offers evenly. A host that sends to itself loads nothing, and neither does a way
// that does not arrive. For repeated use see load_meter.hpp.
#pragma once
#include <span>

#include "routing/routing.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

IdVector<Channel, double> loads(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows);

}  // namespace banyan::flow
