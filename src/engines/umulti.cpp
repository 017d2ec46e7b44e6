// umulti: all shortest paths, evenly; no routing of a complete fat-tree has less load (mahapatra, theorem 1).
#include "engines/tree_paths.hpp"

namespace banyan::engines {
namespace {

RouteResult route_umulti(const Topology& topology, const NoOptions&) {
  return route_tree(topology, "umulti", ~u64{0}, Reads::attachment,
                    [](const TreePaths&, const TreePaths::Pair&, u64 c) { return c; });
}

}  // namespace

Engine umulti_engine() {
  return make_engine<route_umulti>("umulti", "mahapatra",
                                   "fat-trees: all shortest paths, evenly; optimal for every traffic",
                                   {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
