#include "topology/random_graph.hpp"

#include <algorithm>
#include <cmath>

namespace banyan::topology {
namespace {

// Distances that are to be expected between random switches. Of u switches that are not reached yet, each of
// the r ports leads to one of the f at the border with the probability that a random free end is one of
// theirs.
Distances expected_distances(u32 switches, u32 degree, u32 hosts) {
  const double n = switches, r = degree;
  double unreached = n - 1 - r, border = r, hops = r;
  u32 farthest = 1;
  while (n * unreached > 1 && farthest < 64) {  // pairs, each from both ends: less than half a pair is left
    ++farthest;
    const double ends = (r - 1) * border, met = std::min(1.0, ends / (ends + r * unreached));
    const double next = unreached * std::pow(1 - met, r);
    border = unreached - next;
    hops += farthest * border;
    unreached = next;
  }
  Distances out;
  const double total = n * hosts;
  out.diameter = 2 + farthest;
  out.average = 2 + (hops + farthest * unreached) * hosts / (total - 1);
  return out;
}

// Cables that halve a random graph of n switches of degree r: n (r / 4 - 0.3816 sqrt(r)) for large n and r
// (Dembo, Montanari and Sen, Extremal Cuts of Sparse Random Graphs, 2017, with P* = 0.7632); where r is not
// small against n, the number of cables between two sets varies less, by sqrt(1 - r / n). Where n is odd,
// one switch is cut through its hosts.
u64 expected_bisection(u32 switches, u32 degree, u32 hosts) {
  const double n = switches, r = degree, cut = n * (r / 4 - 0.3816 * std::sqrt(r * (1 - r / n)));
  return static_cast<u64>(std::max(1.0, std::round(cut + (switches % 2) * (hosts / 2))));
}

}  // namespace

Outline random_outline(std::string notation, u32 switches, u32 degree, u32 hosts) {
  Outline out;
  out.notation = std::move(notation);
  out.hosts = switches * hosts;
  out.switches = out.leaves = switches;
  out.links = out.hosts + u64{switches} * degree / 2;
  out.widest_switch = hosts + degree;
  out.grows_to = out.hosts;  // a switch takes the place of cables
  out.distances = expected_distances(switches, degree, hosts);
  out.distances_exact = false;
  out.bisection.links = expected_bisection(switches, degree, hosts);
  out.cuts.push_back({hosts, degree});
  return out;
}

}  // namespace banyan::topology
