// shift-1: K consecutive paths from that of d-mod-k on (mahapatra, section 4).
#include "engines/tree_paths.hpp"

namespace banyan::engines {

u64 shift1_path(const TreePaths& paths, const TreePaths::Pair& pair, u64 c) {
  const u64 path = paths.mod_k(pair.to, pair.level) + c;
  return path < pair.paths ? path : path % pair.paths;
}

namespace {

RouteResult route_shift1(const Topology& topology, const PathsOption& options) {
  return route_tree(topology, "shift1", options.paths, Reads::attachment, shift1_path);
}

}  // namespace

Engine shift1_engine() {
  return make_engine<route_shift1>("shift1", "mahapatra",
                                   "fat-trees: K consecutive paths, which part at the top first",
                                   {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
