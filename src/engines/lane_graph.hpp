// The channel dependency graph of one lane, used by lane_layers: for each pair of consecutive channels
// between switches, the number of paths that need it. Cycles are found by depth-first search. Afterwards a
// topological order shows that no cycle is left, and is maintained while dependencies return (Pearce and
// Kelly, ACM J. Experimental Algorithmics 2006).
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

class LaneGraph {
 public:
  explicit LaneGraph(const PortGraph& graph);

  // A dependency: the channel held, and the port of its far switch that leads on to another switch.
  u32& paths(Channel held, Port port) { return paths_[first_[held] + index(port)]; }

  void clear() { std::fill(paths_.begin(), paths_.end(), 0); }

  // While there is a cycle, calls take(held, port) for its dependency with the fewest paths. `take` must
  // remove all paths of that dependency, and may only remove paths.
  void break_cycles(const std::function<void(Channel, Port)>& take);

  // Whether the dependency closes no cycle; if so, the order is updated. A refused dependency stays refused
  // until cycles are broken again, even if the paths of the cycle have been removed: asking again costs more
  // than it gains.
  bool admits(Channel held, Port port);

 private:
  struct Step {
    Channel channel;
    u32 next_port;  // the first port of the far switch that was not visited
  };
  enum class Mark : u8 { unseen, on_path, done };

  bool between_switches(Channel c) const;
  u32 paths_of(const Step& step) const { return paths_[first_[step.channel] + step.next_port - 1]; }
  std::size_t advance();  // stack position where a cycle begins; past the end if there is none yet
  Step weakest(std::size_t first) const;
  void unwind();
  bool reaches(Channel from, Channel goal);
  void reach_back(Channel from, u32 limit);
  void reorder();

  const PortGraph& graph_;
  const Fabric& fabric_;
  IdVector<Channel, u32> first_;  // where a channel's dependencies begin
  std::vector<u32> paths_;        // by dependency
  std::vector<bool> refused_;     // by dependency
  IdVector<Channel, Mark> mark_;
  std::vector<Step> stack_;
  IdVector<Channel, u32> place_;  // position in the order: a channel comes after all that it depends on
  u32 placed_ = 0;
  std::vector<Channel> ahead_, behind_;
  std::vector<u32> places_;
};

}  // namespace banyan::engines
