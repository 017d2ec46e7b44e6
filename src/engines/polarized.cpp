// Polarized routing: away from the source first, towards the destination then, by any neighbour that makes
// the difference of the two distances no worse (Camarero et al., Polarized Routing: an Efficient and
// Versatile Algorithm for Large Direct Networks, HotI 2021). A lane for each hop.
#include "engines/incremental.hpp"

namespace banyan::engines {
namespace {

struct PolarizedOptions {
  std::string extra = "auto";
  static void fields(auto& self, auto&& f) {
    f("extra", self.extra, "hops and lanes beyond the longest shortest path; auto: as many again");
  }
};

RouteResult route_polarized(const Topology& topology, const PolarizedOptions& options) {
  return route_by_hop_lanes(topology, "polarized", IncrementalRule::polarized, {"extra", options.extra});
}

}  // namespace

Engine polarized_engine() {
  return make_engine<route_polarized>(
      "polarized", "Camarero et al., HotI 2021",
      "all but fat-trees: away from the source, then towards the destination; a lane for each hop");
}

}  // namespace banyan::engines
