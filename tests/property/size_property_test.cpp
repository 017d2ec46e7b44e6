// What sizing proposes, for random machines: a notation that every verb takes, and formulas that hold for the
// fabric it makes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "ask/describe.hpp"
#include "size/designs.hpp"
#include "support/random_topology.hpp"
#include "support/sized.hpp"

namespace banyan::tests {
namespace {

// Up to 4,096 hosts, small ones as often as large ones.
SizeDemand random_machine() {
  const u32 hosts = draw(1, 1U << draw(2, 12));
  return {.hosts = hosts,
          .ports = draw(4, 1U << draw(3, 6)),
          .rails = draw(0, 2) == 0 ? draw(2, 8) : 1,
          .hosts_at_most = hosts + hosts / 4,
          .fill = 0.8,
          .host_ports = 0.1,
          .taper = draw(1, 3)};
}

std::string_view random_family() {
  const std::vector<std::string_view> names = proposing_families();
  return names[draw(0, static_cast<u32>(names.size()) - 1)];
}

// As `describe` would, of the fabric that the notation makes.
void expect_described(const Proposed& proposed) {
  const Outline& o = proposed.outline;
  const Topology topology = make_topology(o.notation);
  const Fabric& fabric = topology.fabric;
  RC_ASSERT(topology.remark.empty());
  RC_ASSERT(canonical_notation(topology) == o.notation);
  RC_ASSERT(fabric.hosts() == o.hosts);
  RC_ASSERT(fabric.rails() == o.rails);
  RC_ASSERT(fabric.switches() == o.switches);
  RC_ASSERT(fabric.links() == o.links);
  if (fabric.links() > 1'500 && !o.bisection.exact) return;  // a search takes long
  const Properties found = ask::describe({.topology = topology}, {});
  RC_ASSERT(found.switch_ports_max == o.widest_switch);
  if (!o.distances_exact) {  // expected values of a random fabric
    RC_ASSERT(std::abs(static_cast<int>(found.distances.diameter) - static_cast<int>(o.distances.diameter)) <=
              1);
    RC_ASSERT(std::abs(found.distances.average - o.distances.average) < 0.05 * o.distances.average);
    return;
  }
  RC_ASSERT(found.distances.diameter == o.distances.diameter);
  RC_ASSERT(std::abs(found.distances.average - o.distances.average) < 1e-9);
  if (o.distances.shortest_paths_max > 0)
    RC_ASSERT(found.distances.shortest_paths_max == o.distances.shortest_paths_max);
  RC_ASSERT(found.bisection.exact == o.bisection.exact);
  if (o.bisection.exact) RC_ASSERT(found.bisection.links == o.bisection.links);
}

RC_GTEST_PROP(Size, ProposalsAreWhatDescribeSays, ()) {
  const SizeDemand demand = random_machine();
  const std::vector<Proposed> all = all_proposals(demand, random_family());
  if (all.empty()) return;
  for (u32 i = 0; i < 2; ++i) {
    const Proposed& each = all[draw(0, static_cast<u32>(all.size()) - 1)];
    RC_LOG() << each.outline.notation << '\n';
    expect_described(each);
  }
}

// Whatever a formula calls a cut parts that many hosts from the others when those cables go: so no search may
// find the bisection of a shape above it, but for its luck.
RC_GTEST_PROP(Size, CutsOfProposalsAreNoWorseThanASearchFinds, ()) {
  SizeDemand demand = random_machine();
  demand.hosts = 1 + demand.hosts % 200;
  demand.hosts_at_most = 2 * demand.hosts;
  std::vector<Proposed> all = all_proposals(demand, random_family());
  std::erase_if(all, [](const Proposed& each) {
    return each.outline.bisection.exact || !each.outline.distances_exact;
  });
  if (all.empty()) return;
  for (u32 i = 0; i < 2; ++i) {
    const Outline& o = all[draw(0, static_cast<u32>(all.size()) - 1)].outline;
    RC_LOG() << o.notation << '\n';
    const Topology topology = make_topology(o.notation);
    const Properties found = ask::describe({.topology = topology}, {});
    RC_LOG() << "search " << found.bisection.links << ", formula " << o.bisection.links << '\n';
    RC_ASSERT(found.bisection.links <= o.bisection.links);
  }
}

}  // namespace
}  // namespace banyan::tests
