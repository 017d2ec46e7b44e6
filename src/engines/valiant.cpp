// Valiant's algorithm: every packet by way of a random middle, whatever the traffic (Valiant, A scheme for
// fast parallel communication, SIAM J. Computing 1982).
#include "engines/middles.hpp"

namespace banyan::engines {
namespace {

RouteResult route_valiant(const Topology& topology, const MiddleOptions& options) {
  return route_by_middles(topology, "valiant", Detour::to_middle, options.seed);
}

}  // namespace

Engine valiant_engine() {
  return make_engine<route_valiant>("valiant", "Valiant, SIAM J. Computing 1982",
                                    "all but fat-trees: by way of a random middle; two lanes on HyperX and "
                                    "mesh, three on a Dragonfly, four on a torus, elsewhere one for each "
                                    "hop, or three with an escape");
}

}  // namespace banyan::engines
