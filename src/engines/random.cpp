// random: K different paths of each pair, a function of seed, source and destination (mahapatra, section 4).
#include "base/random.hpp"
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

// The first is drawn by itself, since most often it is all that is asked for; the others come after it in an
// order that is drawn too.
u64 random_path(u64 seed, const TreePaths::Pair& pair, u64 c) {
  __extension__ using u128 = unsigned __int128;
  const u64 stream = u64{pair.from} << 32 | pair.to;
  const u64 drawn = Random(seed, stream).at(~u64{0});
  const u64 first = static_cast<u64>(static_cast<u128>(drawn) * pair.paths >> 64);
  if (c == 0) return first;
  return (first + 1 + Permutation(pair.paths - 1, seed, stream)(c - 1)) % pair.paths;
}

RouteResult route_random(const Topology& topology, const RandomOptions& options) {
  return route_tree(topology, "random", options.paths, Reads::nic,
                    [seed = options.seed](const TreePaths&, const TreePaths::Pair& pair, u64 c) {
                      return random_path(seed, pair, c);
                    });
}

}  // namespace

Engine random_engine() {
  return make_engine<route_random>("random", "mahapatra", "fat-trees: K paths drawn at random for each pair",
                                   {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan
