// Slim Fly (Besta and Hoefler, SC 2014): the graphs of McKay, Miller and Siran, of diameter 2, with 2 q^2
// switches for a prime power q = 4 w + d, where d is -1, 0 or 1; generators as Hafner gives them (Large
// Cayley Graphs and Digraphs with Small Degree and Diameter, 2004).
#include <fmt/format.h>

#include <algorithm>

#include "base/finite_field.hpp"
#include "topology/family.hpp"
#include "topology/proposals.hpp"

namespace banyan::topology {
namespace {

struct SlimFly {
  u32 q;
  int residue;  // d

  u32 generators() const { return static_cast<u32>((static_cast<int>(q) - residue) / 2); }
  u64 switches() const { return 2 * u64{q} * q; }
  u32 degree() const { return q + generators(); }
};

std::optional<SlimFly> slim_fly_of(u32 q) {
  if (q < 3 || !as_prime_power(q)) return std::nullopt;  // 2 mod 4 is 2 alone
  return SlimFly{q, q % 4 == 3 ? -1 : static_cast<int>(q % 4)};
}

// By element: whether a difference of two switches in a row makes them neighbours, in the first half of the
// graph and in the second. Both sets hold the negative of each of their elements.
struct Generators {
  std::vector<bool> first, second;

  Generators(const FiniteField& field, const SlimFly& size) : first(size.q), second(size.q) {
    const u32 count = size.generators();
    for (u32 i = 0; i < count; ++i) {
      // Even powers; where -1 is none of them, odd ones from the middle on.
      const u32 exponent = size.residue == -1 && 2 * i >= count ? 2 * i - 1 : 2 * i;
      first[field.power(exponent)] = true;
      second[field.power(exponent + 1)] = true;
    }
  }
};

// Switch (half, x, y) has the number half q^2 + x q + y.
void list_slim_fly(const SlimFly& size, GraphShape& shape) {
  const u32 q = size.q;
  const FiniteField field(q);
  const Generators generators(field, size);
  for (u32 x = 0; x < q; ++x)
    for (u32 a = 0; a < q; ++a)
      for (u32 b = a + 1; b < q; ++b) {
        const u32 difference = field.subtract(a, b);
        if (generators.first[difference]) shape.edges.push_back({x * q + a, x * q + b});
        if (generators.second[difference]) shape.edges.push_back({q * q + x * q + a, q * q + x * q + b});
      }
  for (u32 x = 0; x < q; ++x)
    for (u32 m = 0; m < q; ++m)
      for (u32 c = 0; c < q; ++c)
        shape.edges.push_back({x * q + field.add(field.multiply(m, x), c), q * q + m * q + c});
  for (u32 s = 0; s < 2 * q * q; ++s) shape.groups[s] = s / q % q;
}

// Between switches all distances are 1 or 2. Half of the 2 q rows, taken evenly from both halves of the
// graph, are a good cut: only cables between the halves cross it, q for each of two rows.
GraphShape::Known slim_fly_facts(const SlimFly& size, u32 hosts) {
  const double switches = static_cast<double>(size.switches());
  GraphShape::Known out;
  out.distances.diameter = 4;
  out.distances.average = 2 + (2 * (switches - 1) - size.degree()) * hosts / (switches * hosts - 1);
  out.cut = size.q * (u64{size.q} * size.q + size.q % 2) / 2;
  return out;
}

FamilyResult slim_fly(const Notation& n) {
  const auto v = n.groups.size() == 1 ? n.numbers(0, "q") : std::vector<u32>();
  if (v.size() != 1) n.fail("expected a prime power: SlimFly(q)");
  const auto size = slim_fly_of(v[0]);
  if (!size) n.fail(fmt::format("q must be a prime power of at least 3, found {}", v[0]));
  GraphShape shape = read_graph(n, fmt::format("SlimFly({}", v[0]),
                                {size->switches(), size->degree(), (size->degree() + 1) / 2});
  shape.known = slim_fly_facts(*size, shape.hosts_per_switch);
  list_slim_fly(*size, shape);
  return shape;
}

void propose_slim_fly(const Proposals& out) {
  const SizeDemand& demand = out.demand();
  for (u32 q = 3; q + (q - 1) / 2 < demand.ports; ++q) {
    const auto size = slim_fly_of(q);
    if (!size || size->degree() >= demand.ports) continue;
    const u64 hosts = (demand.hosts + size->switches() - 1) / size->switches();
    if (hosts + size->degree() > demand.ports || size->switches() * hosts > demand.hosts_at_most) continue;
    if (!demand.fills(1, static_cast<double>(hosts + size->degree()), static_cast<double>(hosts))) continue;
    const Notation notation = parse_notation(fmt::format("SlimFly({}; hosts={})", q, hosts));
    out.add(std::get<GraphShape>(std::get<Shape>(slim_fly(notation).what)), demand.rails);
  }
}

}  // namespace

Family slim_fly_family() {
  return {"SlimFly",
          "SlimFly(q; hosts=T)",
          "SlimFly(5)",
          "2 q^2 switches of diameter 2 for a prime power q; hosts fill half of a switch by default",
          "Besta and Hoefler, SC 2014",
          slim_fly,
          propose_slim_fly};
}

}  // namespace banyan::topology
