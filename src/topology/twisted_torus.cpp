// Twisted tori (Camara et al., IEEE TPDS 2010): the rings of all dimensions but the first end one twist
// further along the first. With widths 2k x k and a twist of k, distances are shorter and links are used
// evenly.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "topology/family.hpp"
#include "topology/listed_hops.hpp"
#include "topology/proposals.hpp"
#include "topology/shape_links.hpp"
#include "topology/torus.hpp"

namespace banyan::topology {
namespace {

FamilyResult twisted_torus(const Notation& n) {
  const std::string_view expected = "the widths of two or more dimensions, the longest first: 8x4";
  const auto widths = n.groups.size() == 1 ? n.numbers(0, expected) : std::vector<u32>();
  if (widths.size() < 2 || widths.size() > 16) n.fail(fmt::format("expected {}", expected));
  if (std::any_of(widths.begin(), widths.end(), [](u32 k) { return k < 2; }))
    n.fail("every dimension must have a width of at least 2");
  u64 switches = 1;
  for (const u32 width : widths) switches = saturating_multiply(switches, width);
  const u32 twist = n.number("twist", widths[0] / 2, 0);
  GraphShape shape = read_graph(n, fmt::format("TwistedTorus({}", join(widths, "x")),
                                {switches, 2 * widths.size(), 1}, {"twist"});
  if (twist != widths[0] / 2) shape.options = fmt::format("twist={}", twist);
  const Grid grid{widths};
  for (u32 d = 0; d < grid.dimensions(); ++d)
    for (u32 s = 0; s < grid.size(); ++s) {
      const u32 own = grid.coordinate(s, d);
      u32 to = grid.moved(s, d, (own + 1) % widths[d]);
      if (d > 0 && own + 1 == widths[d]) to = grid.moved(to, 0, (grid.coordinate(to, 0) + twist) % widths[0]);
      if (s != to) shape.edges.push_back({std::min(s, to), std::max(s, to)});
    }
  std::sort(shape.edges.begin(), shape.edges.end());
  shape.edges.erase(std::unique(shape.edges.begin(), shape.edges.end()), shape.edges.end());
  const u32 last = grid.dimensions() - 1;
  for (u32 s = 0; s < grid.size(); ++s) shape.groups[s] = grid.coordinate(s, last);
  return shape;
}

// The widths and twists that are published: 2k x k, and 2k x k x k twisted in both dimensions, by k. Seen
// from any switch they look alike, so one search finds all distances, and a shift sends every switch as far
// as any.
void propose_twisted_torus(const Proposals& out) {
  constexpr u64 max_switches = 1 << 16;  // whose cables are listed
  const SizeDemand& demand = out.demand();
  for (const u32 dimensions : {2u, 3u})
    for (u32 k = 2;; ++k) {
      const u64 switches = 2 * u64{k} * k * (dimensions == 3 ? k : 1);
      if (switches > std::min<u64>(max_switches, demand.hosts_at_most)) break;
      const u64 hosts = (demand.hosts + switches - 1) / switches;
      const u64 ports = hosts + 2 * dimensions - (k == 2 ? dimensions - 1 : 0);  // two cables may be one
      if (ports > demand.ports || switches * hosts > demand.hosts_at_most ||
          !demand.fills(1, static_cast<double>(hosts) + 2 * dimensions, static_cast<double>(hosts)))
        continue;
      const std::string widths =
          fmt::format("{}x{}{}", 2 * k, k, dimensions == 3 ? fmt::format("x{}", k) : "");
      const Notation notation = parse_notation(fmt::format("TwistedTorus({}; hosts={})", widths, hosts));
      GraphShape shape = std::get<GraphShape>(std::get<Shape>(twisted_torus(notation).what));
      const u32 first = 0;
      HopSum hops = ListedHops(shape).from({&first, 1});
      hops.sum *= switches;
      std::vector<u32> order(shape.switches());
      std::iota(order.begin(), order.end(), 0u);
      shape.known = {distances_by(hops, shape.switches(), shape.hosts_per_switch),
                     searched_cut(shape, std::min(mean_cut(shape), cut_in_order(shape, order)))};
      out.add(std::move(shape), demand.rails);
    }
}

}  // namespace

Family twisted_torus_family() {
  return {
      "TwistedTorus",
      "TwistedTorus(k_1xk_2x...; hosts=T, twist=W)",
      "TwistedTorus(8x4)",
      "a torus whose rings in all dimensions but the first are shifted by W along the first where they close",
      "Camara et al., IEEE TPDS 2010",
      twisted_torus,
      propose_twisted_torus};
}

}  // namespace banyan::topology
