// All shifts at once. The bars: 110,592 hosts from the formula in 0.5 s and from tables in 3 s, 524,288 hosts
// from the formula in 5 s. Routing is not timed.
#include <benchmark/benchmark.h>

#include "engines/engine.hpp"
#include "routing/table_form.hpp"
#include "verify/shifts.hpp"

namespace banyan::tests {
namespace {

constexpr const char* b = "PGFT(3; 18,18,6; 1,18,3; 1,1,6)";
constexpr const char* d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";
constexpr const char* large = "XGFT(3; 48,48,48; 1,48,48)";  // 110,592 hosts
constexpr const char* larger = "PGFT(3; 64,64,128; 1,64,64; 1,1,1)";

void judge(benchmark::State& state, const Fabric& fabric, const Routing& routing) {
  for (auto _ : state) {
    const auto verdict = std::get<ShiftVerdict>(judge_shifts(fabric, routing));
    state.counters["load"] = verdict.load();
  }
}

void by_formula(benchmark::State& state, const char* notation, const char* engine) {
  const Topology t = make_topology(notation);
  judge(state, t.fabric, std::get<Routing>(route(t, engine)));
}
BENCHMARK_CAPTURE(by_formula, of_110592_hosts, large, "dmodk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_formula, of_524288_hosts, larger, "dmodk")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_formula, tapered_110592, "XGFT(3; 48,48,48; 1,24,24)", "dmodk")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_formula, b_smodk, b, "smodk")->Unit(benchmark::kMillisecond);

void by_tables(benchmark::State& state, const char* notation, u32 altered) {
  const Topology t = make_topology(notation);
  Routing routing = std::get<Routing>(tables_of(t, std::get<Routing>(route(t, "dmodk")), {~u64{0}, 7}));
  Tables& tables = std::get<Tables>(routing.forward);
  const u32 first = index(*t.fabric.switch_nodes().begin());
  for (u32 i = 0; i < altered; ++i) {  // of leaves, each by another port up
    u8& entry = tables(Node{first + i * 7}, Address{t.fabric.hosts() - 1 - i * 1000});
    entry = static_cast<u8>(entry % 2 ? entry - 1 : entry + 1);
  }
  judge(state, t.fabric, routing);
}
BENCHMARK_CAPTURE(by_tables, of_110592_hosts, large, 0)->Unit(benchmark::kMillisecond)->Iterations(2);
BENCHMARK_CAPTURE(by_tables, of_110592_hosts_10_altered, large, 10)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(by_tables, tapered_110592, "XGFT(3; 48,48,48; 1,24,24)", 0)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

void by_engine_tables(benchmark::State& state, const char* notation, const char* engine) {
  const Topology t = make_topology(notation);
  judge(state, t.fabric, std::get<Routing>(route(t, engine)));
}
BENCHMARK_CAPTURE(by_engine_tables, d_dmodc, d, "dmodc")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_engine_tables, d_minhop, d, "minhop")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_engine_tables, d_sssp, d, "sssp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(by_engine_tables, hyperx_minhop, "HyperX(12x8; hosts=7)", "minhop")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace banyan::tests
