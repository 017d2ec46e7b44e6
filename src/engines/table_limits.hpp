// What every engine that fills tables refuses, the option for several addresses, and the routing with one
// lane.
#pragma once
#include <optional>
#include <string_view>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"

namespace banyan::engines {

struct LmcOption {
  u32 lmc = 0;
  static void fields(auto& self, auto&& f) {
    f("lmc", self.lmc, "2^lmc addresses a NIC, each routed for itself");
  }
};

// Why tables cannot hold this, if so. Throws InputError for an lmc that InfiniBand does not know.
std::optional<NotApplicable> refuse_tables(const Fabric& fabric, u32 lmc, std::string_view engine);

// Everything in one lane.
Routing one_lane(Tables tables, u32 lmc);

}  // namespace banyan::engines
