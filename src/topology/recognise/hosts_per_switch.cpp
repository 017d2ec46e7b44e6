#include "topology/recognise/hosts_per_switch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace banyan::topology {
namespace {

// How likely it is that switches that should have that many hosts have these, each host being lost with the
// same chance: its logarithm. A swap may have given one switch one too many.
double likelihood(const std::vector<u32>& hosts_on, u32 hosts) {
  constexpr double impossible = -std::numeric_limits<double>::infinity(), swapped = -7;
  const double all = double(hosts) * double(hosts_on.size());
  double lost = 0, out = 0;
  u32 over = 0;
  for (u32 on : hosts_on) {
    if (on > hosts && (on > hosts + 1 || ++over > 1)) return impossible;
    if (on > hosts) continue;
    lost += hosts - on;
    out += std::lgamma(hosts + 1.) - std::lgamma(on + 1.) - std::lgamma(hosts - on + 1.);  // which of them
  }
  if (lost > std::max(1., all / 5)) return impossible;
  if (lost > 0) out += lost * std::log(lost / all) + (all - lost) * std::log1p(-lost / all);
  return out + swapped * over;
}

}  // namespace

HostsPerSwitch usual_hosts(const Fabric& fabric, const RawSwitches& raw) {
  const u64 switches = fabric.switches() / fabric.columns();
  const u32 maximum = *std::max_element(raw.hosts_on.begin(), raw.hosts_on.end());
  const double clearly = 14. * fabric.columns();  // a host that is gone is so on all rails
  HostsPerSwitch out;
  double best = -std::numeric_limits<double>::infinity();
  for (u32 hosts = std::max(2u, maximum) - 1; hosts <= maximum + maximum / 4 + 1; ++hosts) {
    if (hosts * switches < fabric.hosts()) continue;
    const double likely = likelihood(raw.hosts_on, hosts);
    const bool usual = (hosts * switches - fabric.hosts()) * 20 <= hosts * switches;
    if (likely > best)
      out = {hosts, best < likely - clearly}, best = likely;
    else if (usual && likely > best - clearly)
      out.certain = false;
  }
  return out;
}

}  // namespace banyan::topology
