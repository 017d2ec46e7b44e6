// The routing alone of engines that OpenSM has too, on the fabrics that it was timed on: CPU time of all
// threads. Closed forms are also turned into tables, as OpenSM would have them.
#include <benchmark/benchmark.h>

#include "engines/engine.hpp"
#include "routing/table_form.hpp"

namespace banyan::tests {
namespace {

const char* const b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
const char* const c = "HyperX(12x8; hosts=7)";
const char* const d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";

void routes(benchmark::State& state, const char* fabric, const char* engine) {
  const Topology topology = make_topology(fabric);
  u32 lanes = 0;
  for (auto _ : state) {
    const Routing routing = std::get<Routing>(route(topology, engine));
    benchmark::DoNotOptimize(tables_of(topology, routing));
    lanes = routing.lanes;
  }
  state.counters["lanes"] = lanes;
}

#define ROUTES(fabric, engine)                                 \
  BENCHMARK_CAPTURE(routes, engine on fabric, fabric, #engine) \
      ->Unit(benchmark::kMillisecond)                          \
      ->MeasureProcessCPUTime()
#define ROUTES_ALL(engine) \
  ROUTES(b, engine);       \
  ROUTES(c, engine);       \
  ROUTES(d, engine)
ROUTES_ALL(minhop);
ROUTES_ALL(updn);
ROUTES_ALL(sssp);
ROUTES_ALL(dfsssp);
ROUTES_ALL(lash);
ROUTES_ALL(nue);
ROUTES(b, ftree);
ROUTES(d, ftree);
ROUTES(b, dmodc);
ROUTES(d, dmodc);
ROUTES(b, dmodk);
ROUTES(d, dmodk);

}  // namespace
}  // namespace banyan::tests
