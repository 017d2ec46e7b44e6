#include "topology/polar_graph.hpp"

#include <algorithm>
#include <array>

#include "base/finite_field.hpp"

namespace banyan::topology {
namespace {

// Points with their first coordinate that is not 0 made 1: (1, y, z) is y q + z, (0, 1, z) is q^2 + z,
// (0, 0, 1) is q^2 + q.
std::array<u32, 3> coordinates(u32 point, u32 q) {
  if (point < q * q) return {1, point / q, point % q};
  return point < q * q + q ? std::array<u32, 3>{0, 1, point - q * q} : std::array<u32, 3>{0, 0, 1};
}

// Calls f(point) for the q + 1 points at right angles to (a, b, c).
void each_orthogonal(const FiniteField& field, const std::array<u32, 3>& to, auto&& f) {
  const u32 q = field.order();
  const auto [a, b, c] = to;
  const auto quotient = [&](u32 x, u32 y) { return field.negative(field.multiply(x, field.inverse(y))); };
  if (c != 0) {
    for (u32 y = 0; y < q; ++y) f(y * q + quotient(field.add(a, field.multiply(b, y)), c));
    f(q * q + quotient(b, c));
  } else if (b != 0) {
    for (u32 z = 0; z < q; ++z) f(quotient(a, b) * q + z);
    f(q * q + q);
  } else {
    for (u32 z = 0; z <= q; ++z) f(q * q + z);
  }
}

}  // namespace

PolarGraph::PolarGraph(u32 q) : is_quadric(std::size_t{q} * q + q + 1) {
  const FiniteField field(q);
  for (u32 point = 0; point < points(); ++point)
    each_orthogonal(field, coordinates(point, q), [&](u32 other) {
      if (point < other) edges.push_back({point, other});
      if (point == other) is_quadric[point] = true;
    });
  std::sort(edges.begin(), edges.end());
}

}  // namespace banyan::topology
