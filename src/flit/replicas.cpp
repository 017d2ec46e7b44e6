#include "flit/replicas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.hpp"

namespace banyan::flit {
namespace {

// f(run): a statistic of it.
template <class F>
Interval over_runs(const std::vector<Measurement>& runs, F&& f) {
  std::vector<double> values;
  for (const Measurement& run : runs) values.push_back(static_cast<double>(f(run)));
  return independent_estimate(values);
}

double network_latency_of(const Measurement& run) {
  return run.counted.packets
             ? static_cast<double>(run.counted.network_cycles) / static_cast<double>(run.counted.packets)
             : std::numeric_limits<double>::quiet_NaN();
}

ReplicaEstimates estimates_of(const std::vector<Measurement>& runs) {
  const auto latency = [&](const Histogram Tally::*of, double share) {
    return over_runs(runs, [&](const Measurement& run) { return (run.counted.*of).percentile(share); });
  };
  ReplicaEstimates out;
  out.runs = static_cast<u32>(runs.size());
  out.network_latency = over_runs(runs, network_latency_of);
  out.packet_latency_p50 = latency(&Tally::packet_latency, 0.5);
  out.packet_latency_p99 = latency(&Tally::packet_latency, 0.99);
  out.message_latency =
      over_runs(runs, [](const Measurement& run) { return run.counted.message_latency.mean(); });
  out.message_latency_p50 = latency(&Tally::message_latency, 0.5);
  out.message_latency_p99 = latency(&Tally::message_latency, 0.99);
  out.max_channel_utilisation =
      over_runs(runs, [](const Measurement& run) { return run.max_channel_utilisation; });
  if (runs[0].min_host_throughput) {
    out.min_host_throughput =
        over_runs(runs, [](const Measurement& run) { return *run.min_host_throughput; });
    out.max_host_throughput =
        over_runs(runs, [](const Measurement& run) { return *run.max_host_throughput; });
  }
  if (std::ranges::all_of(runs, [](const Measurement& run) { return run.completion_cycles.has_value(); }))
    out.completion_cycles = over_runs(runs, [](const Measurement& run) { return *run.completion_cycles; });
  return out;
}

// Sums, and what holds for all runs or for one of them; of hosts that starve, the most of any run.
Measurement added_up(const std::vector<Measurement>& runs) {
  Measurement out;
  out.is_warm = true;
  out.granularity = runs[0].granularity;
  std::size_t saturated = 0;
  for (const Measurement& run : runs) {
    out.counted.append(run.counted);
    out.warm_up_cycles += run.warm_up_cycles;
    out.is_warm &= run.is_warm;
    saturated += run.saturated;
    if (!out.deadlock) out.deadlock = run.deadlock;
    if (run.starved_hosts) out.starved_hosts = std::max(out.starved_hosts.value_or(0), *run.starved_hosts);
  }
  out.saturated = 2 * saturated > runs.size();
  return out;
}

Measurement together(const std::vector<Measurement>& runs) {
  Measurement out = added_up(runs);
  const ReplicaEstimates estimates = estimates_of(runs);
  out.offered = over_runs(runs, [](const Measurement& run) { return run.offered; }).mean;
  out.accepted = over_runs(runs, [](const Measurement& run) { return run.accepted.mean; });
  out.packet_latency = over_runs(runs, [](const Measurement& run) { return run.packet_latency.mean; });
  out.growth = over_runs(runs, [](const Measurement& run) { return run.growth.mean; });
  out.undecided = !out.saturated && may_be_saturated(out.growth, out.offered);
  if (estimates.min_host_throughput) {
    out.min_host_throughput = estimates.min_host_throughput->mean;
    out.max_host_throughput = estimates.max_host_throughput->mean;
  }
  if (estimates.completion_cycles)
    out.completion_cycles = static_cast<u64>(std::llround(estimates.completion_cycles->mean));
  out.max_channel_utilisation = estimates.max_channel_utilisation.mean;
  out.replicas = estimates;
  return out;
}

}  // namespace

Measurement combined_replicas(std::vector<Measurement> runs) {
  return runs.size() == 1 ? std::move(runs[0]) : together(runs);
}

Measurement measure_replicas(u32 count, unsigned threads,
                             const std::function<Measurement(u32 run, unsigned threads)>& run) {
  if (count == 1) return run(0, threads);
  std::vector<Measurement> runs(count);
  const unsigned at_once = std::clamp(threads, 1u, count);
  parallel_for(count, at_once,
               [&](u64 i) { runs[i] = run(static_cast<u32>(i), std::max(1u, threads / at_once)); });
  return combined_replicas(std::move(runs));
}

}  // namespace banyan::flit
