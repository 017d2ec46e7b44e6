#include "engines/destination_order.hpp"

#include <algorithm>
#include <numeric>

namespace banyan::engines {
namespace {

// 0 to width - 1; an even width: every number of the order of half of it, each followed by its opposite.
std::vector<u32> spread_ring(u32 width) {
  std::vector<u32> out;
  if (width % 2 == 0) {
    for (const u32 x : spread_ring(width / 2)) out.insert(out.end(), {x, x + width / 2});
    return out;
  }
  u32 step = std::max(1u, static_cast<u32>(width * 0.618));
  while (std::gcd(step, width) != 1) ++step;
  for (u32 i = 0; i < width; ++i) out.push_back(static_cast<u32>(u64{i} * step % width));
  return out;
}

// By switch of a plane: its place in the order of a torus.
std::vector<u64> spread_grid(const Grid& grid) {
  std::vector<u64> place(grid.size());
  u64 stride = 1;
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const std::vector<u32> order = spread_ring(grid.widths[d]);
    std::vector<u32> rank(order.size());
    for (u32 i = 0; i < order.size(); ++i) rank[order[i]] = i;
    for (u32 v = 0; v < place.size(); ++v) place[v] += stride * rank[grid.coordinate(v, d)];
    stride *= grid.widths[d];
  }
  return place;
}

std::vector<Turn> in_rounds(const std::vector<Turn>& groups) {
  std::vector<Turn> out;
  u32 rounds = 0;
  for (const Turn& turn : groups) rounds = std::max(rounds, turn.last);
  for (u32 i = 0; i < rounds; ++i)
    for (const Turn& turn : groups)
      if (i < turn.last) out.push_back({turn.group, i, i + 1});
  return out;
}

const Torus* torus_of(const Topology& topology) {
  const auto* torus = std::get_if<Torus>(&topology.shape);
  return torus && torus->wraps ? torus : nullptr;
}

}  // namespace

PortGraph spread_graph(const Topology& topology) {
  const Fabric& fabric = topology.fabric;
  PortGraph out(fabric);
  const Torus* torus = torus_of(topology);
  if (!torus) return out;
  const Grid& grid = torus->grid;
  const auto place = [&](Node node) { return index(out.number(node)) % static_cast<u32>(grid.size()); };
  out.sort_ways([&](Channel c) {
    const u32 from = place(fabric.from(c)), to = place(fabric.to(c));
    for (u32 d = 0; d < grid.dimensions(); ++d)
      if (const u32 own = grid.coordinate(from, d), far = grid.coordinate(to, d); own != far)
        return 2 * d + (far != (own + 1) % grid.widths[d]);
    return 2 * grid.dimensions();
  });
  return out;
}

std::vector<Turn> destination_order(const Topology& topology, const PortGraph& graph) {
  std::vector<Turn> out;
  for (u32 group = 0; group < graph.groups().size(); ++group)
    out.push_back({group, 0, static_cast<u32>(graph.groups()[group].nics.size())});
  const Torus* torus = torus_of(topology);
  if (!torus) return out;
  const std::vector<u64> place = spread_grid(torus->grid);
  std::ranges::stable_sort(out, {}, [&](const Turn& turn) {
    return place[index(graph.groups()[turn.group].roots.front()) % place.size()];
  });
  return in_rounds(out);
}

}  // namespace banyan::engines
