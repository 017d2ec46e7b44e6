// S-Mod-K: as d-mod-k, with the source's digits; the way down takes the cables of the way up.
#include "engines/tree_paths.hpp"

namespace banyan::engines {
namespace {

RouteResult route_smodk(const Topology& topology, const PathsOption&) {
  return route_tree(topology, "smodk", 1, Reads::nic,
                    [](const TreePaths& paths, const TreePaths::Pair& pair, u64) {
                      return paths.mod_k(pair.from, pair.level);
                    });
}

}  // namespace

Engine smodk_engine() {
  return make_engine<route_smodk>("smodk", "mahapatra", "fat-trees: up ports by the source's digits",
                                  {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
