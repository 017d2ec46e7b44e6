// An engine is a function from a topology to a routing, and a line in engines.def.
#pragma once
#include <string_view>
#include <vector>

#include "routing/routing.hpp"
#include "topology/topology.hpp"

namespace banyan {

struct Engine {
  std::string_view name;
  std::string_view source;  // the paper
  std::string_view summary;
  RouteResult (*route)(const Topology&);
};

const std::vector<Engine>& engines();

}  // namespace banyan
