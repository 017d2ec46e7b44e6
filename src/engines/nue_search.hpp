// The search of `nue` for one destination: Dijkstra's algorithm in the complete channel dependency graph,
// restricted to dependencies that keep the lane acyclic (Domke, Hoefler and Matsuoka, HPDC 2016).
#pragma once
#include "engines/escape_tree.hpp"

namespace banyan::engines {

class NueSearch {
 public:
  explicit NueSearch(const Backbone& backbone);

  // Finds a tree to the leaves of `plugs` within the lane. It contains every switch with hosts that is
  // connected with them. Its paths add to the weights of their channels for later trees.
  void route(std::span<const Plug> plugs, AcyclicDependencies& lane, const EscapeTree& escape);

  const IdVector<Switch, SwitchChannel>& exits() const { return exit_; }  // none at the leaves themselves
  const IdVector<Switch, u32>& distances() const { return distance_; }    // nothing where there is no way

  // How often so far a switch was stuck until a neighbour took another exit, or had to use the escape tree.
  u64 bends() const { return bends_; }
  u64 escapes() const { return escapes_; }

 private:
  bool reached(Switch v) const { return distance_[v] != Backbone::nothing; }
  void start(std::span<const Plug> plugs);
  void grow();
  bool attach(Switch u, u32 level);
  void join(Switch u, SwitchChannel channel);
  bool find_stuck(std::span<const Plug> plugs);
  bool bend_for(Switch u);
  bool bend(SwitchChannel channel, SwitchChannel other_exit);
  bool passes(Switch from, Switch v) const;
  void measure_again(Switch v);
  void escape_from_stuck(const EscapeTree& escape, std::span<const Plug> plugs);
  void settle();
  void fill_idle();

  const Backbone& b_;
  u64 hosts_, bends_ = 0, escapes_ = 0;
  AcyclicDependencies* lane_ = nullptr;
  IdVector<SwitchChannel, u64> weight_;  // the load of the trees before
  IdVector<Switch, SwitchChannel> exit_;
  IdVector<Switch, u32> distance_;
  IdVector<Switch, u64> cost_;                   // the weights of its path
  IdVector<Switch, SwitchChannel> escape_exit_;  // the exit it must take for this destination
  IdVector<Switch, u32> tried_, carried_;
  std::vector<Switch> stuck_;
  std::vector<std::vector<Switch>> rings_;  // by distance
};

}  // namespace banyan::engines
