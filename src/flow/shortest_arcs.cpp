#include "flow/shortest_arcs.hpp"

#include <algorithm>
#include <queue>

namespace banyan::flow {

ShortestArcs::ShortestArcs(const CapacityGraph& graph)
    : graph_(graph), first_(graph.places + 1), distance_(graph.places), last_arc_(graph.places) {
  for (const CapacityGraph::Arc& arc : graph.arcs) ++first_[arc.from + 1];
  for (u32 v = 0; v < graph.places; ++v) first_[v + 1] += first_[v];
}

void ShortestArcs::search(u32 from, std::span<const double> length) {
  std::fill(distance_.begin(), distance_.end(), unlimited);
  std::fill(last_arc_.begin(), last_arc_.end(), none_);
  using Place = std::pair<double, u32>;
  std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
  distance_[from] = 0;
  queue.push({0, from});
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance > distance_[v] || (v != from && !graph_.forwards(v))) continue;
    for (u32 a = first_[v]; a < first_[v + 1]; ++a) {
      const u32 to = graph_.arcs[a].to;
      if (distance + length[a] >= distance_[to]) continue;
      distance_[to] = distance + length[a];
      last_arc_[to] = a;
      queue.push({distance_[to], to});
    }
  }
}

}  // namespace banyan::flow
