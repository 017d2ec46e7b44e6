// D-Mod-K: the up port at level l is floor(j / W_l) mod (w_{l+1} p_{l+1}) for destination j (zahavi10,
// equation 3).
#include "engines/tree_paths.hpp"

namespace banyan {
namespace {

RouteResult route_dmodk(const Topology& topology, const PathsOption&) {  // one path, whatever the limit
  return route_tree(topology, "dmodk", 1, [](const TreePaths& paths, const TreePaths::Pair& pair, u64) {
    return paths.mod_k(pair.to, pair.level);
  });
}

}  // namespace

Engine dmodk_engine() {
  return make_engine<route_dmodk>(
      "dmodk", "zahavi10", "fat-trees: up ports by the destination's digits; shifts without contention");
}

}  // namespace banyan
