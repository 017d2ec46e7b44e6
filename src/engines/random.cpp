// random: K different paths of each pair, a function of seed, source and destination (mahapatra, section 4).
#include <span>

#include "base/permutation.hpp"
#include "engines/tree_paths.hpp"

namespace banyan::engines {
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

  void all(const TreePaths&, const TreePaths::Pair& pair, u64 count, auto&& f) const {
    draw_some(pair.paths, count, seed, u64{pair.from} << 32 | pair.to, f);
  }
  void first(const TreePaths& paths, std::span<const u64> pairs, u32 level, u64* numbers) const {
    draw_one_each(paths.paths_behind(0, level), seed, pairs, numbers);
  }
  u64 operator()(const TreePaths& paths, const TreePaths::Pair& pair, u64 c) const {
    u64 last = 0;
    all(paths, pair, c + 1, [&](u64 path) { last = path; });
    return last;
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

}  // namespace banyan::engines
