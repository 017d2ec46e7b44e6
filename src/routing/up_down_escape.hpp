// An escape by Up*/Down* over some cables of a graph (Schroeder et al. 1991): all shortest ways on which no
// channel up follows one down. Ranks are distances from a root of each component; a channel goes up when it
// ends at a lower rank, or at the same rank at a lower number.
#pragma once
#include <vector>

#include "routing/switch_cables.hpp"

namespace banyan::routing {

class UpDownEscape {
 public:
  // `cables`: by port of a switch, as in SwitchCables::to, those that the escape uses; cables between two
  // switches are listed at both ends, and connect what is connected. With `takes_direct_cables` packets on
  // the escape may also leave it by any cable to the goal's switch, which counts in `left`.
  UpDownEscape(const SwitchCables& graph, std::vector<bool> cables, bool takes_direct_cables);

  bool has(u32 cable) const { return cables_[cable]; }
  // Channels to the goal, for a packet that may still go up or may not; far if there is no way.
  u8 length(u32 goal, u32 v, bool may_go_up) const { return (may_go_up ? up_ : down_)[place(goal, v)]; }
  u8 left(u32 goal, u32 v, bool may_go_up) const {
    return (may_go_up ? left_up_ : left_down_)[place(goal, v)];
  }
  u32 longest() const;  // of all ways that there are

  // f(cable, may go up behind it, channels left behind it) for the first cable of every shortest legal way.
  template <class F>
  void each_hop(const SwitchCables& graph, u32 goal, u32 v, bool may_go_up, F&& f) const {
    const u8 here = length(goal, v, may_go_up);
    if (here == SwitchCables::far) return;
    graph.each_cable(v, [&](u32 cable, u32 next) {
      const bool up = goes_up(v, next);
      if (!cables_[cable] || (up && !may_go_up) || length(goal, next, up) + 1 != here) return;
      f(cable, up, left(goal, next, up));
    });
  }

 private:
  std::size_t place(u32 goal, u32 v) const { return std::size_t{goal} * rank_.size() + v; }
  bool goes_up(u32 from, u32 to) const {
    return rank_[to] != rank_[from] ? rank_[to] < rank_[from] : to < from;
  }
  void rank_switches(const SwitchCables& graph);
  void find_lengths(const SwitchCables& graph, u32 goal);
  void find_left(const SwitchCables& graph, u32 goal, bool takes_direct_cables);

  std::vector<bool> cables_;
  std::vector<u32> rank_;                            // by switch
  std::vector<u32> highest_first_;                   // all switches
  std::vector<u8> up_, down_, left_up_, left_down_;  // by goal and switch
};

}  // namespace banyan::routing
