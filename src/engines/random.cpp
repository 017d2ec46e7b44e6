// random: K different paths of each pair, a function of seed, source and destination (mahapatra, section 4).
#include "base/permutation.hpp"
#include "engines/tree_paths.hpp"

namespace banyan {
namespace {

struct RandomOptions {
  u32 paths = 1;
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "paths for each pair; more than there are means all");
    f("seed", self.seed, "another seed, other paths");
  }
};

struct RandomPaths {
  u64 seed;

  Permutation order(const TreePaths::Pair& pair) const {
    return Permutation(pair.paths, seed, u64{pair.from} << 32 | pair.to);
  }
  u64 operator()(const TreePaths&, const TreePaths::Pair& pair, u64 c) const { return order(pair)(c); }
  void all(const TreePaths&, const TreePaths::Pair& pair, u32 count, auto&& f) const {
    const Permutation permutation = order(pair);
    for (u32 c = 0; c < count; ++c) f(permutation(c));
  }
};

RouteResult route_random(const Topology& topology, const RandomOptions& options) {
  return route_tree(topology, "random", options.paths, Reads::nic, RandomPaths{options.seed});
}

}  // namespace

Engine random_engine() {
  return make_engine<route_random>("random", "mahapatra", "fat-trees: K paths drawn at random for each pair",
                                   {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan
