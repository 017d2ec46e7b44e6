// Bisection: the formulas and the search against all cuts of small fabrics, and the two against each other.
#include "topology/bisection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

constexpr u32 max_switches = 14;

std::optional<Bisection> formula(const Topology& topology) {
  return std::visit(
      [&](const auto& shape) -> std::optional<Bisection> {
        if constexpr (requires { shape.bisection(); }) {
          auto out = shape.bisection();
          if (out) out->links *= topology.planes;
          return out;
        } else {
          return std::nullopt;
        }
      },
      topology.shape);
}

// Every host, with the switches it is cabled to as a mask, and its cables.
struct Attached {
  u32 switches = 0, cables = 0;
};

std::vector<Attached> attached_hosts(const Fabric& fabric) {
  std::vector<Attached> hosts(fabric.hosts());
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c)) continue;
      Attached& host = hosts[index(fabric.host(fabric.nic(nic)))];
      host.switches |= 1U << (index(fabric.to(c)) - fabric.nics());
      ++host.cables;
    }
  return hosts;
}

// The most hosts on switches that hosts tie together.
u32 largest_unit(const std::vector<Attached>& hosts) {
  u32 largest = 0;
  for (const Attached& host : hosts) {
    u32 unit = host.switches, before = 0, count = 0;
    while (unit != before) {
      before = unit;
      for (const Attached& other : hosts)
        if (other.switches & unit) unit |= other.switches;
    }
    for (const Attached& other : hosts) count += (other.switches & unit) != 0;
    largest = std::max({largest, count, 1U});
  }
  return largest;
}

// The cost of giving one side the switches in `mask`, or none when it is no bisection.
std::optional<u64> cost_of(const Fabric& fabric, const std::vector<Attached>& hosts, u32 largest, u32 mask) {
  std::vector<u32> cables[2];  // of the hosts of a side
  for (const Attached& host : hosts) {
    const u32 inside = host.switches & mask;
    if (inside != 0 && inside != host.switches) return std::nullopt;
    if (host.switches != 0) cables[inside != 0].push_back(host.cables);  // others fit anywhere
  }
  auto& larger = cables[1].size() > cables[0].size() ? cables[1] : cables[0];
  const std::size_t half = (hosts.size() + 1) / 2, going = larger.size() > half ? larger.size() - half : 0;
  if (going > largest / 2) return std::nullopt;
  std::sort(larger.begin(), larger.end());
  u64 cost = 0;
  for (std::size_t i = 0; i < going; ++i) cost += larger[i];
  fabric.each_link([&](Link link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    if (!fabric.is_switch(a) || !fabric.is_switch(b)) return;
    cost += (mask >> (index(a) - fabric.nics()) & 1) != (mask >> (index(b) - fabric.nics()) & 1);
  });
  return cost;
}

u64 exhaustive_bisection(const Fabric& fabric) {
  const auto hosts = attached_hosts(fabric);
  const u32 largest = largest_unit(hosts);
  u64 best = ~u64{0};
  for (u32 mask = 0; mask < 1U << (fabric.switches() - 1); ++mask)
    if (const auto cost = cost_of(fabric, hosts, largest, mask)) best = std::min(best, *cost);
  return best;
}

// Few enough switches to try all cuts, and mostly enough to make it interesting.
Topology cuttable_topology() {
  const u32 least = draw(0, 3) == 0 ? 1 : 6;
  for (;;) {
    Topology topology = random_topology();
    const u32 switches = topology.fabric.switches();
    if (switches >= least && switches <= max_switches && topology.fabric.hosts() > 1) return topology;
  }
}

RC_GTEST_PROP(Bisection, FormulaEqualsTheBestOfAllCuts, ()) {
  const Topology topology = cuttable_topology();
  const auto found = formula(topology);
  if (!found || !found->exact) RC_DISCARD("no formula");
  RC_LOG() << canonical_notation(topology) << '\n';
  RC_ASSERT(found->links == exhaustive_bisection(topology.fabric));
}

RC_GTEST_PROP(Bisection, SearchFindsNoLessThanTheBestOfAllCuts, ()) {
  const Fabric fabric = broken_somewhere(cuttable_topology().fabric, 20);
  RC_ASSERT(search_bisection(fabric, {1, 1}).links >= exhaustive_bisection(fabric));
}

TEST(Bisection, SearchFindsTheBestOfAllCutsInNearlyAllSmallBrokenFabrics) {
  u32 tried = 0, missed = 0;
  EXPECT_TRUE(rc::check([&] {
    const Fabric fabric = broken_somewhere(cuttable_topology().fabric, 20);
    ++tried;
    missed += search_bisection(fabric, {1, 1}).links != exhaustive_bisection(fabric);
  }));
  EXPECT_LE(missed * 100, tried) << missed << " of " << tried;
}

Topology medium_topology() {
  switch (draw(0, 3)) {
    case 0:
      return build_in_planes(random_pgft(6), 2);
    case 1:
      return build(random_several_nics(6));
    case 2:
      return build_in_planes(random_hyperx(3, 6), 2);
    default:
      return build_in_planes(random_torus(3, 7), 2);
  }
}

RC_GTEST_PROP(Bisection, SearchFindsWhatTheFormulaSays, ()) {
  const Topology topology = medium_topology();
  const auto expected = formula(topology);
  if (!expected || topology.fabric.hosts() < 2) RC_DISCARD("no formula");
  RC_LOG() << canonical_notation(topology) << '\n';
  RC_ASSERT(search_bisection(topology.fabric, {1, 1}).links == expected->links);
}

TEST(Bisection, SearchFindsWhatTheFormulaSaysForLargerShapes) {
  for (const char* notation :
       {"PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "XGFT(3; 24,12,8; 1,6,3)", "XGFT(4; 4,4,4,4; 1,4,4,4)",
        "HyperX(12x8; hosts=7)", "HyperX(9x9; hosts=2)", "HyperX(5x4x7; hosts=3)", "Hypercube(8)",
        "FullMesh(31; hosts=3)", "Torus(8x8x8)", "Torus(15x9)", "Torus(3x4x5x4; hosts=3)", "Mesh(30x31)",
        "XGFT(2; 16,32; 1,16; rails=8)", "XGFT(2; 16,32; 1,16; nics=8)",
        "XGFT(3; 16,8,4; 1,8,4; nics=8, leaves=2)"}) {
    const Topology topology = make_topology(notation);
    EXPECT_EQ(search_bisection(topology.fabric).links, formula(topology)->links) << notation;
  }
}

TEST(Bisection, SearchDoesNotDependOnTheNumberOfThreads) {
  const Fabric fabric = broken(make_topology("Dragonfly(2,4,2)").fabric, 10, 1);
  EXPECT_EQ(search_bisection(fabric, {1, 1}), search_bisection(fabric, {1, 5}));
}

}  // namespace
}  // namespace banyan::tests
