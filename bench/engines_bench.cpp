// The routing alone of engines for any graph, on the fabrics that OpenSM was timed on.
#include <benchmark/benchmark.h>

#include "engines/engine.hpp"

namespace banyan {
namespace {

const char* const b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
const char* const c = "HyperX(12x8; hosts=7)";
const char* const d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";

void routes(benchmark::State& state, const char* fabric, const char* engine) {
  const Topology topology = make_topology(fabric);
  u32 lanes = 0;
  for (auto _ : state) lanes = std::get<Routing>(route(topology, engine)).lanes;
  state.counters["lanes"] = lanes;
}

#define ROUTES(fabric, engine) \
  BENCHMARK_CAPTURE(routes, engine on fabric, fabric, #engine)->Unit(benchmark::kMillisecond)
ROUTES(b, minhop);
ROUTES(c, minhop);
ROUTES(d, minhop);
ROUTES(b, updn);
ROUTES(c, updn);
ROUTES(d, updn);
ROUTES(b, sssp);
ROUTES(c, sssp);
ROUTES(d, sssp);
ROUTES(b, dfsssp);
ROUTES(c, dfsssp);
ROUTES(d, dfsssp);

}  // namespace
}  // namespace banyan
