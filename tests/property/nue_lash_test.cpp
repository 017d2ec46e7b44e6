// Nue and LASH over random fabrics with random faults: they connect what can be connected, within their
// lanes, and never deadlock; the acyclic set of dependencies that both rest on knows every cycle.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/acyclic_dependencies.hpp"
#include "support/random_topology.hpp"
#include "support/routed.hpp"
#include "support/shuffle.hpp"
#include "support/slow_routing_check.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {
namespace {

Topology random_jellyfish() {
  const u32 switches = 2 * draw(2, 10), degree = draw(2, std::min(switches - 1, 5u));
  const u32 hosts = draw(1, 2), seed = draw(1, 1000);
  return make_topology(fmt::format("Jellyfish({},{}; hosts={}, seed={})", switches, degree, hosts, seed));
}

// Of every family, often with cables missing, seldom with many.
Topology random_fabric() {
  Topology out = draw(0, 6) == 0 ? random_jellyfish() : random_topology();
  const u32 percent = draw(0, 2) == 0 ? 0 : draw(1, draw(0, 3) == 0 ? 60 : 15);
  if (percent > 0) out.fabric = broken(out.fabric, percent, draw(0, 1000000));
  return out;
}

void expect_judge_agrees(const Fabric& fabric, const Routing& routing) {
  const Verdict verdict = judge(fabric, routing);
  RC_ASSERT(verdict.loop_free);
  RC_ASSERT(verdict.deadlock_free);
  RC_ASSERT(verdict.lanes <= routing.lanes);
}

RC_GTEST_PROP(Nue, ConnectsEverythingWithoutDeadlockWithAnyNumberOfLanes, ()) {
  const Topology topology = random_fabric();
  const u32 lanes = draw(0, 1) == 0 ? 1 : draw(1, 5), lmc = draw(0, 4) == 0 ? draw(1, 2) : 0;
  const Routing routing = routed(topology, fmt::format("nue:lanes={},lmc={}", lanes, lmc));
  const SlowVerdict verdict = check_slowly(topology.fabric, routing);
  RC_ASSERT(verdict.arrived == verdict.connectable);
  RC_ASSERT(verdict.acyclic);
  RC_ASSERT(routing.lanes <= lanes);
  RC_ASSERT(verdict.lanes <= routing.lanes);
  expect_judge_agrees(topology.fabric, routing);
}

// Tori and dragonflies under other numbers: here switches get stuck and need the escape tree.
RC_GTEST_PROP(Nue, ConnectsEverythingOnOneLaneOutOfDeadEnds, ()) {
  const bool is_torus = draw(0, 1) == 0;
  const std::vector<u32> widths =
      is_torus ? std::vector{draw(4, 6), draw(4, 5), draw(3, 5)} : std::vector{draw(1, 2)};
  const std::string notation = is_torus ? fmt::format("Torus({})", fmt::join(widths, "x"))
                                        : fmt::format("Dragonfly({},4,2)", widths[0]);
  const Fabric original = make_topology(notation).fabric;
  Random random(draw(0, 1000000));
  const Topology topology{shuffled(original, undamaged(original), random).fabric, Irregular{}, 1, "", ""};
  const Routing routing = routed(topology, "nue");
  const SlowVerdict verdict = check_slowly(topology.fabric, routing);
  RC_ASSERT(verdict.arrived == verdict.connectable);
  RC_ASSERT(verdict.acyclic);
}

RC_GTEST_PROP(Lash, ConnectsEverythingOnShortestPathsWithoutDeadlock, ()) {
  const Topology topology = random_fabric();
  const u32 lmc = draw(0, 4) == 0 ? draw(1, 2) : 0;
  const Routing routing = routed(topology, fmt::format("lash:lanes=16,lmc={}", lmc));
  const SlowVerdict verdict = check_slowly(topology.fabric, routing);
  RC_ASSERT(verdict.minimal == verdict.connectable);
  RC_ASSERT(verdict.acyclic);
  RC_ASSERT(verdict.lanes <= routing.lanes);
  expect_judge_agrees(topology.fabric, routing);
}

RC_GTEST_PROP(Lash, NeedsTheLanesItClaims, ()) {
  const Topology topology = random_fabric();
  const u32 needed = routed(topology, "lash:lanes=16").lanes;
  RC_ASSERT(std::holds_alternative<Routing>(route(topology, fmt::format("lash:lanes={}", needed))));
  if (needed > 1)
    RC_ASSERT(
        std::holds_alternative<NotApplicable>(route(topology, fmt::format("lash:lanes={}", needed - 1))));
}

RC_GTEST_PROP(NueAndLash, RouteTheSameFabricTheSameWay, ()) {
  const Topology topology = random_fabric();
  for (const char* engine : {"nue:lanes=2", "lash:lanes=16"})
    RC_ASSERT(std::get<Tables>(routed(topology, engine).forward) ==
              std::get<Tables>(routed(topology, engine).forward));
}

// Dependencies as a plain list of edges.
struct SlowDependencies {
  std::vector<std::pair<SwitchChannel, SwitchChannel>> edges;

  bool reaches(SwitchChannel from, SwitchChannel to) const {
    std::set<SwitchChannel> seen = {from};
    std::vector<SwitchChannel> queue = {from};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& [held, wanted] : edges)
        if (held == queue[i] && seen.insert(wanted).second) queue.push_back(wanted);
    return seen.contains(to);
  }
};

RC_GTEST_PROP(AcyclicDependencies, RefuseExactlyWhatClosesACycle, ()) {
  const Topology topology = random_fabric();
  const Backbone backbone(topology.fabric);
  RC_PRE(backbone.channels > 0);
  AcyclicDependencies fast(backbone, backbone.natural_order());
  SlowDependencies slow;
  std::size_t settled = 0, mark = 0, slow_mark = 0;
  for (u32 step = 0; step < 60; ++step) {
    const SwitchChannel held{draw(0, backbone.channels - 1)};
    const auto exits = backbone.exits(backbone.to[held]);
    const SwitchChannel wanted{index(*exits.begin()) + draw(0, exits.size() - 1)};
    if (wanted != backbone.reverse[held]) {
      const bool permitted = !slow.reaches(wanted, held);
      RC_ASSERT(fast.add(held, wanted) == permitted);
      if (permitted) slow.edges.emplace_back(held, wanted);
    }
    for (const auto& [a, b] : slow.edges) RC_ASSERT(fast.is_used(a, b) && fast.in_order(a, b));
    if (step % 20 == 5) mark = fast.mark(), slow_mark = slow.edges.size();
    if (step % 20 == 12) fast.undo(mark), slow.edges.resize(slow_mark);
    if (step % 20 == 19) {
      const auto keep = [](SwitchChannel a, SwitchChannel b) { return (index(a) + index(b)) % 3 != 0; };
      fast.settle(keep);
      const auto unsettled = slow.edges.begin() + static_cast<std::ptrdiff_t>(settled);
      slow.edges.erase(
          std::remove_if(unsettled, slow.edges.end(), [&](auto e) { return !keep(e.first, e.second); }),
          slow.edges.end());
      settled = slow.edges.size();
    }
  }
}

}  // namespace
}  // namespace banyan::tests
