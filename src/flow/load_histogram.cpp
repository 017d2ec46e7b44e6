#include "flow/load_histogram.hpp"

#include <mutex>

#include "base/parallel.hpp"

namespace banyan::flow {
namespace {

bool is_between_switches(const Fabric& fabric, Channel c) {
  return fabric.cabled(c) && fabric.is_switch(fabric.from(c)) && fabric.is_switch(fabric.to(c));
}

}  // namespace

LoadHistogram load_histogram(const ListedKernel& listed, u64 seed, u64 first, u64 count, unsigned threads) {
  const Fabric& fabric = listed.lister().fabric();
  LoadHistogram out;
  std::mutex mutex;
  parallel_ranges(count, threads, [&](u64 from, u64 last) {
    LoadMeter meter = listed.meter();
    LoadHistogram mine;
    for (; from < last; ++from) {
      meter.measure(listed.flows(seed, first + from));
      const IdVector<Channel, double> loads = meter.loads();
      for (const Channel c : fabric.channels())
        if (loads[c] > 0 && is_between_switches(fabric, c)) ++mine[loads[c]];
    }
    const std::lock_guard lock(mutex);
    for (const auto& [load, channels] : mine) out[load] += channels;
  });
  return out;
}

std::vector<LoadRange> with_idle(const Fabric& fabric, LoadHistogram histogram, u64 rounds) {
  u64 all = 0, loaded = 0;
  for (const Channel c : fabric.channels()) all += is_between_switches(fabric, c);
  for (const auto& [load, channels] : histogram) loaded += channels;
  if (all * rounds > loaded) histogram[0] += all * rounds - loaded;
  return in_ranges(histogram);
}

}  // namespace banyan::flow
