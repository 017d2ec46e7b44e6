// Shortest ways in a CapacityGraph by lengths of arcs, from one place to all others.
#pragma once
#include <span>
#include <vector>

#include "flow/switch_graph.hpp"

namespace banyan::flow {

class ShortestArcs {
 public:
  explicit ShortestArcs(const CapacityGraph& graph);

  void search(u32 from, std::span<const double> length);  // Dijkstra; hosts do not forward
  bool reaches(u32 to) const { return distance_[to] < unlimited; }
  double distance(u32 to) const { return distance_[to]; }
  template <class F>
  void each_arc(u32 to, F&& f) const {  // backwards
    for (; last_arc_[to] != none_; to = graph_.arcs[last_arc_[to]].from) f(last_arc_[to]);
  }

 private:
  static constexpr u32 none_ = ~u32{0};
  const CapacityGraph& graph_;
  std::vector<u32> first_;  // by place: its first arc; with one entry more at the end
  std::vector<double> distance_;
  std::vector<u32> last_arc_;
};

}  // namespace banyan::flow
