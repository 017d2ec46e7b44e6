// The search of Nue for one destination: Dijkstra's algorithm in the complete channel dependency graph, which
// passes only dependencies that keep the lane acyclic (Domke, Hoefler and Matsuoka, HPDC 2016).
#pragma once
#include "engines/escape_tree.hpp"

namespace banyan::engines {

class NueSearch {
 public:
  explicit NueSearch(const Backbone& backbone);

  // A tree to the leaves of `plugs`, within the lane. Every switch with hosts that is connected with them is
  // in it; its paths weigh on their channels when the next trees are chosen.
  void route(std::span<const Plug> plugs, AcyclicDependencies& lane, const EscapeTree& escape);

  std::span<const u32> exits() const { return exit_; }          // by switch; nothing at the leaves themselves
  std::span<const u32> distances() const { return distance_; }  // by switch; nothing where there is no way

  // How often, so far, a switch was stuck until a neighbour took another exit, or had to take the escape
  // tree.
  u64 bends() const { return bends_; }
  u64 escapes() const { return escapes_; }

 private:
  bool reached(u32 v) const { return distance_[v] != Backbone::nothing; }
  void start(std::span<const Plug> plugs);
  void grow();
  bool attach(u32 u, u32 level);
  void join(u32 u, u32 channel);
  bool find_stuck(std::span<const Plug> plugs);
  bool bend_for(u32 u);
  bool bend(u32 channel, u32 other_exit);
  bool passes(u32 from, u32 v) const;
  void measure_again(u32 v);
  void escape_from_stuck(const EscapeTree& escape, std::span<const Plug> plugs);
  void settle();
  void fill_idle();

  const Backbone& b_;
  u64 hosts_, bends_ = 0, escapes_ = 0;
  AcyclicDependencies* lane_ = nullptr;
  std::vector<u64> weight_;           // by channel: paths of hosts that use it
  std::vector<u32> exit_, distance_;  // by switch
  std::vector<u64> cost_;             // by switch: the weights of its path
  std::vector<u32> escape_exit_;      // by switch: the exit it must take for this destination
  std::vector<u32> tried_, carried_, stuck_;
  std::vector<std::vector<u32>> rings_;  // by distance
};

}  // namespace banyan::engines
