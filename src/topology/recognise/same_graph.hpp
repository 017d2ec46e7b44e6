// Whether two graphs differ only in the numbers of their vertices, and how one becomes the other. Vertices
// have colours; those of neighbours refine them, and a search gives one vertex after another a colour of its
// own. Vertices that a symmetry exchanges cost nothing, so that graphs over finite fields take few steps; nor
// do vertices with the same neighbours, which count as one.
#pragma once
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace banyan::topology {

struct ColouredGraph {
  std::vector<std::vector<u32>> neighbours;  // by vertex; one stands there as often as there are edges
  std::vector<u32> colours;                  // by vertex
};

// By vertex of `a` that of `b`, with the same colours and edges. None: there is no such map, or it was not
// found within `steps`, each of which looks at an edge; those that were done are taken off.
std::optional<std::vector<u32>> same_graph(const ColouredGraph& a, const ColouredGraph& b, u64& steps);

}  // namespace banyan::topology
