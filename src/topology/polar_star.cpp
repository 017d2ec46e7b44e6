// PolarStar (Lakhotia et al., SPAA 2024) with Paley supernodes: the star product of the polarity graph over q
// and the Paley graph over p, of diameter 3. Loops of the polarity graph give no cables here.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/finite_field.hpp"
#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
#include "topology/polar_graph.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

// Switch i of supernode x has the number x p + i. Switches of a supernode are neighbours where their
// difference is a square. A cable of the polarity graph becomes p of them, from i to i times a non-square.
void list_polar_star(u32 p, const PolarGraph& graph, GraphShape& shape) {
  const FiniteField field(p);
  std::vector<bool> is_square(p);
  for (u32 i = 0; i < p - 1; i += 2) is_square[field.power(i)] = true;
  for (u32 x = 0; x < graph.points(); ++x)
    for (u32 a = 0; a < p; ++a)
      for (u32 b = a + 1; b < p; ++b)
        if (is_square[field.subtract(a, b)]) shape.edges.push_back({x * p + a, x * p + b});
  for (const auto& [x, y] : graph.edges)
    for (u32 a = 0; a < p; ++a) shape.edges.push_back({x * p + a, y * p + field.multiply(a, field.power(1))});
  for (u32 s = 0; s < shape.switches(); ++s) shape.groups[s] = s / p;
}

FamilyResult polar_star(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "q,p") : std::vector<u32>();
  if (v.size() != 2) n.fail("expected two prime powers: PolarStar(q,p)");
  const u64 q = v[0], p = v[1];
  if (!as_prime_power(v[0])) n.fail(fmt::format("q must be a prime power, found {}", q));
  if (!as_prime_power(v[1]) || p % 4 != 1)
    n.fail(fmt::format("p must be a prime power of the form 4 w + 1, found {}", p));
  const u64 degree = q + 1 + (p - 1) / 2;
  const u64 points = saturating_add(saturating_multiply(q, q), q + 1);
  GraphShape shape = read_graph(n, fmt::format("PolarStar({},{}", q, p),
                                {saturating_multiply(points, p), degree, (degree + 1) / 2});
  list_polar_star(v[1], PolarGraph(v[0]), shape);
  return shape;
}

// Hops between all switches. Within a supernode they are 1 where the difference is a square and 2 otherwise.
// A way over one or two cables of the polarity graph ends at one switch of the other supernode. A step within
// a supernode before or after such a cable leads to all others there: the cable turns squares into
// non-squares. Two points that are no neighbours have one common neighbour.
HopSum polar_star_hops(u64 q, u64 p) {
  const u64 points = q * q + q + 1, neighbours = q * (q + 1) * (q + 1),
            far = points * (points - 1) - neighbours;
  return {p * (points * ((p - 1) / 2 + (p - 1)) + neighbours * (1 + 2 * (p - 1)) + far * (2 + 3 * (p - 1))),
          3};
}

void propose_polar_star(const Proposals& out) {
  constexpr u64 max_switches = 8192;  // whose cables are listed
  const SizeDemand& demand = out.demand();
  for (u32 q = 2; q + 3 < demand.ports; ++q)
    for (u32 p = 5; as_prime_power(q) && q + 1 + (p - 1) / 2 < demand.ports; p += 4) {
      const u64 switches = (u64{q} * q + q + 1) * p, hosts = (demand.hosts + switches - 1) / switches;
      const u64 ports = hosts + q + 1 + (p - 1) / 2;
      if (!as_prime_power(p) || switches > max_switches || ports > demand.ports ||
          switches * hosts > demand.hosts_at_most ||
          !demand.fills(1, static_cast<double>(ports), static_cast<double>(hosts)))
        continue;
      const Notation notation = parse_notation(fmt::format("PolarStar({},{}; hosts={})", q, p, hosts));
      GraphShape shape = std::get<GraphShape>(std::get<Shape>(polar_star(notation).what));
      const HopSum hops = polar_star_hops(q, p);
      shape.known.distances = distances_by(hops, shape.switches(), shape.hosts_per_switch);
      std::vector<u32> order(shape.switches());
      std::iota(order.begin(), order.end(), 0u);
      shape.known.cut = searched_cut(shape, std::min(mean_cut(shape), cut_in_order(shape, order)));
      Outline found = outline(std::move(shape), demand.rails, demand.ports);
      found.far_permutation = has_far_permutation(switches, ports - hosts, hops.farthest);
      out.add(std::move(found));
    }
}

}  // namespace

Family polar_star_family() {
  return {"PolarStar",
          "PolarStar(q,p; hosts=T)",
          "PolarStar(2,5)",
          "(q^2 + q + 1) p switches of diameter 3 and degree q + 1 + (p - 1) / 2, for prime powers q and p = "
          "4 w + 1",
          "Lakhotia et al., SPAA 2024",
          polar_star,
          propose_polar_star};
}

}  // namespace banyan::topology
