// Benchmarks of the network: latency by switches crossed, and barriers.
#include <fmt/format.h>

#include "qsnet/barrier.hpp"
#include "qsnet/bench.hpp"
#include "qsnet/hops.hpp"

namespace banyan::qsnet {
namespace {

std::vector<BenchTable> hops(const BenchSetting& s) {
  BenchTable table{"Latency by switches",
                   {"switches", "to host", "network, ns", "0-byte put, us", "each switch, ns", "paper, ns"},
                   {}};
  double before = 0;
  u32 switches_before = 0;
  for (const HopLatency& hop : hop_latencies(s.routes, s.parameters)) {
    const double put = in_us(hop.put);
    const bool is_first = table.rows.empty();
    table.rows.push_back(
        {fmt::format("{}", hop.switches), fmt::format("{}", hop.to),
         fmt::format("{:.0f}", in_us(hop.network) * 1000), fmt::format("{:.3f}", put),
         is_first ? "" : fmt::format("{:.1f}", 1000 * (put - before) / 2 / (hop.switches - switches_before)),
         is_first ? "" : "50"});
    before = put;
    switches_before = hop.switches;
  }
  return {table};
}

std::vector<BenchTable> barrier(const BenchSetting& s) {
  BenchTable table{"Barrier, us", {"hosts", "linear", "tree", "paper"}, {}};
  const std::vector<u32> counts = host_counts(2, s.hosts);
  Progress progress("barriers", counts.size());
  for (const u32 n : counts) {
    const auto time = [&](BarrierShape shape) {
      return fmt::format("{:.2f}", in_us(barrier_time(s.routes, s.parameters, n, shape)));
    };
    table.rows.push_back({fmt::format("{}", n), time(BarrierShape::linear), time(BarrierShape::tree),
                          n == 2   ? "6.2"
                          : n == 8 ? "7.4"
                                   : ""});
    progress.advance();
  }
  return {table};
}

}  // namespace

Bench hops_bench() {
  return {"hops", "petrini01, Figure 6", "latency by the number of switches crossed", hops};
}
Bench barrier_bench() {
  return {"barrier", "petrini01, Figure 7", "linear as measured, and the tree that is proposed", barrier};
}

}  // namespace banyan::qsnet
