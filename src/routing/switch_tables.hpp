// Routes to the switches themselves, for management packets: up towards the roots, then down to the switch,
// along short ways wherever there is one. Routings cover only NICs.
#pragma once
#include <vector>

#include "base/parallel.hpp"
#include "fabric/fabric.hpp"
#include "routing/tables.hpp"

namespace banyan::routing {

class SwitchTables {
 public:
  explicit SwitchTables(const Fabric& fabric, unsigned threads = default_threads());

  // The same as for a new one, from that of the fabric before it lost some cables between switches.
  SwitchTables(const SwitchTables& before, const Fabric& old_fabric, const Fabric& fabric,
               unsigned threads = default_threads());

  // The port at one switch towards another; no_port where there is no way, and at the switch itself.
  u8 operator()(Node at, Node to) const {
    return ports_[std::size_t{index(to) - nics_} * switches_ + (index(at) - nics_)];
  }

 private:
  u32 nics_, switches_;
  std::vector<u8> ports_;  // by goal, then by switch
};

}  // namespace banyan::routing
