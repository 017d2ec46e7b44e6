// The fluid level: flow events a second where flows are local and where they are not, beside computing all
// rates after every event; and programs of growing size.
#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "flow/fluid.hpp"
#include "flow/program_time.hpp"
#include "traffic/programs/from_rounds.hpp"

namespace banyan::tests {
namespace {

const char* const d = "PGFT(3; 18,18,36; 1,18,18; 1,1,1)";  // 11,664 hosts
constexpr u32 messages_each = 20;

// Every host sends one message after another, to hosts of its group of `group` hosts.
struct Chains {
  std::vector<Flow> flows;
  Incidence listed;

  Chains(const Topology& topology, const Routing& routing, u32 group) {
    const u32 hosts = topology.fabric.hosts();
    Random random(1, 2);
    for (u32 host = 0; host < hosts; ++host)
      for (u32 i = 0; i < messages_each; ++i) {
        const u32 first = host / group * group, other = 1 + static_cast<u32>(random.below(group - 1));
        const u32 to = first + (host - first + other) % group;
        flows.push_back({Nic{host}, Nic{to}, 1000.0 + static_cast<double>(random.below(9000))});
      }
    list_channels(topology.fabric, routing, flows, Demands::bytes, listed);
  }
};

void flow_events(benchmark::State& state, u32 group) {
  const Topology topology = make_topology(d);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const Chains chains(topology, routing, group);
  u64 events = 0, filled = 0;
  for (auto _ : state) {
    Fluid fluid(topology.fabric, {}, chains.listed, chains.flows);
    for (u32 f = 0; f < chains.flows.size(); f += messages_each) fluid.begin(f, 0);
    fluid.run([&](u32 flow, double time) {
      if ((flow + 1) % messages_each != 0) fluid.begin(flow + 1, time);
    });
    events += fluid.events();
    filled += fluid.rates().filled();
  }
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
  state.counters["flows/event"] = static_cast<double>(filled) / static_cast<double>(events);
}

// The first events of the same, with all rates computed after each.
void all_rates(benchmark::State& state, u32 group) {
  const Topology topology = make_topology(d);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const Chains chains(topology, routing, group);
  std::vector<u32> active;
  for (u32 f = 0; f < chains.flows.size(); f += messages_each) active.push_back(f);
  Incidence listed;
  RateSolver solver(topology.fabric, {});
  for (auto _ : state) {
    select(chains.listed, active, listed);
    benchmark::DoNotOptimize(solver.solve(listed).front());
  }
  state.counters["events/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// A step of training on as many hosts as ranks.
void training(benchmark::State& state) {
  const u32 ranks = static_cast<u32>(state.range(0));
  const Topology topology = make_topology("RLFT(64 ports, " + std::to_string(ranks) + " hosts)");
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const TrainingOptions model{.tensor = 8,
                              .pipeline = 4,
                              .layers = 8,
                              .hidden = 4096,
                              .batch = ranks / 32 * 4,
                              .algorithm = "recursive-doubling"};
  const Program program = program_of(ranks, model);
  flow::ProgramOptions options;
  options.network.rates.link = 50e9;
  u64 events = 0;
  for (auto _ : state)
    events += fluid_time(topology.fabric, routing, program, place_linearly(ranks), options).flow_events;
  state.counters["messages"] = program.messages();
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(flow_events, within leaves, 18)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(flow_events, within pods, 324)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_rates, within leaves, 18)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_rates, within pods, 324)->Unit(benchmark::kMillisecond);
BENCHMARK(training)->RangeMultiplier(4)->Range(64, 16384)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace banyan::tests
