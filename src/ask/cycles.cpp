#include "ask/cycles.hpp"

#include <algorithm>
#include <cmath>

namespace banyan::ask {

double cycle_seconds(const Fabric& fabric, Speed link, u32 flit_bytes) {
  double fastest = 0;
  for (const LinkClass& one : fabric.link_classes()) fastest = std::max(fastest, one.capacity);
  return flit_bytes / (link.value * fastest);
}

u32 whole_cycles(Duration time, double cycle) {
  return static_cast<u32>(std::clamp(std::round(time.value / cycle), 1.0, 4e9));
}

Topology with_cables(const Topology& topology, Length cable, double cycle) {
  Topology out = topology;
  if (cable.value > 0)
    out.fabric = fabric::with_latency(topology.fabric,
                                      std::max(1.0, std::round(seconds_per_metre * cable.value / cycle)));
  return out;
}

}  // namespace banyan::ask
