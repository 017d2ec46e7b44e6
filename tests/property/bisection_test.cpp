// Bisection: the formulas and the search against all cuts of small fabrics, and the two against each other.
#include "topology/bisection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "support/random_topology.hpp"

namespace banyan {
namespace {

constexpr u32 most_switches = 14;

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
  u32 free = 0;
  for (const Attached& host : hosts) {
    const u32 inside = host.switches & mask;
    if (inside != 0 && inside != host.switches) return std::nullopt;
    if (host.switches == 0)
      ++free;
    else
      cables[inside != 0].push_back(host.cables);
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

Topology small_topology() {
  for (;;)
    if (Topology topology = random_topology();
        topology.fabric.switches() <= most_switches && topology.fabric.hosts() > 1)
      return topology;
}

RC_GTEST_PROP(Bisection, FormulaEqualsTheBestOfAllCuts, ()) {
  const Topology topology = small_topology();
  const auto found = formula(topology);
  if (!found || !found->exact) RC_DISCARD("no formula");
  RC_LOG() << canonical_notation(topology) << '\n';
  RC_ASSERT(found->links == exhaustive_bisection(topology.fabric));
}

RC_GTEST_PROP(Bisection, SearchFindsNoLessThanTheBestOfAllCuts, ()) {
  const Fabric fabric = broken(small_topology().fabric, draw(0, 20), draw(0, 1000));
  RC_ASSERT(search_bisection(fabric, {1, 1}).links >= exhaustive_bisection(fabric));
}

TEST(Bisection, SearchMostlyFindsTheBestOfAllCuts) {
  u32 tried = 0, missed = 0;
  EXPECT_TRUE(rc::check([&] {
    const Topology topology = small_topology();
    const Fabric fabric = broken(topology.fabric, draw(0, 20), draw(0, 1000));
    ++tried;
    missed += search_bisection(fabric, {1, 1}).links != exhaustive_bisection(fabric);
  }));
  EXPECT_LE(missed * 50, tried) << missed << " of " << tried;
  std::cout << missed << " of " << tried << " missed\n";
}

}  // namespace
}  // namespace banyan
