// D-Mod-K: the up port at level l is floor(j / W_l) mod (w_{l+1} p_{l+1}) for destination j (zahavi10,
// equation 3).
#include <fmt/format.h>

#include "engines/engine.hpp"

namespace banyan {
namespace {

struct DModK {
  Pgft tree;

  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const {
    Header header{address_of(to)};
    u64 j = tree.endpoint_of_nic(Nic{index(to) % tree.endpoints()});
    for (u32 l = 0; l < tree.h(); ++l) {
      header.tag |= j % (tree.w[l] * tree.p[l]) << (8 * l);
      j /= tree.w[l];
    }
    return header;
  }
};

RouteResult route_dmodk(const Topology& topology) {
  const auto* tree = std::get_if<Pgft>(&topology.shape);
  if (!tree) return NotApplicable{"d-mod-k needs a fat-tree"};
  if (!topology.is_intact()) return NotApplicable{"d-mod-k needs a complete fat-tree; cables are missing"};
  if (tree->h() > TreeForm::most_levels)
    return NotApplicable{fmt::format("d-mod-k handles up to {} levels", TreeForm::most_levels)};
  for (u32 l = 0; l < tree->h(); ++l)
    if (u64{tree->w[l]} * tree->p[l] > TreeForm::most_up_ports)
      return NotApplicable{fmt::format("d-mod-k handles up to {} up ports", TreeForm::most_up_ports)};
  return Routing{TreeForm(*tree, topology.planes), Source(DModK{*tree})};
}

}  // namespace

Engine dmodk_engine() {
  return {"dmodk", "zahavi10", "destination modulo up ports: fat-trees, no table, shifts without contention",
          route_dmodk};
}

}  // namespace banyan
