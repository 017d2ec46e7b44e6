// Escape paths of `nue`: a spanning tree from a central switch, whose paths no other dependency may ever
// block (Domke, Hoefler and Matsuoka, HPDC 2016).
#pragma once
#include "engines/acyclic_dependencies.hpp"

namespace banyan::engines {

class EscapeTree {
 public:
  // goals[switch] is the number of destinations at the switch. The root of each component is the switch with
  // the highest betweenness among its goals.
  EscapeTree(const Backbone& backbone, const IdVector<Switch, u32>& goals);

  // Adds all dependencies of tree paths from switches with hosts to goals. Call it first for a lane.
  void claim(AcyclicDependencies& lane) const;

  // Calls f(switch, exit) along the tree path between two switches of a component, without the last switch.
  template <class F>
  void path(Switch from, Switch to, F f) const {
    std::vector<Switch> down;
    for (; depth_[to] > depth_[from]; to = parent(to)) down.push_back(to);
    for (; from != to; from = parent(from)) {
      if (depth_[from] == depth_[to]) down.push_back(to), to = parent(to);
      f(from, up_[from]);
    }
    for (std::size_t i = down.size(); i-- > 0; from = down[i]) f(from, backbone_->reverse[up_[down[i]]]);
  }

  const std::vector<Switch>& preorder() const { return preorder_; }  // all switches, subtree by subtree

 private:
  Switch parent(Switch v) const { return backbone_->to[up_[v]]; }
  void grow(Switch root);
  void number();

  const Backbone* backbone_;
  IdVector<Switch, u32> goals_;
  IdVector<Switch, SwitchChannel> up_;  // the channel to its parent; none at a root
  IdVector<Switch, u32> depth_;
  std::vector<Switch> found_;  // all switches, parents before children
  std::vector<Switch> preorder_;
};

// By switch: the number of shortest paths between goals through it (Brandes 2001), where each pair has weight
// one. With many goals, only a sample of them are sources.
IdVector<Switch, double> betweenness(const Backbone& backbone, const IdVector<Switch, u32>& goals);

}  // namespace banyan::engines
