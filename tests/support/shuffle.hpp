// For tests of recognition: a fabric damaged, and then seen as a stranger would, under other numbers.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "fabric/fabric.hpp"

namespace banyan::tests {

struct Damage {
  std::vector<Link> cables;  // those that are left, some perhaps at other ends
  std::vector<Host> gone;    // hosts that are not there at all
};

Damage undamaged(const Fabric& fabric);

// Takes away that many cables and hosts at random; never more than there are.
void take_cables(Damage& damage, u64 count, Random& random);
void take_hosts(Damage& damage, const Fabric& fabric, u64 count, Random& random);

// Exchanges the far ends of two random cables: (a-b), (c-d) become (a-d), (c-b). No cable leads back to its
// node.
void swap_cables(Damage& damage, const Fabric& fabric, Random& random);

struct Shuffled {
  Fabric fabric;
  IdVector<Node, Node> seen_as;  // node of the original -> node of the shuffled one, none if it is gone
};

// Hosts, the NICs of each host, switches, and the ports of each switch in random order.
Shuffled shuffled(const Fabric& fabric, const Damage& damage, Random& random);

// Cables by the names of their two nodes, sorted; those that have lost an end are left out.
using NodePairs = std::vector<std::pair<Node, Node>>;
template <class Name>
NodePairs named_cables(const Fabric& fabric, const std::vector<Link>& links, Name&& name) {
  NodePairs out;
  for (const Link& link : links) {
    const Node a = name(fabric.from(link.a)), b = name(fabric.from(link.b));
    if (a != none<Node> && b != none<Node>) out.push_back(std::minmax(a, b));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The raw cables that lead elsewhere than in the ideal fabric, both ends being placed.
u64 wrong_cables(const Fabric& raw, const Fabric& ideal, const IdVector<Node, Node>& place);

}  // namespace banyan::tests
