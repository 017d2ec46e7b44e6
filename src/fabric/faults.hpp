// Which cables to take away, as --without says it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

// links=15,seed=7        so many cables, drawn at random
// share=0.02,seed=7      a share of the cables, rounded to the nearest number
//   of=switches|hosts|all  which cables are drawn from; between switches unless said otherwise
// link=NAME:PORT         the cable in that port, the number as printed beside it
// switch=NAME            all cables of that switch
// host=NAME              all cables of that host
std::vector<Link> choose_cables(const Fabric& fabric, std::string_view what);

// The fabric without all of these, chosen one after the other.
Fabric without(const Fabric& fabric, const std::vector<std::string>& faults);

}  // namespace banyan::fabric
