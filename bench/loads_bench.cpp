// Maximum loads of random permutations and bisections, permutations drawn anew for each. Items are samples.
#include <benchmark/benchmark.h>

#include "engines/engine.hpp"
#include "flow/load_study.hpp"
#include "routing/table_form.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

constexpr const char* b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
constexpr const char* d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";
constexpr const char* x = "XGFT(3; 12,12,24; 1,12,12)";

struct Setting {
  const char *fabric, *engine, *pattern = "permutation";
  bool as_tables = false, rates = false;
  unsigned threads = 1;
};

void sample(benchmark::State& state, const Setting& setting) {
  const Topology t = make_topology(setting.fabric);
  Routing r = std::get<Routing>(route(t, setting.engine));
  if (setting.as_tables) r = std::get<Routing>(tables_of(t, r));
  const Placement placement = place_linearly(t.fabric.hosts());
  const Traffic traffic = make_traffic({t, t.fabric.hosts()}, setting.pattern);
  const LoadSampler sampler(t, r, traffic, placement, setting.rates);
  const u64 samples = static_cast<u64>(state.range(0));
  u64 seed = 0;
  double sum = 0;
  for (auto _ : state)
    sum +=
        study_loads(sampler, {.samples = samples, .seed = ++seed, .threads = setting.threads}).max_load.mean;
  state.counters["mean_max_load"] = sum / static_cast<double>(seed);
  state.SetItemsProcessed(static_cast<i64>(seed * samples));
}

void on_fabric(benchmark::State& state, const char* fabric, const char* engine) {
  sample(state, {fabric, engine});
}
BENCHMARK_CAPTURE(on_fabric, dmodk_b, b, "dmodk")->Arg(10'000);
BENCHMARK_CAPTURE(on_fabric, dmodk_d, d, "dmodk")->Arg(2'000);
BENCHMARK_CAPTURE(on_fabric, minhop_d, d, "minhop")->Arg(1000);
BENCHMARK_CAPTURE(on_fabric, shift1_8_x, x, "shift1:8")->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(on_fabric, disjoint_8_x, x, "disjoint:8")->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(on_fabric, random_8_x, x, "random:8")->Arg(1000)->Unit(benchmark::kMillisecond);

void dmodk_tables_d(benchmark::State& state) {
  sample(state, {.fabric = d, .engine = "dmodk", .as_tables = true});
}
BENCHMARK(dmodk_tables_d)->Arg(1000);

void bisections_d(benchmark::State& state) {
  sample(state, {.fabric = d, .engine = "dmodk", .pattern = "bisection", .rates = true});
}
BENCHMARK(bisections_d)->Arg(1000)->Unit(benchmark::kMillisecond);

void two_threads(benchmark::State& state, const char* fabric, const char* engine) {
  sample(state, {.fabric = fabric, .engine = engine, .threads = 2});
}
BENCHMARK_CAPTURE(two_threads, dmodk_b, b, "dmodk")->Arg(10'000)->UseRealTime();
BENCHMARK_CAPTURE(two_threads, dmodk_d, d, "dmodk")->Arg(2'000)->UseRealTime();
BENCHMARK_CAPTURE(two_threads, disjoint_8_x, x, "disjoint:8")->Arg(1000)->UseRealTime();

}  // namespace
}  // namespace banyan::tests
