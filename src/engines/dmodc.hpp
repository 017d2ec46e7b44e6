// Dmodc: d-mod-k arithmetic over what is alive (Gliksberg et al., arXiv 2211.11817).
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

// The same as route_dmodc(after), from the tables that it gave before some cables were taken away or put
// back; only what can have changed is computed. Both are the same fabric, but for cables.
RouteResult reroute_dmodc(Tables tables, const Topology& before, const Topology& after,
                          const DmodcOptions& options);

}  // namespace banyan::engines
