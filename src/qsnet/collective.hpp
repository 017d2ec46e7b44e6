// Many hosts at once: hot spots, and the total exchange, where everyone sends to everyone.
#pragma once
#include "qsnet/barrier.hpp"

namespace banyan::qsnet {

enum class Access : u8 { read, write };

// Hosts 1 .. partners read from or write to host 0, each the next message when the last is done; buffers in
// main memory. Bandwidth of all together, MB/s.
double hotspot_bandwidth(const Routes& routes, const Parameters& parameters, Access access, u32 partners,
                         u64 bytes, u32 messages, Progress* progress = nullptr);

// Hosts 0 .. hosts-1 enter a barrier; a host that has left it puts a message to each of the others, its right
// neighbour first, and is done when all have been acknowledged and all of its own have come. Until all are.
Time exchange_time(const Routes& routes, const Parameters& parameters, u32 hosts, u64 bytes,
                   Progress* progress = nullptr);

// Equation (1): S (N - 1) / B
inline Time exchange_bound(u32 hosts, u64 bytes, double bandwidth) {
  return transfer(bytes * (hosts - 1), bandwidth);
}

// The packets that they deliver, requests and the barrier's included: the steps of their progress.
u64 hotspot_packets(const Parameters& parameters, Access access, u32 partners, u64 bytes, u32 messages);
u64 exchange_packets(const Parameters& parameters, u32 hosts, u64 bytes);

}  // namespace banyan::qsnet
