// The connected parts of a fabric. Only cables between switches connect: hosts do not forward.
#pragma once
#include "engines/ids.hpp"
#include "fabric/fabric.hpp"

namespace banyan::engines {

// By switch: the first switch of its part.
IdVector<Switch, Switch> components(const Fabric& fabric);

}  // namespace banyan::engines
