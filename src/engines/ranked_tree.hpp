// A fabric as a tree with many roots: switches are ranked by their distance from the hosts, and cables
// between ranks lead up. Removed cables still count for ranks, orders and numbers, so these do not change
// when cables fail.
#pragma once
#include <span>
#include <vector>

#include "engines/ids.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

class RankedTree {
 public:
  struct Cable {
    u8 up, down;  // its port at the lower and at the upper end
    bool live;
  };
  // All cables between two nodes of different rank, in order of the ports at the lower node.
  struct Uplink {
    TreeNode child, parent;
    u32 first, cables, live;  // index of the first cable; how many there are; how many of them are in place
  };
  // Destinations that share all their entries but the last: the NICs of a leaf, or one NIC with several
  // ports.
  struct Group {
    TreeNode start;         // the leaf, or that NIC
    std::vector<Nic> nics;  // in order of their numbers
  };

  explicit RankedTree(const Topology& topology);

  // Nodes are counted from first_node() on, as in Tables: NICs are nodes only where they have several ports.
  u32 first_node() const { return first_node_; }
  IdRange<TreeNode> nodes() const { return rank_.ids(); }
  TreeNode number(Node node) const { return TreeNode{index(node) - first_node_}; }
  Node node(TreeNode v) const { return Node{index(v) + first_node_}; }
  u32 rank(TreeNode v) const { return rank_[v]; }  // leaves have 1, NICs 0
  u32 top() const { return top_; }
  const std::vector<TreeNode>& by_rank() const {
    return by_rank_;
  }  // ascending rank, without nodes that no host can reach

  // In order of the parents' numbers.
  std::span<const Uplink> up(TreeNode v) const {
    return {uplinks_.data() + first_up(v), last_up(v) - first_up(v)};
  }
  u32 first_up(TreeNode v) const { return first_up_[index(v)]; }  // their numbers, and one past the last
  u32 last_up(TreeNode v) const { return first_up_[index(v) + 1]; }
  const std::vector<Uplink>& uplinks() const { return uplinks_; }
  // The uplinks that end here, in order of the children's numbers.
  std::span<const u32> down(TreeNode v) const {
    return {down_.data() + first_down_[index(v)], first_down_[index(v) + 1] - first_down_[index(v)]};
  }
  std::span<const Cable> cables(const Uplink& u) const { return {cables_.data() + u.first, u.cables}; }

  const std::vector<Group>& groups() const { return groups_; }  // in order of their NICs' numbers
  u8 host_port(Nic nic) const { return host_port_[index(nic)]; }
  // j of the formulas: the position of a NIC in its tree, neighbours first; its endpoint number if there is a
  // shape.
  u32 number(Nic nic) const { return number_[index(nic)]; }

  u32 w(u32 rank) const { return w_[rank]; }  // maximum number of parents of a node of this rank
  u32 p(u32 rank) const { return p_[rank]; }  // maximum number of cables to one of them

 private:
  struct Ends;
  std::vector<Ends> read_cables(const Fabric& fabric) const;
  void rank_nodes(const Fabric& fabric);
  void make_uplinks(std::vector<Ends> cables);
  void group_nics(const std::vector<Ends>& cables);
  void drop_unreachable();
  void number_by_place();
  std::vector<IdVector<TreeNode, u32>> subtrees() const;

  u32 first_node_, nics_, top_ = 1;
  IdVector<TreeNode, u32> rank_;
  std::vector<TreeNode> by_rank_;
  std::vector<Uplink> uplinks_;
  std::vector<Cable> cables_;
  std::vector<u32> first_up_, first_down_, down_;
  std::vector<Group> groups_;
  std::vector<u8> host_port_;
  std::vector<u32> number_, w_, p_;
};

}  // namespace banyan::engines
