// The channel dependency graph of one lane: how many paths hold one channel between switches and want the
// next. Cycles are found by depth-first search; afterwards an order of the channels shows that none is left,
// and is kept as dependencies come back (Pearce and Kelly, ACM J. Experimental Algorithmics 2006).
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "engines/port_graph.hpp"

namespace banyan::engines {

class LaneGraph {
 public:
  explicit LaneGraph(const PortGraph& graph);

  // A dependency: the channel held, and the port by which its far switch goes on to another switch.
  u32& paths(Channel held, Port port) { return paths_[first_[held] + index(port)]; }

  void clear() { std::fill(paths_.begin(), paths_.end(), 0); }

  // While there is a cycle, calls take(held, port) for its dependency with the fewest paths; `take` leaves it
  // none, and may only take paths away.
  void break_cycles(const std::function<void(Channel, Port)>& take);

  // Whether the dependency would close no cycle; then the order is made to agree with it. One that is refused
  // stays so until cycles are broken again, though what it closed a cycle with may have been taken back:
  // asking again costs more than it gains.
  bool admits(Channel held, Port port);

 private:
  struct Step {
    Channel channel;
    u32 next_port;  // the first port of the far switch that was not looked at
  };
  enum class Mark : u8 { unseen, on_path, done };

  bool between_switches(Channel c) const;
  u32 paths_of(const Step& step) const { return paths_[first_[step.channel] + step.next_port - 1]; }
  std::size_t advance();  // where on the stack a cycle begins; past its end if there is none yet
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
  IdVector<Channel, u32> place_;  // in the order: a channel comes behind all that it depends on
  u32 placed_ = 0;
  std::vector<Channel> ahead_, behind_;
  std::vector<u32> places_;
};

}  // namespace banyan::engines
