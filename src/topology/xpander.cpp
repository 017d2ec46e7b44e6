// Xpander (Valadarsky et al., CoNEXT 2016): a random lift of the complete graph. The switches stand in d + 1
// groups of k, and every two groups are joined by a random one-to-one cabling.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/random_graph.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

FamilyResult xpander(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "d,k") : std::vector<u32>();
  if (v.size() != 2) n.fail("expected the degree and the switches of a group: Xpander(d,k)");
  const u32 degree = v[0], size = v[1], seed = n.number("seed", 1, 0);
  GraphShape shape = read_graph(n, fmt::format("Xpander({},{}", degree, size),
                                {(u64{degree} + 1) * size, degree, (u64{degree} + 1) / 2}, {"seed"});
  if (seed != 1) shape.options = fmt::format("seed={}", seed);
  Random random(seed);
  std::vector<u32> to(size);
  for (u32 a = 0; a < degree + 1; ++a)
    for (u32 b = a + 1; b < degree + 1; ++b) {
      std::iota(to.begin(), to.end(), 0u);
      random.shuffle(std::span(to));
      for (u32 i = 0; i < size; ++i) shape.edges.push_back({a * size + i, b * size + to[i]});
    }
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
    out.add(random_outline(fmt::format("Xpander({},{}; hosts={})", degree, size, hosts),
                           static_cast<u32>((degree + 1) * size), degree, hosts));
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
