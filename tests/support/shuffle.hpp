// For tests of recognition: a fabric damaged, and then seen as a stranger would, under other numbers.
#pragma once
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

}  // namespace banyan::tests
