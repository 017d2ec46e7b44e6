// Shared by all engines that fill tables: the limits of tables, the option for several addresses, and
// routings with one lane.
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

// The reason why tables cannot represent this fabric, or none. Throws InputError for an lmc that InfiniBand
// does not allow.
std::optional<NotApplicable> refuse_tables(const Fabric& fabric, u32 lmc, std::string_view engine);

// The routing of tables with one lane.
Routing one_lane(Tables tables, u32 lmc);

}  // namespace banyan::engines
