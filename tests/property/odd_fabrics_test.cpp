// Every question about every oddity: hosts cabled to hosts, to nothing, to themselves; switches apart; NICs
// with several cables; links that carry next to nothing or more than can be counted. An answer or a reason
// comes back, and nothing else: no crash, no endless walk, no exception but InputError.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "ask/check.hpp"
#include "ask/describe.hpp"
#include "ask/fail.hpp"
#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "base/random.hpp"
#include "engines/engine.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct FreePort {
  Node node;
  Port port;
};

Topology odd_topology() {
  Random random(*rc::gen::arbitrary<u64>());
  const u32 hosts = *rc::gen::inRange<u32>(1, 7), rails = *rc::gen::element(1u, 1u, 1u, 2u);
  const u32 switches = *rc::gen::inRange<u32>(0, 6), cables = *rc::gen::inRange<u32>(0, 16);
  FabricBuilder builder(hosts, rails);
  for (u32 nic = 0; nic < hosts * rails; ++nic) builder.nic_ports(Nic{nic}, random.below(8) == 0 ? 2 : 1);
  for (u32 i = 0; i < switches; ++i) builder.add_switch(static_cast<u32>(random.below(7)));
  std::vector<FreePort> free;
  for (u32 v = 0; v < hosts * rails + switches; ++v)
    for (u32 p = 0; p < builder.ports(Node{v}); ++p) free.push_back({Node{v}, Port{p}});
  random.shuffle(std::span(free));
  // Mostly hosts to switches, so that something is often connected.
  std::stable_partition(free.begin(), free.end(), [&](const FreePort& end) {
    return (index(end.node) < hosts * rails) == (random.below(4) != 0);
  });
  static constexpr double capacities[] = {1, 1, 1, 4, 1e-300, 1e18, 1e300};
  for (u32 i = 0; i < cables && free.size() > 1; ++i) {
    const FreePort a = free.front(), b = free.back();
    free.erase(free.begin());
    free.pop_back();
    builder.connect(a.node, a.port, b.node, b.port,
                    builder.add_class({capacities[random.below(std::size(capacities))], 1}));
  }
  return {std::move(builder).build(), Irregular{}, 1, "", ""};
}

// InputError is an answer.
template <class F>
void answered(F&& f) {
  try {
    f();
  } catch (const InputError&) {
  }
}

void ask_everything(const Topology& topology, const Routing& routing, const std::string& traffic) {
  ask::Situation at{topology, &routing};
  at.traffic = traffic;
  answered([&] { ask::verdict(at, {}); });
  for (const bool further : {false, true})
    answered([&] {
      ask::LoadOptions options;
      options.samples = 3;
      options.rates = options.optimum = further;
      options.worst_permutation = options.oblivious = further;
      ask::load(at, options);
    });
  for (const bool complete : {false, true})
    answered([&] {
      ask::SimulateOptions options;
      options.complete = complete;
      options.measure.cycles = 60;
      options.measure.max_cycles = 200;
      ask::simulate(at, options);
    });
}

RC_GTEST_PROP(OddFabrics, EveryQuestionIsAnsweredOrRefused, ()) {
  const Topology topology = odd_topology();
  answered([&] { ask::describe({topology}, {}); });
  const auto& all = engines::engines();
  const auto& engine = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  const std::string traffic =
      *rc::gen::element<std::string>("uniform", "permutation", "shift:1", "ring", "hotspot", "bisection");
  answered([&] {
    const RouteResult routed = engines::route(topology, std::string(engine.name));
    if (const Routing* routing = std::get_if<Routing>(&routed)) ask_everything(topology, *routing, traffic);
  });
}

}  // namespace
}  // namespace banyan::tests
