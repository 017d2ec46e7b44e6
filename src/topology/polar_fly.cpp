// PolarFly (Lakhotia et al., SC 2022): the polarity graph over a prime power.
#include <fmt/format.h>

#include <cmath>

#include "base/finite_field.hpp"
#include "topology/family.hpp"
#include "topology/polar_graph.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

// Racks as the paper has them: quadrics in one, and one for each neighbour of a quadric, with that
// neighbour's neighbours. Two points have one common neighbour, so every point has its rack.
std::vector<u32> racks(const PolarGraph& graph) {
  std::vector<u32> rack(graph.points(), 0);
  std::vector<std::vector<u32>> next(graph.points());
  for (const auto& [a, b] : graph.edges) next[a].push_back(b), next[b].push_back(a);
  u32 center = 0, count = 0;
  while (!graph.is_quadric[center]) ++center;
  for (const u32 head : next[center]) {
    ++count;
    if (!graph.is_quadric[head]) rack[head] = count;
    for (const u32 member : next[head])
      if (member != center && !graph.is_quadric[member]) rack[member] = count;
  }
  return rack;
}

FamilyResult polar_fly(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "q") : std::vector<u32>();
  if (v.size() != 1) n.fail("expected a prime power: PolarFly(q)");
  const u64 q = v[0];
  if (!as_prime_power(v[0])) n.fail(fmt::format("q must be a prime power, found {}", q));
  GraphShape shape = read_graph(n, fmt::format("PolarFly({}", q), {q * q + q + 1, q + 1, (q + 2) / 2});
  PolarGraph graph(v[0]);
  shape.groups = racks(graph);
  shape.edges = std::move(graph.edges);
  return shape;
}

// The q + 1 quadrics have a cable less than the others. Bisection by the second eigenvalue, the root of q.
void propose_polar_fly(const Proposals& out) {
  const SizeDemand& demand = out.demand();
  if (demand.rails > 1) return;
  for (u32 q = 2; q + 1 < demand.ports; ++q) {
    if (!as_prime_power(q)) continue;
    const u32 switches = q * q + q + 1, hosts = (demand.hosts + switches - 1) / switches;
    if (hosts + q + 1 > demand.ports) continue;
    const u64 cables = u64{q} * (q + 1) * (q + 1) / 2;
    Outline found;
    found.notation = fmt::format("PolarFly({}; hosts={})", q, hosts);
    found.hosts = found.grows_to = switches * hosts;
    found.switches = found.leaves = switches;
    found.links = found.hosts + cables;
    found.widest_switch = hosts + q + 1;
    found.distances.diameter = 4;
    found.distances.average = 2 + (2.0 * (switches - 1) - 2.0 * static_cast<double>(cables) / switches) *
                                      hosts / (found.hosts - 1.0);
    found.distances.shortest_paths_max = 1;
    found.far_permutation = true;
    found.bisection.links = static_cast<u64>(std::ceil(switches / 4.0 * (q + 1 - std::sqrt(q))));
    found.cuts.push_back({hosts, q});
    out.add(std::move(found));
  }
}

}  // namespace

Family polar_fly_family() {
  return {"PolarFly",
          "PolarFly(q; hosts=T)",
          "PolarFly(3)",
          "q^2 + q + 1 switches of diameter 2 and degree q + 1 for a prime power q",
          "Lakhotia et al., SC 2022",
          polar_fly,
          propose_polar_fly};
}

}  // namespace banyan::topology
