// Latency by the number of switches that are crossed.
#pragma once
#include "qsnet/ping.hpp"

namespace banyan::qsnet {

struct HopLatency {
  u32 switches, to;
  Time network;  // of a 0-byte packet, from its first flit out of the card to its last one into the other
  Time put;      // steps 2 to 10
};

// From host 0 to the first host at each distance, the nearest first.
std::vector<HopLatency> hop_latencies(const Routes& routes, const Parameters& parameters);

}  // namespace banyan::qsnet
