// Engines of fat-trees on d, 11,664 hosts, and d-mod-k as tables of 110,592 hosts. The figures to beat are
// those of OpenSM's ftree on d: 29.6 s of CPU.
#include <benchmark/benchmark.h>

#include "engines/dmodc.hpp"
#include "fabric/faults.hpp"
#include "routing/table_form.hpp"

namespace banyan::tests {
namespace {

constexpr const char* d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";

Topology degraded(const char* fabric, const char* fault) {
  Topology t = make_topology(fabric);
  if (*fault) t.fabric = without(t.fabric, std::vector<std::string>{fault});
  return t;
}

void dmodk_tables(benchmark::State& state, const char* fabric) {
  const Topology t = make_topology(fabric);
  const Routing r = std::get<Routing>(route(t, "dmodk"));
  for (auto _ : state) benchmark::DoNotOptimize(tables_of(t, r, {~u64{0}, 7}));
}
BENCHMARK_CAPTURE(dmodk_tables, d, d)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dmodk_tables, of_110592_hosts, "XGFT(3; 48,48,48; 1,48,48)")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(2);

void engine(benchmark::State& state, const char* name, const char* fault) {
  const Topology t = degraded(d, fault);
  for (auto _ : state) benchmark::DoNotOptimize(route(t, name));
}
BENCHMARK_CAPTURE(engine, dmodc_complete, "dmodc", "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engine, dmodc_without_200_cables, "dmodc", "links=200,seed=7")
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(engine, ftree_without_200_cables, "ftree", "links=200,seed=7")
    ->Unit(benchmark::kMillisecond);

void dmodc_after_one_more(benchmark::State& state) {
  const Topology before = degraded(d, "links=200,seed=7");
  Topology after = before;
  after.fabric = without(before.fabric, std::vector<std::string>{"links=1,seed=8"});
  Tables tables = std::get<Tables>(std::get<Routing>(route(before, "dmodc")).forward);
  for (auto _ : state) {
    RouteResult result = reroute_dmodc(std::move(tables), before, after, {});
    tables = std::move(std::get<Tables>(std::get<Routing>(result).forward));
  }
}
BENCHMARK(dmodc_after_one_more)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace banyan::tests
