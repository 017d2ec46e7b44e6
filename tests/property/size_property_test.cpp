// What sizing proposes, for random machines: a notation that every verb takes, and formulas that hold for the
// fabric it makes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>

#include "ask/describe.hpp"
#include "ask/size.hpp"
#include "size/designs.hpp"
#include "study/prices.hpp"
#include "support/random_topology.hpp"
#include "support/sized.hpp"
#include "support/small_trees.hpp"

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

// What `describe` says otherwise of the fabric that the notation makes; empty: nothing.
std::string difference(const Proposed& proposed) {
  const Outline& o = proposed.outline;
  const Topology topology = make_topology(o.notation);
  const Fabric& fabric = topology.fabric;
  std::string out;
  const auto compare = [&](std::string_view what, const auto& described, const auto& formula) {
    if (described != formula) out += fmt::format("{}: {}, by formula {}; ", what, described, formula);
  };
  compare("remark", topology.remark, std::string());
  compare("notation", canonical_notation(topology), o.notation);
  compare("hosts", fabric.hosts(), o.hosts);
  compare("rails", fabric.columns(), o.rails);
  compare("switches", fabric.switches(), o.switches);
  compare("links", fabric.links(), o.links);
  if (fabric.links() > 1'500 && !o.bisection.exact) return out;  // a search takes long
  const Properties found = ask::describe({.topology = topology}, {});
  compare("ports", found.switch_ports_max, o.widest_switch);
  if (!o.distances_exact) {  // expected values of a random fabric
    const int off = static_cast<int>(found.distances.diameter) - static_cast<int>(o.distances.diameter);
    compare("diameter within one", std::abs(off) <= 1, true);
    compare("mean distance within 5 %",
            std::abs(found.distances.average - o.distances.average) < 0.05 * o.distances.average, true);
    return out;
  }
  compare("diameter", found.distances.diameter, o.distances.diameter);
  if (!(std::abs(found.distances.average - o.distances.average) < 1e-9))
    compare("mean distance", found.distances.average, o.distances.average);
  if (o.distances.shortest_paths_max > 0)
    compare("shortest paths", found.distances.shortest_paths_max, o.distances.shortest_paths_max);
  compare("exact bisection", found.bisection.exact, o.bisection.exact);
  if (o.bisection.exact) compare("bisection", found.bisection.links, o.bisection.links);
  return out;
}

RC_GTEST_PROP(Size, ProposalsAreWhatDescribeSays, ()) {
  const SizeDemand demand = random_machine();
  const std::vector<Proposed> all = all_proposals(demand, random_family());
  if (all.empty()) return;
  for (u32 i = 0; i < 2; ++i) {
    const Proposed& each = all[draw(0, static_cast<u32>(all.size()) - 1)];
    RC_LOG() << each.outline.notation << '\n';
    RC_ASSERT(difference(each) == "");
  }
}

// Machines of up to 4,096 hosts: of the candidates of a few, every twentieth is compared. With
// BANYAN_EVERY_CANDIDATE=N it is every N-th of a wide list; 1 is all of them, some 13 CPU minutes. N,K begins
// with the K-th, counted from 0, so that several processes can share the list.
TEST(Size, CandidatesOfManyMachinesAreWhatDescribeSays) {
  using List = std::vector<u32>;
  const char* given = std::getenv("BANYAN_EVERY_CANDIDATE");
  const u64 step = static_cast<u64>(std::max(1, given ? std::atoi(given) : 20));
  const char* comma = given ? std::strchr(given, ',') : nullptr;
  const u64 first = comma ? static_cast<u64>(std::max(0, std::atoi(comma + 1))) % step : 0;
  const List few{8, 40, 250, 1024}, many{1, 8, 40, 100, 250, 512, 1000, 1024, 2000, 2048, 4000, 4096};
  u64 number = 0, compared = 0;
  std::set<std::string> seen;  // machines of about the same size share candidates
  for (const u32 hosts : given ? many : few)
    for (const u32 ports : given ? List{8, 16, 24, 36, 40, 48, 64, 128} : List{16, 36})
      for (const u32 rails : given ? List{1, 2, 4, 8} : List{1, 4})
        for (const Proposed& each : all_proposals({.hosts = hosts,
                                    .ports = ports,
                                    .rails = rails,
                                    .hosts_at_most = std::min(4096U, hosts + hosts / 4),
                                    .fill = 0.8,
                                    .host_ports = 0.1,
                                    .taper = 2})) {
          if (!seen.insert(each.outline.notation).second || number++ % step != first) continue;
          ++compared;
          EXPECT_EQ(difference(each), "") << each.outline.notation;
        }
  EXPECT_GT(compared, 20U);
  std::cout << compared << " of " << number << " candidates compared\n";
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
    RC_ASSERT(found.bisection.links >= o.proved_cut);
  }
}

// Of small machines: the fewest switches of all trees, by brute force.
RC_GTEST_PROP(Size, NoTreeHasFewerSwitches, ()) {
  const u32 hosts = draw(2, 60), ports = draw(4, 9), taper = draw(1, 4);
  const double fill = 0.1 * draw(0, 8), least_bisection = 0.05 * draw(1, 20);
  const SizeDemand demand{.hosts = hosts,
                          .ports = ports,
                          .hosts_at_most = hosts + hosts / 4,
                          .fill = fill,
                          .host_ports = 0.05,
                          .taper = taper};
  const auto is_within = [&](const Outline& o) {
    return 2.0 * static_cast<double>(o.proved_cut) >= least_bisection * o.hosts - 1e-9;
  };
  u32 fewest = ~0U, of_size = ~0U;
  std::string which;
  for (u32 levels = 1; levels <= 3; ++levels)
    each_tree({ports, levels, demand.hosts_at_most, taper}, [&](const Pgft& tree) {
      Outline o = topology::outline(tree, 1, ports);
      if (!is_within(o) || o.switches >= fewest) return;
      const u32 switches = o.switches;
      const std::string notation = o.notation;
      if (Proposals(demand, [](Outline&&) {}).add(std::move(o))) fewest = switches, which = notation;
    });
  for (const Proposed& each : all_proposals(demand, "PGFT"))
    if (is_within(each.outline) && std::get<Pgft>(each.outline.shape).h() <= 3)
      of_size = std::min(of_size, each.outline.switches);
  RC_LOG() << hosts << " hosts, " << ports << " ports, taper " << taper << ": " << which << '\n';
  RC_ASSERT(of_size == fewest);
}

// What is listed keeps the least bisection, and has the switches and cables that `describe` counts.
RC_GTEST_PROP(Size, ListedCandidatesAreWhatDescribeSays, ()) {
  ask::SizeOptions options;
  options.hosts = draw(2, 120), options.ports = draw(4, 20), options.taper = draw(1, 3), options.limit = 2;
  options.limits.least_bisection = 0.05 * draw(1, 20);
  const std::string family(random_family());
  for (const auto& c : ask::size(options, {family}, open_prices("")).candidates) {
    RC_LOG() << c.fabric << '\n';
    const Properties found = properties(make_topology(c.fabric));
    RC_ASSERT(found.bisection_ratio >= options.limits.least_bisection - 1e-9);
    RC_ASSERT(found.switches == c.switches);
    RC_ASSERT(found.links == c.links);
  }
}

}  // namespace
}  // namespace banyan::tests
