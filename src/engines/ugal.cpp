// UGAL, universal globally-adaptive load-balancing: at the first switch straight or by way of a random
// middle, whichever has the smaller product of queue and length (Singh, Load-Balanced Routing in
// Interconnection Networks, Stanford 2005). Queues are the switch's (UGAL-L), or the way's: hop-view global.
#include "engines/middles.hpp"

namespace banyan::engines {
namespace {

RouteResult route_ugal(const Topology& topology, const MiddleOptions& options) {
  return route_by_middles(topology, "ugal", Detour::undecided, options.seed);
}

}  // namespace

Engine ugal_engine() {
  return make_engine<route_ugal>(
      "ugal", "Singh, Stanford 2005",
      "all but fat-trees: straight or by a random middle, by what is queued; lanes as valiant");
}

}  // namespace banyan::engines
