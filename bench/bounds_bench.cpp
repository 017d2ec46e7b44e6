// The worst permutation, the oblivious ratio and the optimum, routing not counted.
#include <benchmark/benchmark.h>

#include "engines/engine.hpp"
#include "flow/bound.hpp"
#include "flow/oblivious.hpp"
#include "flow/worst_permutation.hpp"
#include "traffic/pattern.hpp"
#include "traffic/placement.hpp"

namespace banyan::tests {
namespace {

constexpr const char* b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
constexpr const char* c = "HyperX(12x8; hosts=7)";

void worst(benchmark::State& state, const char* fabric, const char* engine) {
  const Topology t = make_topology(fabric);
  const Routing r = std::get<Routing>(route(t, engine));
  for (auto _ : state) state.counters["load"] = worst_permutation(t.fabric, r, {.threads = 1}).load;
}
BENCHMARK_CAPTURE(worst, dmodk_b, b, "dmodk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worst, minhop_b, b, "minhop")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worst, smodk_b, b, "smodk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worst, disjoint_8_b, b, "disjoint:8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worst, minhop_c, c, "minhop")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(worst, dal_c, c, "dal")->Unit(benchmark::kMillisecond);

void oblivious(benchmark::State& state, const char* fabric, const char* engine) {
  const Topology t = make_topology(fabric);
  const Routing r = std::get<Routing>(route(t, engine));
  for (auto _ : state)
    state.counters["ratio"] = std::get<ObliviousRatio>(oblivious_ratio(t, r, {.threads = 1})).ratio;
}
BENCHMARK_CAPTURE(oblivious, dmodk_b, b, "dmodk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oblivious, disjoint_8_b, b, "disjoint:8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oblivious, minhop_hyperx_6x4, "HyperX(6x4; hosts=2)", "minhop")
    ->Unit(benchmark::kMillisecond);

void least(benchmark::State& state, const char* fabric) {
  const Topology t = make_topology(fabric);
  const u32 hosts = t.fabric.hosts();
  std::vector<Demand> demands;
  make_traffic({t, hosts}, "permutation").list(1, 0, 0, demands);
  std::vector<Flow> flows;
  append_flows(demands, place_linearly(hosts), flows);
  for (auto _ : state) state.counters["load"] = std::get<double>(optimum(t, flows));
}
BENCHMARK_CAPTURE(least, b, b)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(least, c, c)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace banyan::tests
