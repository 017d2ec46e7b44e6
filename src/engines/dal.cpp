// DAL, dimensionally-adaptive load-balanced routing: dimensions in any order, and in each of them once by way
// of any other coordinate (Ahn et al., HyperX, SC 2009, section 4).
#include "engines/hyperx_engine.hpp"

namespace banyan::engines {
namespace {

RouteResult route_dal(const Topology& topology, const NoOptions&) {
  return route_hyperx(topology, "dal", "a HyperX", true);
}

}  // namespace

Engine dal_engine() {
  return make_engine<route_dal>(
      "dal", "Ahn et al., SC 2009",
      "HyperX: dimensions in any order, one deroute in each; two lanes a dimension");
}

}  // namespace banyan::engines
