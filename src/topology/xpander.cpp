// Xpander (Valadarsky et al., CoNEXT 2016): a random lift of the complete graph. The switches stand in d + 1
// groups of k, and every two groups are joined by a random one-to-one cabling.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/random_graph.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

// Cables between the switches of d + 1 groups, in order of the groups.
std::vector<std::pair<u32, u32>> random_lift(u32 degree, u32 size, u64 seed) {
  Random random(seed);
  std::vector<std::pair<u32, u32>> out;
  std::vector<u32> to(size);
  for (u32 a = 0; a < degree + 1; ++a)
    for (u32 b = a + 1; b < degree + 1; ++b) {
      std::iota(to.begin(), to.end(), 0u);
      random.shuffle(std::span(to));
      for (u32 i = 0; i < size; ++i) out.emplace_back(a * size + i, b * size + to[i]);
    }
  return out;
}

// The distances of the fabric itself, where it is small enough for a search from every switch and has a way
// between any two: few cables a switch make luck count.
void search_distances(u32 degree, u32 size, u32 hosts, Distances& out) {
  constexpr u64 max_steps = u64{1} << 20;
  const u32 switches = (degree + 1) * size;
  if (u64{switches} * switches * degree > max_steps) return;
  std::vector<std::vector<u32>> near(switches);
  for (const auto& [a, b] : random_lift(degree, size, 1)) near[a].push_back(b), near[b].push_back(a);
  u64 hops = 0;
  u32 farthest = 0;
  for (u32 start = 0; start < switches; ++start) {
    std::vector<u32> distance(switches, ~u32{0}), queue = {start};
    distance[start] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const u32 next : near[queue[i]])
        if (distance[next] == ~u32{0}) {
          distance[next] = distance[queue[i]] + 1;
          queue.push_back(next);
        }
    if (queue.size() < switches) return;
    for (const u32 each : distance) hops += each;
    farthest = std::max(farthest, distance[queue.back()]);
  }
  const double n = switches, total = n * hosts;
  out.diameter = 2 + farthest;
  out.average = 2 + static_cast<double>(hops) / n * hosts / (total - 1);
}

FamilyResult xpander(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "d,k") : std::vector<u32>();
  if (v.size() != 2) n.fail("expected the degree and the switches of a group: Xpander(d,k)");
  const u32 degree = v[0], size = v[1], seed = n.number("seed", 1, 0);
  GraphShape shape = read_graph(n, fmt::format("Xpander({},{}", degree, size),
                                {(u64{degree} + 1) * size, degree, (u64{degree} + 1) / 2}, {"seed"});
  if (seed != 1) shape.options = fmt::format("seed={}", seed);
  for (const auto& [a, b] : random_lift(degree, size, seed)) shape.edges.push_back({a, b});
  for (u32 s = 0; s < shape.switches(); ++s) shape.groups[s] = s / size;
  return shape;
}

// All ports are used.
void propose_xpander(const Proposals& out) {
  const SizeDemand& demand = out.demand();
  if (demand.rails != 1) return;
  for (u32 hosts = 1; hosts + 2 < demand.ports; ++hosts) {
    const u32 degree = demand.ports - hosts;
    const u64 of_layer = (u64{degree} + 1) * hosts;
    const u64 size = std::max<u64>(2, (demand.hosts + of_layer - 1) / of_layer);  // of 1 it is a full mesh
    if (size * of_layer > demand.hosts_at_most) continue;
    Outline outline = random_outline(fmt::format("Xpander({},{}; hosts={})", degree, size, hosts),
                                     static_cast<u32>((degree + 1) * size), degree, hosts);
    search_distances(degree, static_cast<u32>(size), hosts, outline.distances);
    out.add(outline);
  }
}

}  // namespace

Family xpander_family() {
  return {"Xpander",
          "Xpander(d,k; hosts=T, seed=S)",
          "Xpander(4,3)",
          "d + 1 groups of k switches; every two groups are joined one to one at random",
          "Valadarsky et al., CoNEXT 2016",
          xpander,
          propose_xpander};
}

}  // namespace banyan::topology
