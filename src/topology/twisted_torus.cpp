// Twisted tori (Camara et al., IEEE TPDS 2010): the rings of all dimensions but the first end one twist
// further along the first. With widths 2k x k and a twist of k, distances are shorter and links are used
// evenly.
#include <fmt/format.h>

#include <algorithm>

#include "topology/family.hpp"
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

}  // namespace

Family twisted_torus_family() {
  return {
      "TwistedTorus",
      "TwistedTorus(k_1xk_2x...; hosts=T, twist=W)",
      "TwistedTorus(8x4)",
      "a torus whose rings in all dimensions but the first are shifted by W along the first where they close",
      "Camara et al., IEEE TPDS 2010",
      twisted_torus};
}

}  // namespace banyan::topology
