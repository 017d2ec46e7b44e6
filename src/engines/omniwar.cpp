// Omni-WAR, incremental adaptive routing on a HyperX: at every hop any coordinate that is not right yet may
// become right or another wrong one, as long as lanes are left; a lane for each hop (McDonald et al.,
// Practical and Efficient Incremental Adaptive Routing for HyperX Networks, SC 2019).
#include "engines/incremental.hpp"

namespace banyan::engines {
namespace {

struct OmniwarOptions {
  std::string deroutes = "auto";
  static void fields(auto& self, auto&& f) {
    f("deroutes", self.deroutes, "hops and lanes beyond the longest shortest path; auto: as many again");
  }
};

// On a whole HyperX the neighbours from which the goal is as far as from here are those that differ in a
// coordinate that is not right: distances tell all that coordinates would. Where cables are missing,
// distances decide.
RouteResult route_omniwar(const Topology& topology, const OmniwarOptions& options) {
  if (!topology.is<HyperX>()) return NotApplicable{"omniwar needs a HyperX"};
  return route_by_hop_lanes(topology, "omniwar", IncrementalRule::no_farther, {"deroutes", options.deroutes});
}

}  // namespace

Engine omniwar_engine() {
  return make_engine<route_omniwar>("omniwar", "McDonald et al., SC 2019",
                                    "HyperX, complete or not: at every hop a dimension goes right or to any "
                                    "other coordinate; a lane for each hop");
}

}  // namespace banyan::engines
