#include "flit/replicas.hpp"

#include <algorithm>
#include <cmath>
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

ReplicaEstimates estimates_of(const std::vector<Measurement>& runs) {
  std::vector<RunFigures<double>> of_runs;
  for (const Measurement& run : runs) of_runs.push_back(figures_of(run));
  ReplicaEstimates out{.runs = static_cast<u32>(runs.size()), .figures = {}};
  each_figure([&](std::string_view, std::string_view, auto get) {
    std::vector<double> values;
    for (const RunFigures<double>& run : of_runs) {
      if constexpr (std::is_same_v<decltype(get(run)), const double&>) {
        values.push_back(get(run));
      } else if (get(run)) {
        values.push_back(*get(run));
      }
    }
    if (values.size() == runs.size()) get(out.figures) = independent_estimate(values);
  });
  return out;
}

// Sums, and what holds for all runs or for one of them.
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
  }
  out.saturated = 2 * saturated > runs.size();
  return out;
}

Measurement together(const std::vector<Measurement>& runs) {
  Measurement out = added_up(runs);
  out.offered = over_runs(runs, [](const Measurement& run) { return run.offered; }).mean;
  out.accepted = over_runs(runs, [](const Measurement& run) { return run.accepted.mean; });
  out.packet_latency = over_runs(runs, [](const Measurement& run) { return run.packet_latency.mean; });
  out.growth = over_runs(runs, [](const Measurement& run) { return run.growth.mean; });
  out.undecided = !out.saturated && !out.deadlock && may_be_saturated(out.growth, out.offered);
  out.replicas = estimates_of(runs);
  const RunFigures<double> means = figures_of(out);
  out.min_host_throughput = means.min_host_throughput;
  out.max_host_throughput = means.max_host_throughput;
  out.starved_hosts = means.starved_hosts;
  if (means.completion) out.completion_cycles = static_cast<u64>(std::llround(*means.completion));
  out.max_channel_utilisation = means.max_channel_utilisation;
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
