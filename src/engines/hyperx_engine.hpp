// What the adaptive engines of a HyperX share.
#pragma once
#include "engines/open_ways.hpp"

namespace banyan {

RouteResult route_hyperx(const Topology& topology, std::string_view engine, std::string_view needs,
                         bool deroutes);

}  // namespace banyan
