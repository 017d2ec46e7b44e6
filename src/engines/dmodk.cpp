// D-Mod-K: the up port at level l is floor(j / W_l) mod (w_{l+1} p_{l+1}) for destination j (zahavi10,
// equation 3).
#include "engines/tree_paths.hpp"

namespace banyan {
namespace {

// The digits of lower levels do not depend on where a pair meets: one header serves all sources.
struct DModK {
  TreePaths paths;
  u32 height;

  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const {
    return {.to = address_of(to), .tag = paths.tag(paths.mod_k(paths.pair(to, to).to, height), height)};
  }
  Reads reads() const { return Reads::nothing; }
};

RouteResult route_dmodk(const Topology& topology, const PathsOption&) {  // one path, whatever the limit
  if (auto refused = refuse_tree(topology, "dmodk")) return *refused;
  const Pgft& tree = std::get<Pgft>(topology.shape);
  return Routing{TreeForm(tree, topology.planes), Source(DModK{TreePaths(tree), tree.h()})};
}

}  // namespace

Engine dmodk_engine() {
  return make_engine<route_dmodk>(
      "dmodk", "zahavi10", "fat-trees: up ports by the destination's digits; shifts without contention",
      {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan
