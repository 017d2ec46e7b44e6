// How many hosts each switch of a fabric should have, where some hosts are missing.
#pragma once
#include "fabric/fabric.hpp"
#include "topology/recognise/hyperx_planes.hpp"

namespace banyan::topology {

// The likeliest number. It is certain if any other is a million times less likely, or would leave more than
// the usual 5 % of all hosts absent.
struct HostsPerSwitch {
  u32 count = 0;
  bool certain = false;
};
HostsPerSwitch usual_hosts(const Fabric& fabric, const RawSwitches& raw);

}  // namespace banyan::topology
