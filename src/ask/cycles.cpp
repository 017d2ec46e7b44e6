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
  if (cable.value > 0) out.fabric = fabric::with_latency(topology.fabric, cable_cycles(cable, cycle));
  return out;
}

u32 cable_cycles(Length cable, double cycle) {
  return whole_cycles(Duration{seconds_per_metre * cable.value}, cycle);
}

double round_trip_flits(const Fabric& fabric, std::optional<u32> latency, u64 switch_cycles) {
  double fastest = 0, flits = 0;
  for (const LinkClass& link : fabric.link_classes()) fastest = std::max(fastest, link.capacity);
  for (const LinkClass& link : fabric.link_classes()) {
    const double there = latency ? *latency : std::max(1.0, std::round(link.latency));
    flits = std::max(flits, (2 * there + static_cast<double>(switch_cycles)) * link.capacity / fastest);
  }
  return flits;
}

u32 busy_link_flits(double round_trip, u32 packet_flits) {
  const double packets = std::ceil(round_trip / packet_flits) + 1;
  return static_cast<u32>(std::min(packets * packet_flits, 4e9));
}

}  // namespace banyan::ask
