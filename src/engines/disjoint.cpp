// disjoint: K paths from that of d-mod-k on that part as low in the tree as possible (mahapatra, section 4).
#include "engines/tree_paths.hpp"

namespace banyan::engines {

// c = t_1 + v_1 (t_2 + v_2 (...)): the lowest level's digit moves first; sums carry, as printed.
u64 disjoint_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c) {
  u64 path = paths.mod_k(pair.to, pair.level);
  u32 rest = static_cast<u32>(c);  // as many paths as a Source can count
  for (u32 t = 1; t <= pair.level; ++t) {
    path += u64{rest % paths.choices(t)} * paths.paths_behind(t, pair.level);
    rest /= paths.choices(t);
  }
  return path < pair.paths ? path : path - pair.paths;
}

namespace {

RouteResult route_disjoint(const Topology& topology, const PathsOption& options) {
  return route_tree(topology, "disjoint", options.paths, Reads::attachment, disjoint_path);
}

}  // namespace

Engine disjoint_engine() {
  return make_engine<route_disjoint>("disjoint", "mahapatra",
                                     "fat-trees: K paths that part as low as possible",
                                     {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
