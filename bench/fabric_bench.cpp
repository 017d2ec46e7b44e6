// Building fabrics and asking them the first questions.
#include <benchmark/benchmark.h>

#include "fabric/cabling_diff.hpp"
#include "fabric/faults.hpp"
#include "topology/bisection.hpp"
#include "topology/distances.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::tests {
namespace {

const char* const fabrics[] = {"PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)",
                               "HyperX(12x8; hosts=7)"};

Fabric broken(const benchmark::State& state) {
  return without(make_topology(fabrics[state.range(0)]).fabric,
                 std::vector<std::string>{"share=0.02,seed=1"});
}

void build(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(make_topology(fabrics[state.range(0)]));
  state.SetLabel(fabrics[state.range(0)]);
}
BENCHMARK(build)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void distances_by_search(benchmark::State& state) {
  const Fabric fabric = broken(state);
  for (auto _ : state) benchmark::DoNotOptimize(search_distances(fabric, 1));
  state.SetLabel(fabrics[state.range(0)]);
}
BENCHMARK(distances_by_search)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void bisection_by_search(benchmark::State& state) {
  const Fabric fabric = broken(state);
  for (auto _ : state) benchmark::DoNotOptimize(search_bisection(fabric, {.seed = 1, .threads = 1}));
  state.SetLabel(fabrics[state.range(0)]);
}
BENCHMARK(bisection_by_search)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void recognition(benchmark::State& state) {
  const Fabric fabric = broken(state);
  for (auto _ : state) benchmark::DoNotOptimize(recognise(fabric));
  state.SetLabel(fabrics[state.range(0)]);
}
BENCHMARK(recognition)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void cabling_diff(benchmark::State& state) {
  const Fabric plan = make_topology(fabrics[state.range(0)]).fabric, observed = broken(state);
  for (auto _ : state) benchmark::DoNotOptimize(diff_cabling(plan, observed));
  state.SetLabel(fabrics[state.range(0)]);
}
BENCHMARK(cabling_diff)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace banyan::tests

BENCHMARK_MAIN();
