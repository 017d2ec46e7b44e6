// PolarFly (Lakhotia et al., SC 2022): the polarity graph over a prime power.
#include <fmt/format.h>

#include <cmath>

#include "base/finite_field.hpp"
#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
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

// One path of at most two hops joins any two switches. The mean over all cuts into halves bounds the best
// one from above. The eigenvalues bound it from below: with a loop at each quadric they are q + 1 and
// +-sqrt(q), so that n switches in halves have at least n (q + 1 - sqrt(q)) / 4 cables between them. The
// switches are odd in number: one more on one side takes 1 / n^2 of that, and the hosts of one are parted.
GraphShape::Known polar_fly_facts(const PolarGraph& graph, double q, u32 hosts) {
  const double switches = graph.points(), cables = static_cast<double>(graph.edges.size());
  GraphShape::Known out;
  out.distances.diameter = 4;
  out.distances.average = 2 + (2 * (switches - 1) - 2 * cables / switches) * hosts / (switches * hosts - 1);
  out.distances.shortest_paths_max = 1;
  out.cut = static_cast<u64>(cables / 2 * (switches + 1) / switches) + hosts / 2;
  const double gap = q + 1 - std::sqrt(q);
  out.least = static_cast<u64>(std::ceil(gap * (switches - 1 / switches) / 4 - 1e-6)) + hosts / 2;
  return out;
}

FamilyResult polar_fly(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "q") : std::vector<u32>();
  if (v.size() != 1) n.fail("expected a prime power: PolarFly(q)");
  const u64 q = v[0];
  if (!as_prime_power(v[0])) n.fail(fmt::format("q must be a prime power, found {}", q));
  GraphShape shape = read_graph(n, fmt::format("PolarFly({}", q), {q * q + q + 1, q + 1, (q + 2) / 2});
  PolarGraph graph(v[0]);
  shape.known = polar_fly_facts(graph, v[0], shape.hosts_per_switch);
  shape.groups = racks(graph);
  shape.edges = std::move(graph.edges);
  return shape;
}

void propose_polar_fly(const Proposals& out) {
  constexpr std::size_t max_searched = 1 << 18;  // cables: there are few of these graphs
  const SizeDemand& demand = out.demand();
  for (u32 q = 2; q + 1 < demand.ports; ++q) {
    const u64 switches = u64{q} * q + q + 1, hosts = (demand.hosts + switches - 1) / switches;
    if (!as_prime_power(q) || hosts + q + 1 > demand.ports || switches * hosts > demand.hosts_at_most)
      continue;
    if (!demand.fills(1, static_cast<double>(hosts + q + 1), static_cast<double>(hosts))) continue;
    const Notation notation = parse_notation(fmt::format("PolarFly({}; hosts={})", q, hosts));
    GraphShape shape = std::get<GraphShape>(std::get<Shape>(polar_fly(notation).what));
    shape.known.cut = searched_cut(shape, shape.known.cut, max_searched);
    out.add(std::move(shape), demand.rails);
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
