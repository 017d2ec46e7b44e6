// Rates of one permutation, its drawing and the listing of its paths included.
#include <benchmark/benchmark.h>

#include "base/permutation.hpp"
#include "engines/engine.hpp"
#include "flow/rates.hpp"

namespace banyan::tests {
namespace {

const char* const b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
const char* const c = "HyperX(12x8; hosts=7)";
const char* const d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";

void rate(benchmark::State& state, const char* fabric, const char* engine, RateModel model) {
  const Topology topology = make_topology(fabric);
  const Routing routing = std::get<Routing>(route(topology, engine));
  RateSolver solver(topology.fabric, {.model = model});
  std::vector<Flow> flows;
  Incidence listed;
  u64 sample = 0;
  for (auto _ : state) {
    flows.clear();
    const Permutation to(topology.fabric.hosts(), 1, sample++);
    for (u32 i = 0; i < topology.fabric.hosts(); ++i) flows.push_back({Nic{i}, Nic{static_cast<u32>(to(i))}});
    list_channels(topology.fabric, routing, flows, Demands::relative, listed);
    benchmark::DoNotOptimize(solver.solve(listed).front());
  }
}

#define RATE(fabric, engine, name, model) \
  BENCHMARK_CAPTURE(rate, name engine on fabric, fabric, engine, model)->Unit(benchmark::kMillisecond)
RATE(b, "dmodk", max - min, RateModel::max_min);
RATE(b, "minhop", max - min, RateModel::max_min);
RATE(b, "disjoint:paths=4", max - min, RateModel::max_min);
RATE(c, "sssp", max - min, RateModel::max_min);
RATE(d, "dmodk", max - min, RateModel::max_min);
RATE(b, "dmodk", contention, RateModel::contention);
RATE(d, "dmodk", contention, RateModel::contention);

}  // namespace
}  // namespace banyan::tests
