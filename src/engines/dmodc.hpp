// Dmodc: d-mod-k arithmetic over the live ports of a degraded tree (Gliksberg et al., arXiv 2211.11817).
#pragma once
#include "engines/engine.hpp"

namespace banyan::engines {

struct DmodcOptions {
  u32 lmc = 0;
  std::string spread = "disjoint";
  static void fields(auto& self, auto&& f) {
    f("lmc", self.lmc, "2^lmc addresses a NIC");
    f("spread", self.spread, "which paths several addresses take in a complete tree: disjoint or shift1");
  }
};

RouteResult route_dmodc(const Topology& topology, const DmodcOptions& options);

// Gives the same result as route_dmodc(after), from the tables before cables were removed or put back, and
// computes only what can have changed. The two fabrics may differ only in their cables.
RouteResult reroute_dmodc(Tables tables, const Topology& before, const Topology& after,
                          const DmodcOptions& options);

}  // namespace banyan::engines
