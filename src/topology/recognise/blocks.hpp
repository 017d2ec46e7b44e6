// Finds complete bipartite blocks in a bipartite graph that lost some of its edges and gained a few wrong
// ones.
//
// Between neighbouring levels a fat-tree is a disjoint union of such blocks K_{a,b}, all of one size.
#pragma once
#include <vector>

#include "base/types.hpp"

namespace banyan::topology {

struct BipartiteEdge {
  u32 left, right;
  u32 weight;  // parallel cables
};

struct Bipartite {
  u32 lefts = 0, rights = 0;
  std::vector<BipartiteEdge> edges;  // a pair at most once
};

struct Blocks {
  static constexpr u32 none = ~u32{0};
  u32 a = 0, b = 0, count = 0;         // left and right nodes of a complete block; number of blocks
  std::vector<u32> of_left, of_right;  // none: its block cannot be decided
};

enum class Vary { none, lefts, rights };  // the side of which blocks may lack any number

// The partition that explains the edges with the fewest faults: pairs missing inside blocks, and edges
// between blocks, which count twice. Blocks may lack members.
Blocks find_blocks(const Bipartite& graph, Vary vary = Vary::none);

}  // namespace banyan::topology
