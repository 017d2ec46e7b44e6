#include "qsnet/ping.hpp"

namespace banyan::qsnet {
namespace {

// The two directions of a ping, or one of them twice: inside one host both have the same ends.
Transfer direction(const Ping& ping, bool back) {
  return {.from = back ? ping.to : ping.from,
          .to = back ? ping.from : ping.to,
          .bytes = ping.bytes,
          .source = ping.source,
          .target = ping.target};
}

// A put that tells its host when it is acknowledged, again and again.
void post(Machine& machine, const Ping& ping, u32 side) {
  Transfer t = direction(ping, side == 1);
  t.source_event = machine.add_event({.card = t.from, .then = Reaction::host, .subject = side});
  t.target_event = machine.add_event({.card = t.to});
  machine.put(t);
}

Time chain_time(const Routes& routes, const Parameters& parameters, const Ping& ping, u32 puts) {
  Machine machine(routes, parameters);
  for (u32 side = 0; side < (ping.both_ways ? 2u : 1u); ++side) {
    Transfer t = direction(ping, side == 1);
    u32 next = machine.add_event({.card = t.from, .then = Reaction::host, .subject = side});
    for (u32 i = 0; i < puts; ++i) {
      t.source_event = next;
      t.target_event = machine.add_event({.card = t.to});
      const u32 dma = machine.prepare(t);
      next = machine.add_event({.card = t.from, .then = Reaction::dma, .subject = dma});
    }
    machine.set(next);
  }
  while (machine.next()) {
  }
  return machine.now();
}

}  // namespace

Time ping_latency(const Routes& routes, const Parameters& parameters, const Ping& ping) {
  constexpr u32 warm = 4, rounds = 20;
  Machine machine(routes, parameters);
  Time start[2] = {}, total = 0;
  u32 done[2] = {}, counted = 0;
  const u32 sides = ping.both_ways ? 2 : 1;
  for (u32 side = 0; side < sides; ++side) post(machine, ping, side);
  while (const auto notice = machine.next()) {
    const u32 side = notice->tag;
    if (++done[side] > warm && done[side] <= warm + rounds) {
      total += machine.now() - start[side];
      ++counted;
    }
    start[side] = machine.now();
    if (done[0] < warm + rounds || (sides == 2 && done[1] < warm + rounds)) post(machine, ping, side);
  }
  return total / counted;
}

double ping_bandwidth(const Routes& routes, const Parameters& parameters, const Ping& ping) {
  const u32 few = 2, many = ping.bytes <= 16384 ? 18 : 4;
  const Time span = chain_time(routes, parameters, ping, many) - chain_time(routes, parameters, ping, few);
  return static_cast<double>(ping.bytes) * (many - few) / in_us(span);
}

Ping ping_of(const Placed& placed, u64 bytes, bool both_ways) {
  return {0, placed.same_host ? 0u : 1u, bytes, placed.source, placed.target, both_ways};
}

double half_size(const Routes& routes, const Parameters& parameters, Ping ping, double peak) {
  double below = 0, size_below = 0;
  for (ping.bytes = 64;; ping.bytes += 64) {
    const double now = ping_bandwidth(routes, parameters, ping), size = static_cast<double>(ping.bytes);
    if (now >= peak / 2) return size_below + (size - size_below) * (peak / 2 - below) / (now - below);
    below = now;
    size_below = size;
  }
}

}  // namespace banyan::qsnet
